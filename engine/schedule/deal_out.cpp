#include "engine/schedule/deal_out.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/schedule/one_piece.hpp"
#include "engine/schedule/reorder.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

using loop::For;
using loop::Stmt;

namespace {

Purpose purpose_for(const lang::TensorInfo& tensor) {
  return {"E0150", "the entries of " + tensor.name + " cannot be dealt out: "};
}

/// Rows one behind the other, each with a list of entries.
bool has_rows(const format::Format& format) {
  if (format.layout || format.levels.size() < 2) return false;
  const std::vector<format::Facts> facts = format::facts(format);
  // A bytemap's rows are behind each other by coordinate, among others that are empty.
  const bool listed = facts[0].unique && facts[0].points() && facts[0].positions;
  const bool rows = facts[0].dense() || (listed && facts[0].child == format::Child::entry);
  return rows && facts[1].positions && facts[1].points() && facts[1].child == format::Child::entry;
}

/// The tensor's indices, outermost level first.
Variables by_level(const Variables& by_dimension, const format::Format& format) {
  Variables all;
  for (std::size_t l = 0; l < format.levels.size(); ++l) all.push_back(by_dimension[format::dimension_of(format, l)]);
  return all;
}

}  // namespace

std::variant<RowLoops, Unfit> row_loops(const Stmt& loops, const lang::TensorInfo& tensor) {
  const Purpose purpose = purpose_for(tensor);
  if (!has_rows(tensor.format)) {
    Unfit unfit = purpose.unfit("its format, " + format::to_string(tensor.format) + ", has no rows of entries");
    unfit.note =
        "as csr has, and csf, whose rows list what they store; `parallel` with a loop's name deals out its iterations";
    return unfit;
  }
  auto found = variables_of(loops, tensor.name, purpose, Reads::first);
  if (const auto* unfit = std::get_if<Unfit>(&found)) return *unfit;
  const Variables names = by_level(std::get<Variables>(found), tensor.format);
  return RowLoops{names[0], names[1]};
}

Transformed rows_alone(const Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver) {
  const Purpose purpose = purpose_for(tensor);
  auto found = variables_of(loops, tensor.name, purpose, Reads::first);
  if (const auto* unfit = std::get_if<Unfit>(&found)) return *unfit;
  const auto& variables = std::get<Variables>(found);
  Transformed apart = in_one_piece(loops, tensor.name, variables, purpose, solver);
  const auto* first = std::get_if<Moved>(&apart);
  if (!first) return apart;
  Transformed sorted = reorder(first->loops, by_level(variables, tensor.format), solver);
  const auto* second = std::get_if<Moved>(&sorted);
  return second ? Transformed(Moved{second->loops, compose(first->moves, second->moves)}) : sorted;
}

Stmt dealt_out(const Stmt& loops, const RowLoops& names, const lang::TensorInfo& tensor,
               const std::vector<std::string>& reduces) {
  return on_loops(loops, names.rows, [&](For& f) {
    if (!has_loop(f.body, names.entries) || !mentions(f.body, tensor.name)) return;
    f.execution = For::Execution::parallel;
    f.kind = For::Kind::forall;
    f.descending = format::facts(tensor.format).front().decreasing;  // entries are counted as they are stored
    f.deals_out = tensor.name;
    for (const std::string& sum : reduces)
      if (mentions(f.body, sum)) add_once(f.reduces, sum);
  });
}

}  // namespace trellis::schedule
