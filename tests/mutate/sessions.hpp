#pragma once
// What holds of a session, whatever is typed. Without doctest, so that fuzzers ask the same (tests/fuzz/).

#include <memory>
#include <string>
#include <vector>

#include "engine/session/session.hpp"
#include "tests/folder.hpp"

namespace trellis::mutate {

/// A session in a folder of its own, which it cannot leave, with the files that examples read.
class Sitting {
 public:
  Sitting();
  ~Sitting();
  Sitting(const Sitting&) = delete;
  Sitting& operator=(const Sitting&) = delete;

  /// The program that the session begins with.
  void begin(const std::string& program, session::Session::Extent extent);
  /// One entry at the prompt, which is coloured and completed on the way.
  void enter(const std::string& entry, std::size_t cursor);
  /// Saves the session and reads it again.
  void save_and_read();

  /// To the first answer that is none: one that cannot be printed, fails without an error, or is a fault of the engine.
  const std::string& objection() const { return objection_; }

 private:
  void judge(const session::Reply& reply);
  void object(const std::string& what);

  testing::Folder folder_;
  std::filesystem::path before_;
  std::unique_ptr<session::Session> session_;
  std::string entered_, objection_;
};

}  // namespace trellis::mutate
