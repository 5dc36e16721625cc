#include "tests/matrix/outcome.hpp"

#include <map>
#include <set>

#include "engine/session/session.hpp"

namespace trellis::matrix {
namespace {

using session::Exit;

struct Computed {
  Exit exit = Exit::success;
  std::string code, message;  ///< of the first error
  std::string command;        ///< that it came of
  std::string values;         ///< of all results, element by element
};

/// Of a result that is stored as a symmetric one, what was written stands in both places.
enum class Read { as_it_is, mirrored };

std::string values_of(const tensor::Tensor& tensor, Read read) {
  std::string text;
  tensor::for_each_index(tensor.shape(), [&](const tensor::Index& index) {
    format::Value value = tensor.get(index);
    if (read == Read::mirrored && value == tensor.fill())
      value = tensor.get(tensor::Index(index.rbegin(), index.rend()));
    text += (text.empty() ? "" : " ") + format::to_string(value == tensor.fill() ? tensor.fill() : value);
  });
  return text;
}

Computed computed(const std::string& program, const std::vector<std::string>& results, Read read = Read::as_it_is) {
  session::Session session{session::Options{}};
  Computed made;
  const auto look_at = [&](const session::Reply& reply) {
    for (const text::Diagnostic& d : reply.diagnostics.all()) {
      if (d.severity != text::Severity::error || !made.code.empty()) continue;
      made.code = d.code;
      made.message = d.message;
    }
    if (!reply.ok()) made.command = reply.command;
  };
  made.exit = session.feed("trial", program, look_at).exit;
  for (const std::string& name : results)
    if (const tensor::Tensor* held = session.state().data.held(name))
      made.values += name + ": " + values_of(*held, read) + "\n";
  return made;
}

/// Empty where masks are refused of dense tensors.
const std::string& expected(const Trial& trial) {
  static std::map<std::string, std::string> known;
  const bool symmetric = trial.stored->shape == Shape::symmetric && trial.tensor == trial.program->results.front();
  const std::string program = program_of(trial, Written::plain);
  const std::string key = (symmetric ? "mirrored\n" : "") + program;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  const Computed plain =
      computed(program + "run\n", trial.program->results, symmetric ? Read::mirrored : Read::as_it_is);
  return known[key] = plain.exit == Exit::success         ? plain.values
                      : trial.command.starts_with("mask") ? ""
                                                          : "the plain program fails: " + plain.message;
}

/// Codes of what no program should bring about.
bool is_fault(const std::string& code) {
  static const std::set<std::string> faults{"E0501", "E0502", "E0503", "E0504", "E0505", "E0510"};
  return faults.contains(code);
}

}  // namespace

const char* name_of(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::right: return "right";
    case Outcome::Kind::refused: return "refused";
    case Outcome::Kind::wrong: return "wrong";
    case Outcome::Kind::crashed: return "crashed";
    case Outcome::Kind::endless: return "endless";
  }
  return "";
}

Outcome outcome_of(const Trial& trial) {
  using Kind = Outcome::Kind;
  const std::string& wanted = expected(trial);
  const Computed tried = computed(program_of(trial, Written::tried) + "run\ncheck\n", trial.program->results);
  if (is_fault(tried.code)) return {Kind::crashed, tried.code + ": " + tried.message};
  if (tried.command == "check") return {Kind::wrong, "check: " + tried.code + " " + tried.message};
  if (tried.exit != Exit::success)
    return tried.code.empty() ? Outcome{Kind::wrong, "no code"} : Outcome{Kind::refused, tried.code};
  if (!wanted.empty() && tried.values != wanted) return {Kind::wrong, "got\n" + tried.values + "expected\n" + wanted};
  return {Kind::right};
}

}  // namespace trellis::matrix
