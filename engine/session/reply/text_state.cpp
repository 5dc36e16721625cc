// What snapshot, restore, undo, redo, reset, history and examples print.
#include <algorithm>
#include <sstream>

#include "engine/session/reply/text.hpp"

namespace trellis::session {
namespace {

// A statement that spans lines is listed by its first one.
std::string first_line(const std::string& statement) {
  const std::size_t end = statement.find('\n');
  return end == std::string::npos ? statement : statement.substr(0, end) + " …";
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

}  // namespace

std::string text_of(const Saved& saved) {
  if (!saved.tensor.empty())
    return "saved " + saved.tensor + " to " + saved.path +
           (saved.fills > 0 ? "; " + std::to_string(saved.fills) +
                                  (saved.fills == 1 ? " entry holds" : " entries hold") + " the fill\n"
                            : "\n");
  const auto counted = [](std::size_t count, const char* one, const char* several) {
    return std::to_string(count) + (count == 1 ? one : several);
  };
  return "saved the session to " + saved.path + ": " +
         counted(saved.statements, " statement of the program, ", " statements of the program, ") +
         counted(saved.actions, " that made its tensors\n", " that made its tensors\n");
}

std::string text_of(const Travelled& travelled) {
  if (travelled.command == "reset") return "everything is forgotten; `undo` brings it back\n";
  if (travelled.command == "snapshot") return "kept as " + travelled.name + "\n";
  if (travelled.command == "restore") return "back to " + travelled.name + "\n";
  std::string out;
  for (const std::string& statement : travelled.statements)
    out += (travelled.command == "undo" ? "undone: " : "redone: ") + first_line(statement) + "\n";
  return out;
}

std::string text_of(const Selected& selected) {
  const Selection& s = selected.selection;
  const auto name_of = [](const text::NodeId& node) {
    return std::string(text::name_of(node.stage)) + ":" + std::to_string(node.id);
  };
  std::vector<std::string> parts;
  if (!s.kernel.empty()) parts.push_back("kernel " + s.kernel);
  if (s.step) parts.push_back("step " + std::to_string(*s.step));
  if (s.node) parts.push_back("node " + name_of(*s.node));
  if (!s.instance.empty()) parts.push_back(text::to_string(text::Point(s.instance.begin(), s.instance.end())));
  if (s.element) parts.push_back(text::element_text(s.element->tensor, s.element->index));
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "selected: " : ", ") + part;
  out += out.empty() ? "nothing is selected\n" : "\n";
  for (std::size_t k = 0; k < s.pins.size(); ++k) out += (k == 0 ? "pinned: " : ", ") + name_of(s.pins[k]);
  return s.pins.empty() ? out : out + "\n";
}

std::string text_of(const HistoryListed& listed) {
  std::string out;
  std::size_t number = 0;
  for (const std::string& statement : listed.done)
    out += padded(std::to_string(++number), 4) + "  " + first_line(statement) + "\n";
  for (const std::string& statement : listed.undone) out += "undone  " + first_line(statement) + "\n";
  if (out.empty()) out = "nothing has changed yet\n";
  if (!listed.snapshots.empty()) {
    out += "snapshots:";
    for (const std::string& name : listed.snapshots) out += " " + name;
    out += "\n";
  }
  return out;
}

std::string text_of(const ProgramListed& listed) {
  if (listed.statements.empty())
    return listed.what == ProgramListed::What::all ? "the program is empty: nothing is declared\n"
                                                   : "nothing was said of how it runs\n";
  std::string out;
  std::size_t number = 0;
  for (const std::string& statement : listed.statements) {
    const bool all = listed.what == ProgramListed::What::all;
    const std::string head = all ? padded(std::to_string(++number), 4) + "  " : "deleted: ";
    std::istringstream lines(statement);
    bool first = true;
    for (std::string line; std::getline(lines, line); first = false)
      out += (first ? head : std::string(head.size(), ' ')) + line + "\n";
  }
  return out;
}

std::string text_of(const ExamplesListed& listed) {
  std::size_t width = 0;
  for (const auto& entry : listed.entries) width = std::max(width, entry.name.size());
  std::string out;
  for (const auto& entry : listed.entries) out += padded(entry.name, width + 2) + entry.summary + "\n";
  return out + "`examples NAME` prints one; save it as a file and run it\n";
}

}  // namespace trellis::session
