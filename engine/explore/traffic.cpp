#include "engine/explore/traffic.hpp"

#include "engine/format/storage_order.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace trellis::explore {
namespace {

constexpr double line_bytes = 64;
constexpr double line_cost = 8;       // of a line from further away, in instructions
constexpr double vector_lanes = 4;    // that a loop over contiguous elements gains
constexpr double threads_worth = 0.8; // of each further thread

// Bounds of inner loops depend on outer variables: each loop is looked at where its variable stands at this many places.
constexpr std::int64_t places = 4;

struct Level {
  std::string variable;
  double trips = 1;          ///< all of them
  double share = 1;          ///< that the present place stands for
  bool parallel = false;
  bool independent = false;  ///< a forall
};

class Traffic {
 public:
  Traffic(const lang::Program& program, Names sizes, Machine machine) : program_(program), names_(std::move(sizes)), machine_(machine) {}

  double total = 0;

  void visit(const loop::Stmt& stmt) {
    if (const auto* block = stmt.as<loop::Block>()) {
      for (const loop::Stmt& s : block->statements) visit(s);
    } else if (const auto* f = stmt.as<loop::For>()) {
      enter(*f);
    } else if (const auto* w = stmt.as<loop::While>()) {
      visit(w->body);
    } else if (const auto* i = stmt.as<loop::If>()) {
      visit(i->then);
      if (i->otherwise) visit(*i->otherwise);
    } else if (const auto* l = stmt.as<loop::Let>()) {
      if (const auto known = evaluate(l->value, names_)) names_[l->name] = *known;
      visit(l->body);
    } else if (const auto* a = stmt.as<loop::Assign>()) {
      total += cost_of(*a);
    }
  }

 private:
  void enter(const loop::For& f) {
    const auto low = evaluate(f.low, names_), high = evaluate(f.high, names_);
    const std::int64_t trips = low && high ? std::max<std::int64_t>(0, *high - *low) : 1;
    if (trips == 0) return;
    const std::int64_t tried = std::min(trips, places);
    levels_.push_back({f.variable, static_cast<double>(trips), static_cast<double>(trips) / static_cast<double>(tried),
                       f.execution == loop::For::Execution::parallel, f.kind == loop::For::Kind::forall});
    for (std::int64_t k = 0; k < tried; ++k) {
      names_[f.variable] = low.value_or(0) + (2 * k + 1) * trips / (2 * tried);
      visit(f.body);
    }
    levels_.pop_back();
    names_.erase(f.variable);
  }

  static void collect(const lang::Expr& e, std::vector<lang::Access>& into) {
    if (const auto* access = e.as<lang::Access>(); access && std::ranges::find(into, *access) == into.end()) into.push_back(*access);
    lang::for_each_child(e, [&](const lang::Expr& child) { collect(child, into); });
  }

  double cost_of(const loop::Assign& assign) const {
    std::vector<lang::Access> accesses;
    collect(assign.target, accesses);
    collect(assign.value, accesses);
    double iterations = 1, threads = 1;
    for (const Level& level : levels_) {
      iterations *= level.share;
      if (level.parallel) threads = 1 + (std::min<double>(machine_.threads, level.trips) - 1) * threads_worth;
    }
    double instructions = iterations * (1 + static_cast<double>(accesses.size()));
    if (is_vector(assign, accesses)) instructions /= vector_lanes;
    return (instructions + line_cost * misses(accesses)) / threads;
  }

  // Sums of floating values into one element keep their order, so they do not vectorise.
  bool is_vector(const loop::Assign& assign, const std::vector<lang::Access>& accesses) const {
    if (levels_.empty() || !levels_.back().independent) return false;
    if (walk_of(*assign.target.as<lang::Access>(), levels_.back().variable, program_) != Walk::contiguous) return false;
    return std::ranges::none_of(accesses, [&](const lang::Access& a) { return walk_of(a, levels_.back().variable, program_) == Walk::strided; });
  }

  double misses(const std::vector<lang::Access>& accesses) const {
    std::size_t first = levels_.size();
    const auto lines_inside = [&](std::size_t level) {
      double sum = 0;
      for (const lang::Access& a : accesses) sum += lines(a, level);
      return sum;
    };
    while (first > 0 && lines_inside(first - 1) * line_bytes <= static_cast<double>(machine_.cache)) --first;
    double outside = 1;
    for (std::size_t k = 0; k < first; ++k) outside *= levels_[k].share;
    // A single iteration always fits: what its loop walks along shares lines.
    if (first == levels_.size() && first > 0) return lines_inside(first - 1) * outside / levels_.back().trips;
    // So many places stand for one execution of the loops that fit.
    for (std::size_t k = first; k < levels_.size(); ++k) outside *= levels_[k].share / levels_[k].trips;
    return lines_inside(first) * outside;
  }

  // Lines of the elements that the loops from `level` inwards touch.
  double lines(const lang::Access& access, std::size_t level) const {
    const lang::TensorInfo* info = program_.tensor(access.tensor);
    double elements = 1, run = 1;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const double extent = extent_of(access.indices[d], level);
      elements *= extent;
      if (info && d < info->shape.size() && static_cast<int>(d) == fastest(*info)) run = extent;
    }
    const double bytes = info ? static_cast<double>(format::size_of(info->type)) : 8;
    return elements / run * std::max(1.0, run * bytes / line_bytes);
  }

  double extent_of(const lang::Expr& index, std::size_t level) const {
    const auto form = lang::affine(index);
    double extent = 1;
    for (std::size_t k = level; k < levels_.size(); ++k) {
      if (!form) {
        const auto names = lang::free_variables(index);
        if (std::ranges::find(names, levels_[k].variable) != names.end()) extent *= levels_[k].trips;
      } else if (form->mentions(levels_[k].variable)) {
        extent += static_cast<double>(std::max<std::int64_t>(1, std::abs(form->coefficient(levels_[k].variable)))) * (levels_[k].trips - 1);
      }
    }
    return extent;
  }

 public:
  static int fastest(const lang::TensorInfo& info) {
    return info.shape.empty() ? -1 : static_cast<int>(format::dimension_of(info.format, info.shape.size() - 1));
  }

 private:
  const lang::Program& program_;
  Names names_;
  Machine machine_;
  std::vector<Level> levels_;
};

}  // namespace

Machine Machine::present() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  constexpr std::size_t usual = std::size_t{1} << 20;
  return {bytes > 0 ? static_cast<std::size_t>(bytes) : usual, std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
}

double estimate_traffic(const loop::Stmt& loops, const lang::Program& program, const Names& sizes, const Machine& machine) {
  Traffic traffic(program, sizes, machine);
  traffic.visit(loops);
  return traffic.total;
}

Walk walk_of(const lang::Access& access, const std::string& variable, const lang::Program& program) {
  const lang::TensorInfo* info = program.tensor(access.tensor);
  Walk walk = Walk::invariant;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const auto names = lang::free_variables(access.indices[d]);
    if (std::ranges::find(names, variable) == names.end()) continue;
    const auto form = lang::affine(access.indices[d]);
    const bool next = info && static_cast<int>(d) == Traffic::fastest(*info) && form && std::abs(form->coefficient(variable)) == 1;
    if (!next) return Walk::strided;
    walk = Walk::contiguous;
  }
  return walk;
}

}  // namespace trellis::explore
