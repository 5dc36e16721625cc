#include "engine/explore/lattice_walk.hpp"

#include <algorithm>

#include "engine/explore/evaluate.hpp"
#include "engine/format/level.hpp"

namespace trellis::explore {
namespace {

using coiterate::Lattice;
using coiterate::Literal;
using coiterate::NumberedLattice;
using Goes = Lattice::Point::Goes;

/// The entries of one level below one position of the level above.
struct Fiber {
  std::int64_t begin = 0, end = 0;
  const void* coordinates = nullptr;
  bool wide = false;
  std::int64_t offset = 0;  ///< of the loop's coordinate over the stored one

  std::int64_t operator[](std::int64_t k) const {
    return offset + (wide ? static_cast<const std::int64_t*>(coordinates)[k] : static_cast<const std::int32_t*>(coordinates)[k]);
  }
  /// The first entry that is not below the coordinate.
  std::int64_t seek(std::int64_t coordinate) const {
    std::int64_t low = begin, high = end;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if ((*this)[middle] < coordinate) low = middle + 1;
      else high = middle;
    }
    return low;
  }
};

std::int64_t number_at(const void* data, bool wide, std::int64_t k) {
  return wide ? static_cast<const std::int64_t*>(data)[k] : static_cast<const std::int32_t*>(data)[k];
}

class Walker {
 public:
  Walker(const std::vector<NumberedLattice>& lattices, const lang::Program& program, const std::map<std::string, tensor::Tensor>& tensors, std::size_t most)
      : lattices_(lattices), program_(program), tensors_(tensors), most_(most) {}

  LatticeWalk walk;
  bool possible = true;

  /// The lattices of the loops directly inside `parent`, where the operands in `missing` of that one are not there.
  void children(int parent, const std::vector<int>& missing, const Names& names) {
    std::vector<const NumberedLattice*> chosen;
    for (const NumberedLattice& one : lattices_) {
      if (one.parent != parent || !std::ranges::all_of(one.lattice->absent, [&](int k) { return std::ranges::find(missing, k) != missing.end(); })) continue;
      // Of one loop's lattices the one that knows most of what is missing.
      const auto same = std::ranges::find_if(chosen, [&](const NumberedLattice* other) { return other->lattice->for_().variable == one.lattice->for_().variable; });
      if (same == chosen.end()) chosen.push_back(&one);
      else if ((*same)->lattice->absent.size() < one.lattice->absent.size()) *same = &one;
    }
    for (const NumberedLattice* one : chosen) run(*one, names);
  }

 private:
  bool done() const { return !possible || !walk.complete; }

  void run(const NumberedLattice& one, const Names& names) {
    const Lattice& lattice = *one.lattice;
    const auto low = evaluate(lattice.for_().low, names), high = evaluate(lattice.for_().high, names);
    if (!low || !high || lattice.for_().descending) possible = false;
    if (done()) return;
    if (!lattice.walks()) {
      for (std::int64_t i = *low; i < *high && !done(); ++i) visit_inside(one, i, {}, names);
      return;
    }
    if (std::ranges::any_of(lattice.operands, [&](const Lattice::Operand& o) { return is_workspace(o.literal); })) return;
    std::vector<Fiber> fibers;
    for (const Lattice::Operand& operand : lattice.operands) {
      auto fiber = fiber_of(operand.literal, names);
      if (!fiber) {
        possible = false;
        return;
      }
      // What lies beyond the loop's range is not there.
      fiber->end = std::min(fiber->end, fiber->seek(*high));
      fibers.push_back(*fiber);
    }
    std::int64_t next = *low;
    for (int point = 0; point >= 0 && !done();) point = stay(one, point, fibers, next, *high, names);
  }

  /// Goes through one point; the next one. `next` is where the loop stands, and stays so for the next point.
  int stay(const NumberedLattice& one, int number, const std::vector<Fiber>& fibers, std::int64_t& next, std::int64_t high, const Names& names) {
    const Lattice::Point& point = one.lattice->points[static_cast<std::size_t>(number)];
    const auto at = [&](int k) { return fibers[static_cast<std::size_t>(k)].seek(next); };
    const auto has = [&](int k) { return at(k) < fibers[static_cast<std::size_t>(k)].end; };
    while (!done()) {
      const bool goes_on = point.goes == Goes::everywhere  ? next < high
                           : point.goes == Goes::while_all ? std::ranges::all_of(point.leads, has)
                                                           : std::ranges::any_of(point.leads, has);
      if (!goes_on) break;
      std::int64_t coordinate = point.goes == Goes::everywhere ? next : high;
      if (point.goes != Goes::everywhere)
        for (const int k : point.leads)
          if (has(k)) coordinate = std::min(coordinate, fibers[static_cast<std::size_t>(k)][at(k)]);
      next = coordinate;
      visit(one, number, fibers, coordinate, names);
      ++next;
    }
    if (done()) return -1;
    for (const Lattice::Edge& edge : point.edges) {
      if (edge.runs_out >= 0 && has(edge.runs_out)) continue;
      LatticeStep step = begin(one, number, fibers, next, names);
      step.runs_out = edge.runs_out;
      step.to = edge.to;
      add(std::move(step));
      return edge.to;
    }
    return -1;
  }

  LatticeStep begin(const NumberedLattice& one, int point, const std::vector<Fiber>& fibers, std::int64_t coordinate, const Names& names) const {
    LatticeStep step;
    step.lattice = one.number;
    step.point = point;
    for (std::size_t k = 0; k < fibers.size(); ++k) {
      const std::int64_t at = fibers[k].seek(coordinate);
      step.cursors.push_back({static_cast<int>(k), at, fibers[k].begin, fibers[k].end, at < fibers[k].end && fibers[k][at] == coordinate});
    }
    for (const NumberedLattice* around = parent_of(one); around; around = parent_of(*around)) {
      const auto found = names.find(around->lattice->for_().variable);
      if (found != names.end()) step.around.insert(*found);
    }
    return step;
  }

  void visit(const NumberedLattice& one, int point, const std::vector<Fiber>& fibers, std::int64_t coordinate, const Names& names) {
    LatticeStep step = begin(one, point, fibers, coordinate, names);
    step.coordinate = coordinate;
    const auto here = [&](int k) { return step.cursors[static_cast<std::size_t>(k)].here; };
    const auto cases = outcomes(one.lattice->points[static_cast<std::size_t>(point)]);
    const auto found = std::ranges::find_if(cases, [&](const coiterate::Outcome& o) { return std::ranges::all_of(o.present, here) && std::ranges::none_of(o.absent, here); });
    if (found != cases.end()) {
      step.does = coiterate::in_brief(found->body);
      step.which = static_cast<int>(found - cases.begin());
    }
    std::vector<int> missing;
    for (const LatticeStep::Cursor& cursor : step.cursors)
      if (!cursor.here) missing.push_back(cursor.operand);
    add(std::move(step));
    visit_inside(one, coordinate, missing, names);
  }

  void visit_inside(const NumberedLattice& one, std::int64_t coordinate, const std::vector<int>& missing, Names names) {
    if (done()) return;
    names[one.lattice->for_().variable] = coordinate;
    children(one.number, missing, names);
  }

  void add(LatticeStep step) {
    if (walk.steps.size() < most_) walk.steps.push_back(std::move(step));
    else walk.complete = false;
  }

  const NumberedLattice* parent_of(const NumberedLattice& one) const {
    const auto found = std::ranges::find(lattices_, one.parent, &NumberedLattice::number);
    return one.parent < 0 || found == lattices_.end() ? nullptr : &*found;
  }

  bool is_workspace(const Literal& literal) const { return !program_.tensor(literal.access.as<lang::Access>()->tensor); }

  /// An empty one when a level above does not have the coordinate.
  std::optional<Fiber> fiber_of(const Literal& literal, const Names& names) const {
    const auto& access = *literal.access.as<lang::Access>();
    const auto held = tensors_.find(access.tensor);
    const lang::TensorInfo* info = program_.tensor(access.tensor);
    if (held == tensors_.end() || !info || literal.sequence.inverse.reversed || literal.sequence.inverse.stride != 1 || literal.sequence.inverse.stretch != 1) return std::nullopt;
    const tensor::Tensor& tensor = held->second;
    const std::vector<format::Facts> facts = format::facts(tensor.format());
    std::int64_t position = 0;
    for (int level = 0; level < literal.level(); ++level) {
      const auto coordinate = evaluate(access::level_index(access, *info, level), names);
      if (!coordinate) return std::nullopt;
      const format::Facts& f = facts[static_cast<std::size_t>(level)];
      if (f.child == format::Child::product && !f.gaps) {
        const auto dimension = static_cast<std::size_t>(tensor.format().order[static_cast<std::size_t>(level)]);
        position = position * tensor.shape()[dimension] + *coordinate;
        continue;
      }
      const auto fiber = fiber_at(tensor, level, f, position);
      if (!fiber) return std::nullopt;
      const std::int64_t at = fiber->seek(*coordinate);
      if (at >= fiber->end || (*fiber)[at] != *coordinate) return Fiber{};
      position = at;
    }
    auto fiber = fiber_at(tensor, literal.level(), facts[static_cast<std::size_t>(literal.level())], position);
    const auto offset = literal.sequence.inverse.offset.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      const auto found = names.find(name);
      return found == names.end() ? std::nullopt : std::optional(found->second);
    });
    if (!fiber || !offset) return std::nullopt;
    fiber->offset = *offset;
    return fiber;
  }

  static std::optional<Fiber> fiber_at(const tensor::Tensor& tensor, int level, const format::Facts& facts, std::int64_t position) {
    if (!facts.coordinates || !facts.ordered || facts.decreasing || !facts.unique || facts.child != format::Child::entry) return std::nullopt;
    Fiber fiber{position, position + 1, tensor.array(level, format::Array::coordinates), facts.wide, 0};
    if (facts.positions) {
      const void* const positions = tensor.array(level, format::Array::positions);
      fiber.begin = number_at(positions, facts.wide, position);
      fiber.end = number_at(positions, facts.wide, position + 1);
    }
    return fiber;
  }

  const std::vector<NumberedLattice>& lattices_;
  const lang::Program& program_;
  const std::map<std::string, tensor::Tensor>& tensors_;
  std::size_t most_;
};

}  // namespace

std::optional<LatticeWalk> walk_lattices(const std::vector<NumberedLattice>& lattices, const lang::Program& program, const std::map<std::string, tensor::Tensor>& tensors,
                                         const std::map<std::string, std::int64_t>& sizes, std::size_t most) {
  Walker walker(lattices, program, tensors, most);
  walker.children(-1, {}, sizes);
  return walker.possible ? std::optional(std::move(walker.walk)) : std::nullopt;
}

}  // namespace trellis::explore
