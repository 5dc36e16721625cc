#pragma once
// Names for indices that are made up: the usual letters, in their usual order.

#include <string>
#include <string_view>

namespace trellis::lang {

/// The first of i j k l p q r s t i2 j2 … that means nothing yet.
template <class Taken>
std::string unused_index(Taken&& taken) {
  for (int round = 1;; ++round)
    for (const char letter : std::string_view("ijklpqrst"))
      if (const std::string name = letter + (round == 1 ? "" : std::to_string(round)); !taken(name)) return name;
}

}  // namespace trellis::lang
