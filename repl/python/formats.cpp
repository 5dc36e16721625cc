#include "repl/python/formats.hpp"

#include <map>
#include <mutex>
#include <sstream>

#include "repl/python/specialise.hpp"

namespace trellis::python {

std::string without_type(const std::string& attributes) {
  std::istringstream words(attributes);
  std::string rest;
  for (std::string word; words >> word;)
    if (!format::scalar_type(word)) rest += (rest.empty() ? "" : " ") + word;
  return rest;
}

bool says_type(const std::string& attributes) { return without_type(attributes) != attributes; }

Declared declared(const std::string& text, int rank) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, Declared> known;
  {
    const std::lock_guard hold(mutex);
    if (const auto found = known.find({text, rank}); found != known.end()) return found->second;
  }
  std::string sizes;
  for (int d = 0; d < rank; ++d) sizes += (d == 0 ? "(n" : ", n") + std::to_string(d);
  const std::string shape = rank == 0 ? "" : sizes + ")";
  session::Session session{session::Options{}};
  text::Diagnostics said;
  const std::string statement =
      std::string(own_layouts) + "tensor T" + shape + (text.empty() ? "" : ": " + text) + "\n";
  session.feed("<format>", statement, session::Session::Extent::declarations,
               [&](const session::Reply& reply) { said.append(reply.diagnostics); });
  const lang::Program* const program = said.has_errors() ? nullptr : session.state().program(said);
  if (!program) throw Refused{said, session.sources()};
  const lang::TensorInfo& info = *program->tensor("T");
  const bool says_fill = (" " + text).find(" fill ") != std::string::npos;
  const std::lock_guard hold(mutex);
  return known[{text, rank}] = {info.format, says_fill ? std::optional(info.fill) : std::nullopt};
}

format::Format format_named(const std::string& text, int rank) { return declared(text, rank).format; }

}  // namespace trellis::python
