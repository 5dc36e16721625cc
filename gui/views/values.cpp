// All tensors of an execution at the present step: the one that is computed now large, the others beside it.
#include <algorithm>
#include <cmath>

#include "engine/session/replay/playback.hpp"
#include "gui/value_marks.hpp"
#include "gui/values_blocks.hpp"
#include "gui/values_picture.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace values_pane {
namespace {

using Sample = LegendEntry::Sample;

constexpr float padding = 14;
/// Names of the right values of a tensor, beside the wrong ones.
const char* const right = "right:";

/// Kept while the same execution is replayed.
struct Board {
  std::shared_ptr<const session::Recorded> of;
  std::unique_ptr<session::Playback> playback;
  explore::Taints taints;
  ValueMarks marks;
  std::map<std::string, ElementMarks>
      right;  ///< of the tensors that end up wrong, as they should be: where they differ
  std::size_t marked_at = 0, other_at = 0;
  std::shared_ptr<const explore::Counterparts> counterparts;
  bool poisoned = false, predict = false, marked = false;
};

Board& board_of(const Scene& scene, Ui& ui, const Replayed& r) {
  auto& kept = ui.memory<std::shared_ptr<Board>>("board");
  if (!kept || kept->of != scene.explained()->execution) {
    kept = std::make_shared<Board>();
    kept->of = scene.explained()->execution;
    kept->playback = std::make_unique<session::Playback>(*kept->of);
    std::set<std::string> defined;
    for (const auto& [name, tensor] : kept->of->before.tensors)
      if (!kept->of->fresh.contains(name)) defined.insert(name);
    kept->taints = explore::taints(kept->of->trace, defined);
    for (const explore::WrongElement& wrong : r.drawn->account.wrong) {
      ElementMark& mark = kept->right[wrong.tensor][r.drawn->account.expected.at(wrong.tensor).offset(wrong.element)];
      mark.mark.wrong = true, mark.remark = "it came out as " + format::to_string(wrong.got);
    }
  }
  kept->playback->go_to(r.at);
  const bool same = kept->marked && kept->marked_at == r.at && kept->poisoned == scene.poisoned &&
                    kept->predict == scene.predict && kept->other_at == scene.other_at &&
                    kept->counterparts == scene.counterparts;
  if (!same) {
    kept->other_at = scene.other_at, kept->counterparts = scene.counterparts;
    kept->marks = marks_at(scene, r, places_of(scene, ui), kept->playback->boards(), kept->taints);
    kept->marked_at = r.at, kept->poisoned = scene.poisoned, kept->predict = scene.predict, kept->marked = true;
  }
  return *kept;
}

const char* role_of(const session::Recorded& recorded, const std::string& tensor,
                    const std::set<std::string>& written) {
  if (!recorded.before.tensors.contains(tensor)) return "temporary";
  return recorded.fresh.contains(tensor) || written.contains(tensor) ? "result" : "operand";
}

/// Results first, then operands, then temporaries, each in the order of their names.
std::vector<ValuesBlock> blocks_of(const Scene& scene, const Replayed& r, const Board& board, Ui& ui) {
  const auto& selection = scene.selection.element;
  auto& written = ui.memory<std::pair<const session::Recorded*, std::set<std::string>>>("written");
  if (written.first != r.execution) {
    written = {r.execution, {}};
    for (const explore::Trace::Step& step : r.execution->trace.steps)
      if (step.write) written.second.insert(step.write->tensor);
  }
  std::vector<ValuesBlock> blocks;
  for (const char* role : {"result", "operand", "temporary"})
    for (const auto& [name, one] : board.playback->boards()) {
      if (role_of(*r.execution, name, written.second) != std::string_view(role) || one.elements.empty()) continue;
      ValuesBlock block{name, role, role, {name, &one, nullptr}, {}, {}};
      if (const auto marks = board.marks.of.find(name); marks != board.marks.of.end())
        block.grid.marks = &marks->second;
      if (selection && selection->tensor == name) block.grid.selected = selection->index;
      if (const auto tensor = scene.snapshot->tensors.find(name);
          tensor != scene.snapshot->tensors.end() && tensor->second.value) {
        const tensor::Tensor& value = *tensor->second.value;
        block.grid.cuts = &tensor->second.cuts;
        if (!value.dense() && format::pads(value.format())) block.grid.padding = value.fill();
      }
      if (one.shape.size() > 2) block.grid.slice.assign(one.shape.size() - 2, 0);
      blocks.push_back(std::move(block));
    }
  return blocks;
}

/// The tensor that is read too early first.
const std::string* tensor_in_question(const Replayed& r) {
  if (r.drawn->account.violations.empty()) return nullptr;
  const explore::Violation& first = r.drawn->account.violations.front();
  return &r.execution->trace.steps[first.reads].reads[static_cast<std::size_t>(first.read)].tensor;
}

/// The one that is computed now, as long as nothing else is; of an illegal order that is run all the same, the one in
/// question, which stays.
std::size_t main_block(const Scene& scene, Ui& ui, const std::vector<ValuesBlock>& blocks, const Replayed& r,
                       const Board& board) {
  auto& kept = ui.memory<std::string>("main");
  if (const std::string* asked = scene.poisoned && !scene.predict ? tensor_in_question(r) : nullptr) kept = *asked;
  else if (board.marks.computed) kept = board.marks.computed->tensor;
  const auto at = std::ranges::find(blocks, kept, &ValuesBlock::tensor);
  return at != blocks.end() && at->role != "temporary" ? static_cast<std::size_t>(at - blocks.begin()) : 0;
}

/// Where an illegal order has been run to its end, what came out stands beside what should have; the result says where
/// that is: before all others, its right values second.
std::optional<std::size_t> add_outcome(const Scene& scene, const Replayed& r, const Board& board,
                                       std::vector<ValuesBlock>& blocks, std::size_t& main) {
  const session::Account& account = r.drawn->account;
  if (!scene.poisoned || scene.predict || r.at != r.length() || account.wrong.empty()) return std::nullopt;
  const auto count = [&](const std::string& tensor) {
    return std::ranges::count(account.wrong, tensor, &explore::WrongElement::tensor);
  };
  // Nothing of the tensor in question may be wrong in the end, but of what was computed of it.
  if (count(blocks[main].tensor) == 0)
    main = static_cast<std::size_t>(std::ranges::find(blocks, account.wrong.front().tensor, &ValuesBlock::tensor) -
                                    blocks.begin());
  ValuesBlock& wrong = blocks[main];
  wrong.words = "as it came out: " + std::to_string(count(wrong.tensor)) + " of " +
                std::to_string(wrong.grid.board->elements.size()) + " wrong";
  ValuesBlock expected = wrong;
  expected.role = "expected", expected.words = "as it should be";
  expected.grid.board = &account.expected.at(wrong.tensor);
  expected.grid.marks = &board.right.at(wrong.tensor);
  expected.grid.prefix = right;
  blocks.push_back(std::move(expected));
  return blocks.size() - 1;
}

/// Of three and more dimensions: the slice that something happens in, unless the user chose one.
void choose_slice(Ui& ui, ValuesBlock& block) {
  const std::size_t rank = block.grid.board->shape.size();
  if (rank <= 2) return;
  auto& chosen = ui.memory<std::vector<std::int64_t>>("slice:" + block.tensor);
  std::optional<std::size_t> where;
  if (block.grid.marks)
    for (const auto& [offset, one] : *block.grid.marks)
      if (one.mark.writes || one.mark.computed || one.mark.early || (one.mark.reads && !where)) where = offset;
  if (where) {
    chosen.assign(rank - 2, 0);
    std::size_t rest = *where / static_cast<std::size_t>(block.grid.rows() * block.grid.columns());
    for (std::size_t d = rank - 2; d-- > 0;) {
      chosen[d] = static_cast<std::int64_t>(rest) % block.grid.board->shape[d];
      rest /= static_cast<std::size_t>(block.grid.board->shape[d]);
    }
  }
  chosen.resize(rank - 2, 0);
  block.grid.slice = chosen;
}

void draw_slice_chooser(Ui& ui, const ValuesBlock& block, Rect area) {
  auto& chosen = ui.memory<std::vector<std::int64_t>>("slice:" + block.tensor);
  for (std::size_t d = 0; d < chosen.size(); ++d) {
    const std::int64_t size = block.grid.board->shape[d];
    const std::string id = "slice:" + block.tensor + ":" + std::to_string(d);
    if (ui.button(id + ":back", "‹", area.take_left(18))) chosen[d] = (chosen[d] + size - 1) % size;
    const std::string words = std::to_string(chosen[d]) + " of " + std::to_string(size);
    const float width = ui.paint().width(words, Font::small_mono) + 10;
    ui.paint().text_in(area.take_left(width), words, Font::small_mono, ui.theme()(Token::ink), Align::centre);
    ui.label(id, words, area);
    if (ui.button(id + ":forth", "›", area.take_left(18))) chosen[d] = (chosen[d] + 1) % size;
    area.take_left(8);
  }
}

void draw_block(Ui& ui, const ValuesBlock& block) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  Rect title{block.area.x, block.area.y, block.area.w, 18};
  const float name = paint.width(block.tensor, Font::list_mono) + 8;
  paint.text_in(title.take_left(name), block.tensor, Font::list_mono, t(Token::ink));
  std::string words = block.words;
  if (block.place.block_rows > 1 || block.place.block_columns > 1)
    words += ", a cell is " + std::to_string(block.place.block_rows) + " × " +
             std::to_string(block.place.block_columns) + " elements";
  const float needed = paint.width(words, Font::small) + 8;
  paint.text_in(title.take_left(std::min(title.w, needed)), words, Font::small, t(Token::faint));
  ui.label("tensor:" + block.grid.prefix + block.tensor, block.tensor, {block.area.x, block.area.y, block.area.w, 18},
           words);
  if (!block.grid.slice.empty()) draw_slice_chooser(ui, block, title);
  draw_grid(ui, block.grid, block.place);
}

void draw_arrows(Ui& ui, const std::vector<ValuesBlock>& blocks, const Board& board, const Replayed& r) {
  if (!board.marks.computed) return;
  const auto centre_of = [&](const std::string& tensor, const tensor::Index& index) -> std::optional<Rect> {
    const auto block = std::ranges::find(blocks, tensor, &ValuesBlock::tensor);
    if (block == blocks.end() || index.size() != block->grid.board->shape.size()) return std::nullopt;
    const std::size_t rank = index.size();
    for (std::size_t d = 0; d + 2 < rank; ++d)
      if (index[d] != block->grid.slice[d]) return std::nullopt;
    return block->place.cell(rank < 2 ? 0 : index[rank - 2], rank < 1 ? 0 : index[rank - 1]);
  };
  const auto reader = centre_of(board.marks.computed->tensor, board.marks.computed->index);
  if (!reader) return;
  for (const explore::Violation& violation : r.violations) {
    const explore::Trace::Touch& read = r.step->reads[static_cast<std::size_t>(violation.read)];
    const auto place = centre_of(read.tensor, read.index);
    if (!place || *place == *reader) continue;
    const Point way = reader->centre() - place->centre();
    const float length = std::hypot(way.x, way.y);
    const Point unit = way * (1 / length);
    const float reach = std::min({reader->w, reader->h, length}) * 0.3F;
    draw_back_arrow(ui, place->centre(), reader->centre() - unit * reach, -0.2F);
  }
}

std::string subtitle(const Scene& scene) {
  if (!scene.execution()) return "";
  if (scene.poisoned && scene.steps.execution == 0) return "run all the same, from the beginning: nothing is written";
  if (scene.poisoned) return "run all the same: what is undefined shows as ?";
  return "hatched: nothing has written it yet";
}

void draw(const Scene& scene, Ui& ui, Rect area) {
  const Replayed r = replayed(scene);
  if (!r) {
    // What is too large to step through is a picture all the same.
    const bool refused = scene.explained() && !scene.explained()->execution;
    if (!refused || !draw_values_picture(scene, ui, area)) draw_no_execution(scene, ui, area);
    return;
  }
  const Board& board = board_of(scene, ui, r);
  std::vector<ValuesBlock> blocks = blocks_of(scene, r, board, ui);
  if (blocks.empty()) return draw_nothing(ui, area, "The kernel touches no tensor.");
  for (ValuesBlock& block : blocks) choose_slice(ui, block);
  Rect rest = area.inset(padding, 4);
  const Rect bottom = rest.take_bottom(legend_height);
  rest.take_right(6);
  auto& scrolled = ui.memory<float>("scroll");
  std::size_t main = main_block(scene, ui, blocks, r, board);
  const std::optional<std::size_t> outcome = add_outcome(scene, r, board, blocks, main);
  const float content = place_blocks(ui.paint(), blocks, main, outcome, rest.moved({0, -scrolled}));
  {
    const Clip clip(ui.paint(), {area.x, rest.y, area.w, rest.h});
    for (const ValuesBlock& block : blocks) draw_block(ui, block);
    draw_arrows(ui, blocks, board, r);
  }
  ui.scroll("scroll", {area.x, rest.y, area.w - 2, rest.h}, content, scrolled);
  std::vector<LegendEntry> legend = {{Sample::writes, "writes"}, {Sample::reads, "reads"}};
  const bool illegal = scene.legal() == false && !scene.predict;
  if (illegal) legend.push_back({Sample::early, "reads too early"});
  legend.push_back({Sample::unwritten, "not written yet"});
  if (!r.execution->sparse.empty()) legend.push_back({Sample::absent, "not stored"});
  if (std::ranges::any_of(blocks, [](const ValuesBlock& block) { return block.grid.padding.has_value(); }))
    legend.push_back({Sample::padding, "padding"});
  if (scene.poisoned) legend.push_back({Sample::undefined, "undefined"});
  if (illegal && !r.drawn->account.wrong.empty())
    legend.push_back(
        {Sample::wrong, board.marks.wrong > 0 ? std::to_string(board.marks.wrong) + " wrong" : "ends up wrong"});
  if (scene.counterparts)
    legend.push_back(scene.side == 'A' ? LegendEntry{Sample::alone_a, "only A has done it"}
                                       : LegendEntry{Sample::alone_b, "only B has done it"});
  draw_legend(ui, bottom, legend);
}

}  // namespace
}  // namespace values_pane

const View values_view = {"values", "Values", "data", values_pane::subtitle, values_pane::draw, "step", "execution"};

}  // namespace trellis::gui
