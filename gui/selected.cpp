#include "gui/selected.hpp"

#include <charconv>
#include <sstream>

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

const session::KernelView* Selected::kernel(char side) const {
  const session::Snapshot& snapshot = sides_->document(side).snapshot();
  if (snapshot.kernels.empty()) return nullptr;
  for (const std::string& name : {kernel_, std::string("main")})
    if (const session::KernelView* found = snapshot.kernel(name)) return found;
  return &snapshot.kernels.front();
}

void Selected::look_at(const std::string& kernel) {
  kernel_ = kernel;
  session::Selection selection;
  selection.kernel = kernel;
  selection.pins = pins_;
  sides_->document().select(std::move(selection));
}

void Selected::pin(std::vector<text::NodeId> nodes) {
  if (nodes == pins_) return;
  pins_ = std::move(nodes);
  session::Selection selection = sides_->document().snapshot().selection;
  selection.pins = pins_;
  if (!pins_.empty()) selection.node = pins_.front();
  sides_->document().select(std::move(selection));
}

bool Selected::select(const std::string& words) {
  std::istringstream in(words);
  std::string what, tensor;
  in >> what >> tensor;
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; in >> number;) numbers.push_back(number);
  session::Selection selection = sides_->document().snapshot().selection;
  selection.pins = pins_;
  selection.element.reset(), selection.position.reset();
  if (what == "element" && !tensor.empty()) selection.element = {tensor, numbers};
  else if (what == "position" && numbers.size() == 2)
    selection.position = {tensor, static_cast<int>(numbers[0]), numbers[1]};
  else if (what != "nothing") return false;
  sides_->document().select(std::move(selection));
  return true;
}

std::optional<Selected::Stepped> Selected::follow() {
  const session::Snapshot& snapshot = sides_->document().snapshot();
  if (snapshot.version == seen_ || !sides_->document().selected()) return std::nullopt;
  seen_ = snapshot.version;
  const session::Selection& selection = snapshot.selection;
  if (selection == last_) return std::nullopt;
  const bool stepped =
      selection.step != last_.step || selection.stage != last_.stage || selection.kernel != last_.kernel;
  last_ = selection;
  pins_ = selection.pins;
  if (snapshot.kernel(selection.kernel)) kernel_ = selection.kernel;
  if (!stepped || !selection.step) return std::nullopt;
  return Stepped{selection.stage == text::Stage::placement ? "placement"
                 : selection.stage == text::Stage::lattice ? "lattice"
                                                           : "execution",
                 *selection.step};
}

}  // namespace trellis::gui
