#include "tests/session/transcript.hpp"

#include <nlohmann/json.hpp>

namespace trellis::testing {

nlohmann::ordered_json Answer::last(const std::string& command) const {
  for (auto reply = json.rbegin(); reply != json.rend(); ++reply)
    if ((*reply)["command"] == command) return *reply;
  return nullptr;
}

std::string Answer::messages() const {
  std::string out;
  for (const session::Reply& reply : replies)
    for (const text::Diagnostic& d : reply.diagnostics.all()) {
      out += d.message + "\n";
      for (const text::Note& note : d.notes) out += note.message + "\n";
    }
  return out;
}

std::string Transcript::value(const std::string& name) {
  const Answer answer = say("print " + name);
  const std::string head = name + " = ";
  if (!answer.ok() || answer.output.compare(0, head.size(), head) != 0) return answer.codes;
  return answer.output.substr(head.size(), answer.output.size() - head.size() - 1);
}

void Transcript::add(Answer& answer, const session::Reply& reply) const {
  answer.replies.push_back(reply);
  answer.json.push_back(session::to_json(reply, session_.sources()));
  answer.output += session::output_of(reply);
  for (const text::Diagnostic& d : reply.diagnostics.all()) answer.codes += (answer.codes.empty() ? "" : " ") + d.code;
}

}  // namespace trellis::testing
