// select, pin, unpin: where everyone looks. It is no part of the program, and nothing of it is undone.
#include <algorithm>
#include <cstdlib>

#include "engine/session/command/commands.hpp"
#include "engine/session/command/iteration.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

const std::vector<std::string> what_is_selected = {"kernel", "instance", "element", "node", "step", "nothing"};

CommandResult selected(const State& state) { return {Selected{state.focus.selection}}; }

/// What was selected in another kernel means nothing in this one.
bool look_at_kernel(State& state, const lang::Kernel* kernel) {
  if (!kernel) return false;
  if (state.focus.selection.kernel == kernel->name) return true;
  Selection selection;
  selection.kernel = kernel->name;
  selection.pins = state.focus.selection.pins;
  state.focus.selection = std::move(selection);
  return true;
}

/// The one that is selected, else the one that commands are about that name none.
const lang::Kernel* present_kernel(State& state, Words& words) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  if (const lang::Kernel* kernel = program ? program->kernel(state.focus.selection.kernel) : nullptr) return kernel;
  return state.kernel(std::nullopt, words.whole(), words.diagnostics());
}

/// Loops of the nest and indices of the equations.
std::vector<std::string> names_of_iterations(State& state, const lang::Kernel& kernel) {
  std::vector<std::string> names = kernel.variables();
  text::Diagnostics ignored;
  const Offer offer = state.offer;
  if (const auto compilation = state.compilation(kernel, ignored))
    loop::for_each(compilation->loops, [&](const loop::Stmt& s) {
      if (const auto* loop = s.as<loop::For>()) add_once(names, loop->variable);
    });
  state.offer = offer;
  return names;
}

bool select_instance(State& state, Words& words) {
  const text::Span at = words.span();
  const std::string written = words.rest();
  const loop::LoopValues iteration = read_iteration(written);
  if (iteration.empty()) {
    words.diagnostics().error("E0601", at, "`" + written + "` is no iteration: write one such as `i=1,j=0`", "");
    return false;
  }
  const lang::Kernel* found = present_kernel(state, words);
  if (!found) return false;
  const lang::Kernel kernel = *found;  // compiling it may renew the program
  const std::vector<std::string> names = names_of_iterations(state, kernel);
  for (const auto& [name, value] : iteration)
    if (!contains(names, name)) {
      text::Diagnostic& d = words.diagnostics().error(
          "E0608", at, "kernel " + kernel.name + " has no index and no loop `" + name + "`", "");
      if (const std::string near = text::did_you_mean(name, names); !near.empty())
        d.notes.push_back({{}, "did you mean `" + near + "`?"});
      return false;
    }
  look_at_kernel(state, &kernel);
  state.focus.selection.instance = iteration;
  return true;
}

/// `(1,0)`, nothing of a scalar; empty when it is written otherwise.
std::optional<tensor::Index> read_index(std::string written) {
  tensor::Index index;
  if (written.empty()) return index;
  if (written.front() != '(' || written.back() != ')') return std::nullopt;
  written.back() = ',';
  for (std::size_t at = 1; at < written.size();) {
    const std::size_t comma = written.find(',', at);
    char* end = nullptr;
    index.push_back(std::strtoll(written.c_str() + at, &end, 10));
    if (comma == at || end != written.c_str() + comma) return std::nullopt;
    at = comma + 1;
  }
  return index;
}

bool select_element(State& state, Words& words) {
  const text::Span at = words.span();
  const lang::TensorInfo* info = tensor_word(state, words);
  if (!info) return false;
  std::string written = words.rest();
  std::erase(written, ' ');
  const auto index = read_index(written);
  if (!index) {
    words.diagnostics().error("E0601", at, "`" + info->name + written + "` is no element: write one such as `V(1,0)`",
                              "");
    return false;
  }
  bool inside = index->size() == info->shape.size();
  for (std::size_t d = 0; inside && d < index->size(); ++d) {
    const auto size = state.value_of(info->shape[d]);  // what has no value yet has room for all
    inside = (*index)[d] >= 0 && (!size || (*index)[d] < *size);
  }
  if (!inside) {
    std::string shape;
    for (const math::Affine& size : info->shape) shape += (shape.empty() ? "" : ", ") + math::to_string(size);
    words.diagnostics().error("E0613", at,
                              text::element_text(info->name, *index) + " is no element of " + info->name +
                                  (shape.empty() ? ", a scalar" : "(" + shape + ")"),
                              "");
    return false;
  }
  state.focus.selection.element = {info->name, *index};
  return true;
}

/// `c:12`, a node as `show STAGE` numbers it.
std::optional<text::NodeId> node_word(Words& words) {
  const auto name = words.name("a node such as `c:12`");
  if (!name) return std::nullopt;
  if (const auto stage = text::stage_named(name->text)) {
    const auto id = words.accept(":") ? words.integer("a node's number") : std::nullopt;
    if (id && *id >= 0) return text::NodeId{*stage, static_cast<int>(*id)};
    if (!words.diagnostics().has_errors()) words.unexpected("`:` and a node's number");
    return std::nullopt;
  }
  words.diagnostics()
      .error("E0603", name->span, "there is no stage `" + name->text + "`", "")
      .notes.push_back({{}, "a node is written as its stage and its number: `c:12`"});
  return std::nullopt;
}

/// In what is replayed: an execution unless another replay is looked at.
CommandResult select_step(State& state, Words& words) {
  if (state.focus.selection.stage == text::Stage::placement) return goto_event(state, words);
  if (state.focus.selection.stage == text::Stage::lattice) return goto_lattice_step(state, words);
  return goto_(state, words);
}

}  // namespace

CommandResult select(State& state, Words& words) {
  if (words.accept("kernel")) {
    const auto name = words.name("a kernel");
    if (!name || !words.finish() || !look_at_kernel(state, state.kernel(name, words.whole(), words.diagnostics())))
      return {};
  } else if (words.accept("instance")) {
    if (!select_instance(state, words)) return {};
  } else if (words.accept("element")) {
    if (!select_element(state, words)) return {};
  } else if (words.accept("node")) {
    const auto node = node_word(words);
    if (!node || !words.finish()) return {};
    state.focus.selection.node = node;
  } else if (words.accept("step")) {
    return select_step(state, words);
  } else if (words.accept("nothing")) {
    if (!words.finish()) return {};
    const std::vector<text::NodeId> pins = state.focus.selection.pins;
    state.focus.selection = {};
    state.focus.selection.pins = pins;
  } else {
    words.unexpected("`kernel`, `instance`, `element`, `node`, `step` or `nothing`", what_is_selected);
    return {};
  }
  return selected(state);
}

CommandResult pin(State& state, Words& words) {
  const auto node = words.at_end() ? state.focus.selection.node : node_word(words);
  if (!node && !words.diagnostics().has_errors())
    words.diagnostics()
        .error("E0601", words.whole(), "`pin` needs a node: none is selected", "")
        .notes.push_back({{}, "`pin c:12` names one, `select node c:12` selects it"});
  if (!node || !words.finish()) return {};
  add_once(state.focus.selection.pins, *node);
  return selected(state);
}

CommandResult unpin(State& state, Words& words) {
  if (words.at_end()) {
    state.focus.selection.pins.clear();
    return selected(state);
  }
  const auto node = node_word(words);
  if (!node || !words.finish()) return {};
  std::erase(state.focus.selection.pins, *node);
  return selected(state);
}

}  // namespace trellis::session
