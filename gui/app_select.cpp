// What is looked at: the session's selection, which the console sets as well. What is done here is seen at once, and
// told to the session.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "gui/app.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

std::string name_of(const text::NodeId& node) {
  return std::string(text::name_of(node.stage)) + ":" + std::to_string(node.id);
}

std::optional<text::NodeId> node_named(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  text::NodeId node;
  const std::string_view digits = name.substr(colon + 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), node.id).ec != std::errc{}) return std::nullopt;
  const auto stage = text::stage_named(name.substr(0, colon));
  if (!stage) return std::nullopt;
  node.stage = *stage;
  return node;
}

// False: it is about something else.
bool App::carry_out_selection(const std::string& what, const std::string& rest) {
  if (what == "kernel") {
    kernel_ = rest;
    session::Selection selection;
    selection.kernel = rest;
    selection.pins = pins_;
    document().select(std::move(selection));
    if (b_ && !b_->snapshot().kernel(rest)) console_.say("window kernel " + rest, "side B has no such kernel", true);
  } else if (what == "pin") {
    const auto node = node_named(rest);
    if (!node)
      return console_.say("window pin " + rest, "a node is written as its stage and its number: c:12", true), true;
    const bool was = std::ranges::find(pins_, *node) != pins_.end();
    pin(was ? std::vector<text::NodeId>{} : std::vector{*node});
  } else if (what == "unpin") {
    pin({});
  } else if (what == "select") {
    select(rest);
  } else if (what == "preview") {
    const Scene shown = scene();
    const bool named =
        rest.empty() || !shown.kernel || shown.kernel->name == "main" || rest.find(':') != std::string::npos;
    document().preview(named ? rest : shown.kernel->name + ": " + rest);
  } else {
    return false;
  }
  return true;
}

void App::pin(std::vector<text::NodeId> nodes) {
  if (nodes == pins_) return;
  pins_ = std::move(nodes);
  session::Selection selection = document().snapshot().selection;
  selection.pins = pins_;
  if (!pins_.empty()) selection.node = pins_.front();
  document().select(std::move(selection));
}

// `element V 1 0`, `position A 1 3`, `nothing`.
void App::select(const std::string& words) {
  std::istringstream in(words);
  std::string what, tensor;
  in >> what >> tensor;
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; in >> number;) numbers.push_back(number);
  session::Selection selection = document().snapshot().selection;
  selection.pins = pins_;
  selection.element.reset(), selection.position.reset();
  if (what == "element" && !tensor.empty()) {
    selection.element = {tensor, numbers};
  } else if (what == "position" && numbers.size() == 2) {
    selection.position = {tensor, static_cast<int>(numbers[0]), numbers[1]};
  } else if (what != "nothing") {
    return console_.say("window select " + words, "what: element TENSOR INDICES, position TENSOR LEVEL PLACE, nothing",
                        true);
  }
  document().select(std::move(selection));
}

// A command such as `step`, `pin` or `select` has changed the session's own selection. What is older than what was told
// to it does not count.
void App::follow_selection() {
  const session::Snapshot& snapshot = document().snapshot();
  if (snapshot.version == seen_selection_ || !document().selected() || replay_request_ != 0 || !replay_waiting_.empty())
    return;
  seen_selection_ = snapshot.version;
  const session::Selection& selection = snapshot.selection;
  if (selection == selected_) return;
  const bool stepped =
      selection.step != selected_.step || selection.stage != selected_.stage || selection.kernel != selected_.kernel;
  selected_ = selection;
  pins_ = selection.pins;
  if (snapshot.kernel(selection.kernel)) kernel_ = selection.kernel;
  if (!stepped || !selection.step) return;
  follow_replays();  // of another kernel, from its beginning
  const char* replay = selection.stage == text::Stage::placement ? "placement"
                       : selection.stage == text::Stage::lattice ? "lattice"
                                                                 : "execution";
  position(replay) = std::min(*selection.step, length_of(replay));
}

}  // namespace trellis::gui
