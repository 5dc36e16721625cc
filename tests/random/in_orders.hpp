#pragma once
// Programs in a session, run in one order after the other: each agrees with the reference, or its order is illegal.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/session/transcript.hpp"

namespace trellis::randomised {

inline const std::vector<std::string> orders_of_three = {"i j k", "i k j", "j i k", "j k i", "k i j", "k j i"};

inline void check_in_orders(const std::string& program, const std::vector<std::string>& orders) {
  testing::Transcript session;
  const auto said = session.say(program);
  CAPTURE(program);
  REQUIRE_MESSAGE(said.ok(), said.messages());
  for (const std::string& order : orders) {
    const auto found = session.say("order " + order + "\nrun\ncheck");
    const bool refused = found.codes.find("E0101") != std::string::npos;
    CAPTURE(order);
    const std::string answer = found.output + found.messages();
    CHECK_MESSAGE((found.ok() || refused), answer);
  }
}

}  // namespace trellis::randomised
