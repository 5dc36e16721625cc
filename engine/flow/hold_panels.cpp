#include "engine/flow/hold_panels.hpp"

#include <algorithm>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/around.hpp"
#include "engine/flow/fresh_names.hpp"
#include "engine/flow/only_statement.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/register_tile.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;

constexpr std::int64_t most_rows = 32;  ///< each of which is written out for each other one

/// One assignment of the panel: to the row of the iteration, or to one behind it.
struct PanelLine {
  const Assign* assign = nullptr;
  const Loop* behind = nullptr;  ///< over the rows behind, if there are any
  const Loop* along = nullptr;   ///< over the elements of the row
};

/// The only statement inside, if it is a loop over a side of a tile.
const Loop* loop_in(const Stmt& body) {
  const Stmt* only = only_statement(body);
  const auto* loop = only ? only->as<Loop>() : nullptr;
  return loop && loop->registers && is_plain(*loop, {But::vector}) ? loop : nullptr;
}

bool is_same(const Expr& a, const Expr& b) {
  const auto first = affine(a), second = affine(b);
  return first && second && *first == *second;
}

class HeldPanel {
 public:
  HeldPanel(Flow& flow, FreshNames& names, Around& around, const Stmt& from)
      : flow_(flow), names_(names), around_(around), from_(from), loop_(*from.as<Loop>()) {}

  /// Null where it is none.
  Stmt run() {
    if (!rows_of_panel() || !all_lines() || !one_tile()) return {};
    around_.enter(loop_);
    const bool held = touches_its_tile_alone();
    around_.leave();
    return held ? replaced() : Stmt();
  }

 private:
  bool rows_of_panel() {
    Loop marked = loop_;
    marked.registers = true;
    if (auto side = is_plain(loop_) ? side_of(marked) : std::nullopt; side && side->count > 1) tile_.rows = *side;
    return tile_.rows.count > 1 && tile_.rows.count <= most_rows;
  }

  bool all_lines() {
    const auto* seq = loop_.body.as<Seq>();
    if (!seq) return false;
    for (const Stmt& s : seq->statements) {
      if (s.as<Note>()) continue;
      const Loop* outer = loop_in(s);
      if (!outer) return false;
      PanelLine line;
      if (const Loop* inner = loop_in(outer->body))
        line.behind = is_behind(*outer) ? outer : inner, line.along = line.behind == outer ? inner : outer;
      else line.along = outer;
      if (line.behind && !is_behind(*line.behind)) return false;
      const Stmt* leaf = only_statement(line.behind == outer || !line.behind ? line.along->body : line.behind->body);
      line.assign = leaf ? leaf->as<Assign>() : nullptr;
      if (!line.assign || line.assign->atomic) return false;
      lines_.push_back(line);
    }
    return std::ranges::any_of(lines_, [](const PanelLine& l) { return l.behind != nullptr; });
  }

  /// From the row behind that of the iteration to the last one.
  bool is_behind(const Loop& loop) const {
    const Expr next = making::plus(name(loop_.variable), integer(1));
    const Expr end = making::plus(tile_.rows.base, integer(tile_.rows.count));
    const auto lows = alternatives(loop.low, format::Function::max);
    const auto highs = alternatives(loop.high, format::Function::min);
    const auto one_of = [](const std::vector<Expr>& all, const Expr& wanted) {
      return std::ranges::any_of(all, [&](const Expr& e) { return is_same(e, wanted); });
    };
    return one_of(lows, next) && one_of(highs, end) && std::ranges::all_of(lows, [&](const Expr& low) {
             return is_same(low, next) || is_same(low, tile_.rows.base);
           });
  }

  /// All lines go along the same elements of a row; where a row ends otherwise the panel is not whole.
  bool one_tile() {
    std::vector<Expr> whole = tile_.rows.whole;
    for (const PanelLine& line : lines_) {
      const auto side = side_of(*line.along);
      if (!side ||
          (tile_.columns.count > 0 && (side->count != tile_.columns.count || !is_same(side->base, tile_.columns.base))))
        return false;
      if (tile_.columns.count == 0) tile_.columns = *side;
      std::ranges::copy(side->whole, std::back_inserter(whole));
      if (!line.behind) continue;
      const Expr end = making::plus(tile_.rows.base, integer(tile_.rows.count));
      for (const Expr& high : alternatives(line.behind->high, format::Function::min))
        if (!is_same(high, end)) whole.push_back(making::minus(high, end));
    }
    tile_.rows.whole = std::move(whole), tile_.columns.whole.clear();
    const auto inside = [&](const Expr& e) {
      return names(e, loop_.variable) || std::ranges::any_of(lines_, [&](const PanelLine& line) {
               return names(e, line.along->variable) || (line.behind && names(e, line.behind->variable));
             });
    };
    return !inside(tile_.columns.base) && std::ranges::none_of(tile_.rows.whole, inside);
  }

  /// What a line names, in terms of the rows and columns of the panel.
  Renaming in_panel(const PanelLine& line, const Expr& row, const Expr& behind, const Expr& column) const {
    Renaming there;
    there.values[loop_.variable] = row;
    if (line.behind) there.values[line.behind->variable] = behind;
    there.values[line.along->variable] = column;
    return there;
  }
  Expr of(const Assign& assign) const {
    return Expr(ExprNode{Value{assign.tensor, assign.position}, assign.value->type, {}});
  }

  /// Each iteration makes its row final, and whatever else is touched of the tensor lies elsewhere.
  bool touches_its_tile_alone() {
    const auto final = std::ranges::find(lines_, nullptr, &PanelLine::behind);
    if (final == lines_.end()) return false;
    const Assign& assign = *final->assign;
    tensor_ = assign.tensor;
    const Tensor& tensor = *flow_.tensor(tensor_);
    const std::int64_t bytes = tile_.bytes(tensor.type);
    if (bytes > bytes_in_registers || !fills_vectors(tile_.columns, tensor.type)) return false;
    row_ = names_.numbered(loop_.variable + "_in"), column_ = names_.numbered(final->along->variable + "_in");
    element_ = renamed(of(assign), in_panel(*final, name(row_), name(row_), name(column_)));
    return is_element_of_each() && std::ranges::all_of(lines_, [&](const PanelLine& line) { return is_held(line); });
  }

  /// Is there another element for each row and column: does one coordinate move with either alone?
  bool is_element_of_each() const {
    bool by_row = false, by_column = false, fine = true;
    const Position* at = &element_.as<Value>()->position;
    for (const Direct* d = at->as<Direct>(); d; at = &d->parent, d = at->as<Direct>()) {
      const auto coordinate = affine(d->coordinate);
      fine = fine && !d->check && (coordinate || !(names(d->coordinate, row_) || names(d->coordinate, column_)));
      if (!coordinate) continue;
      const bool row = coordinate->mentions(row_), column = coordinate->mentions(column_);
      by_row |= row && !column, by_column |= column && !row;
    }
    return fine && at->as<Root>() && by_row && by_column;
  }

  /// Writes it the panel, and is each element that it reads of the tensor in the panel, or never?
  bool is_held(const PanelLine& line) {
    if (line.assign->tensor != tensor_ || !row_of(of(*line.assign), line)) return false;
    around_.enter(*line.along);
    if (line.behind) around_.enter(*line.behind);
    const bool fine = reads_are_held(line.assign->value, line);
    around_.leave(line.behind ? 2 : 1);
    return fine;
  }
  bool reads_are_held(const Expr& expr, const PanelLine& line) {
    if (const auto* value = expr.as<Value>(); value && value->tensor == tensor_)
      return row_of(expr, line) || is_beside(value->position);
    bool fine = true;
    for_each_child(expr, [&](const Expr& child) { fine = fine && reads_are_held(child, line); });
    return fine;
  }
  /// Is the element none of the panel's, whichever of them?
  bool is_beside(const Position& position) {
    const auto end = [](const TileSide& side) { return making::plus(side.base, integer(side.count)); };
    around_.enter(row_, tile_.rows.base, end(tile_.rows));
    around_.enter(column_, tile_.columns.base, end(tile_.columns));
    const bool beside = around_.apart(position, element_.as<Value>()->position);
    around_.leave(2);
    return beside;
  }

  enum class Row { own, behind };
  /// In which row of the panel the line finds this element of the tensor; nothing where it is not the line's column.
  std::optional<Row> row_of(const Expr& element, const PanelLine& line) const {
    if (renamed(element, in_panel(line, name(row_), name(row_), name(column_))) != element_) return std::nullopt;
    return line.behind && names(element, line.behind->variable) ? Row::behind : Row::own;
  }

  Stmt replaced() {
    names_.take(row_), names_.take(column_);
    behind_ = names_.take(names_.numbered("behind"));
    panel_ = names_.take(names_.numbered(tensor_ + "_panel"));
    const Expr whole = all_non_negative(tile_.rows.whole, around_);
    flow_.tensors.push_back(tile_tensor(panel_, *flow_.tensor(tensor_), tile_));
    const Tensor& panel = flow_.tensors.back();
    const making::Maker make{from_->span, from_.origin()};
    const Position held = making::element(panel_, {name(row_), name(column_)});
    Renaming there;
    there.values[row_] = making::plus(tile_.rows.base, name(row_));
    there.values[column_] = making::plus(tile_.columns.base, name(column_));
    const Expr stored = renamed(element_, there);
    const Stmt load = each_row(make, make.set(panel_, held, stored));
    const Stmt store = each_row(make, make.set(tensor_, stored.as<Value>()->position, making::value(panel, held)));
    std::vector<Stmt> lines;
    for (const PanelLine& line : lines_) lines.push_back(replaced(make, line));
    const Stmt all = make.seq({make.made(Declare{panel_}), load, rows(make, row_, make.seq(std::move(lines))), store});
    return whole ? make.made(If{whole, all, from_}) : all;
  }

  Stmt rows(const making::Maker& make, const std::string& row, Stmt body) const {
    Loop loop = *make.loop(row, integer(0), integer(tile_.rows.count), std::move(body)).as<Loop>();
    loop.unroll = static_cast<int>(tile_.rows.count);
    return make.made(std::move(loop));
  }
  Stmt columns(const making::Maker& make, Stmt body) const {
    return make.loop(column_, integer(0), integer(tile_.columns.count), std::move(body), Loop::Execution::vector);
  }
  Stmt each_row(const making::Maker& make, Stmt body) const { return rows(make, row_, columns(make, std::move(body))); }

  Stmt replaced(const making::Maker& make, const PanelLine& line) const {
    const auto from_base = [](const TileSide& side, const std::string& inner) {
      return making::plus(side.base, name(inner));
    };
    const Renaming there =
        in_panel(line, from_base(tile_.rows, row_), from_base(tile_.rows, behind_), from_base(tile_.columns, column_));
    Assign assign = *line.assign;
    assign.value = renamed(in_array(assign.value, line), there);
    assign.position = in_array(of(assign), line).as<Value>()->position;
    assign.tensor = panel_;
    const Stmt along = columns(make, make.made(std::move(assign)));
    if (!line.behind) return along;
    const Expr is_behind = making::test(BinaryOp::greater, name(behind_), name(row_));
    return rows(make, behind_, make.made(If{is_behind, along, {}}));
  }

  /// With elements of the panel in the local array.
  Expr in_array(const Expr& expr, const PanelLine& line) const {
    const auto* value = expr.as<Value>();
    const auto row = value && value->tensor == tensor_ ? row_of(expr, line) : std::nullopt;
    if (row)
      return making::value(*flow_.tensor(panel_),
                           making::element(panel_, {name(*row == Row::own ? row_ : behind_), name(column_)}));
    return map_children(expr, [&](const Expr& child) { return in_array(child, line); });
  }

  Flow& flow_;
  FreshNames& names_;
  Around& around_;
  const Stmt& from_;
  const Loop& loop_;
  RegisterTile tile_;
  std::vector<PanelLine> lines_;
  std::string tensor_, panel_, row_, behind_, column_;
  Expr element_;  ///< of the row and the column
};

class Holdings {
 public:
  explicit Holdings(Flow& flow) : flow_(flow), names_(flow), around_(flow) {}

  Stmt visit(const Stmt& s) {
    if (s.as<Loop>())
      if (const Stmt panel = HeldPanel(flow_, names_, around_, s).run()) return panel;
    return around_.with_children(s, [&](const Stmt& child) { return visit(child); });
  }

 private:
  Flow& flow_;
  FreshNames names_;
  Around around_;
};

}  // namespace

Flow hold_panels(const Flow& flow) {
  Flow result = flow;
  result.root = Holdings(result).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
