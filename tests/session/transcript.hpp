#pragma once
// A session as a test talks to it: text in; replies, codes and output out.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace trellis::testing {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Answer {
  session::Exit exit = session::Exit::success;
  std::vector<session::Reply> replies;
  std::vector<nlohmann::ordered_json> json;
  std::string output;  ///< of all replies, as on standard output
  std::string codes;   ///< of all diagnostics, in order: "N0201 E0602"

  bool ok() const { return exit == session::Exit::success; }
  /// Of the last reply to that command; null when there is none.
  nlohmann::ordered_json last(const std::string& command) const;
  /// All messages and notes, one a line.
  std::string messages() const;
};

class Transcript {
 public:
  explicit Transcript(session::Options options = {}) : session_(std::move(options)) {}

  /// Statements, as at a prompt.
  Answer say(const std::string& text) {
    return gather([&](auto on_reply) { return session_.feed("test", text, on_reply).exit; });
  }
  /// The same one entry at a time, so that what is defined again takes the place of what was.
  Answer enter(const std::vector<std::string>& entries, const std::string& name = "test") {
    return gather([&](auto on_reply) {
      session::Exit exit = session::Exit::success;
      for (const std::string& entry : entries) exit = session_.enter(name, entry, on_reply).exit;
      return exit;
    });
  }
  /// A whole program, as `trellis run` runs it.
  Answer run(const std::string& text, const std::string& name = "test") {
    return gather([&](auto on_reply) { return session_.run_text(name, text, on_reply); });
  }
  /// `print NAME`, without the name: "[1 2 3]"; or the codes of what went wrong.
  std::string value(const std::string& name);

  session::Session& session() { return session_; }

 private:
  template <class Feed>
  Answer gather(const Feed& feed) {
    Answer answer;
    answer.exit = feed([&](const session::Reply& reply) { add(answer, reply); });
    return answer;
  }
  void add(Answer& answer, const session::Reply& reply) const;
  session::Session session_;
};

}  // namespace trellis::testing
