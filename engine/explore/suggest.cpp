#include "engine/explore/suggest.hpp"

#include <algorithm>
#include <set>

namespace trellis::explore {
namespace {

constexpr double worthwhile = 0.95;        // of the present cost; above, a suggestion would be noise
constexpr int most_orders = 200;           // judged
constexpr std::size_t most_compiled = 8;   // of these, by place::estimate_cost
constexpr std::size_t most_kept = 6;
constexpr int tile_sizes[] = {16, 32, 64, 128};

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// The innermost loops, with what their bodies access.
struct Innermost {
  std::string variable;
  bool independent = false;
  bool plain = false;  ///< neither vectorised nor unrolled already
  std::vector<lang::Access> accesses;
};

void collect(const lang::Expr& e, std::vector<lang::Access>& into) {
  if (const auto* access = e.as<lang::Access>(); access && std::ranges::find(into, *access) == into.end()) into.push_back(*access);
  lang::for_each_child(e, [&](const lang::Expr& child) { collect(child, into); });
}

std::vector<Innermost> innermost_loops(const loop::Stmt& loops) {
  std::vector<Innermost> all;
  loop::for_each(loops, [&](const loop::Stmt& s) {
    const auto* f = s.as<loop::For>();
    if (!f) return;
    bool holds_loop = false;
    Innermost found{f->variable, f->kind == loop::For::Kind::forall, f->execution == loop::For::Execution::serial && f->unroll == 1, {}};
    loop::for_each(f->body, [&](const loop::Stmt& inner) {
      holds_loop |= inner.as<loop::For>() || inner.as<loop::While>();
      if (const auto* a = inner.as<loop::Assign>()) collect(a->target, found.accesses), collect(a->value, found.accesses);
    });
    if (!holds_loop) all.push_back(std::move(found));
  });
  return all;
}

/// Of the innermost loops together: "j innermost walks B, C contiguously", "k innermost strides through B".
std::string walks_in_words(const loop::Stmt& loops, const lang::Program& program) {
  std::set<std::string> contiguous, strided, variables;
  for (const Innermost& loop : innermost_loops(loops)) {
    variables.insert(loop.variable);
    for (const lang::Access& a : loop.accesses) {
      const Walk walk = walk_of(a, loop.variable, program);
      if (walk == Walk::contiguous) contiguous.insert(a.tensor);
      if (walk == Walk::strided) strided.insert(a.tensor);
    }
  }
  const auto list = [](const std::set<std::string>& names) { return joined({names.begin(), names.end()}); };
  std::string out = list(variables) + " innermost ";
  if (strided.empty()) return out + (contiguous.empty() ? "touches no array" : "walks " + list(contiguous) + " contiguously");
  return out + "strides through " + list(strided);
}

class Search {
 public:
  Search(const Kernel& kernel, const Attempt& attempt, const Machine& machine)
      : kernel_(kernel), attempt_(attempt), machine_(machine), now_(cost_of(kernel.loops)) {}

  std::vector<Suggestion> run() {
    try_orders();
    try_parallel();
    try_tiles();
    try_vectors();
    std::ranges::stable_sort(found_, {}, &Suggestion::cost_after);
    if (found_.size() > most_kept) found_.resize(most_kept);
    return std::move(found_);
  }

 private:
  double cost_of(const loop::Stmt& loops) const { return estimate_traffic(loops, kernel_.program, kernel_.sizes, machine_); }

  struct Tried {
    loop::Stmt loops;
    double cost;
  };

  std::optional<Tried> attempt(const std::string& command) const {
    auto loops = attempt_(command);
    if (!loops) return std::nullopt;
    const double cost = cost_of(*loops);
    return Tried{std::move(*loops), cost};
  }

  void keep(const std::string& command, std::string reason, double cost) {
    if (cost < worthwhile * now_) found_.push_back({command, std::move(reason), now_, cost});
  }

  void try_orders() {
    std::vector<Verdict> legal;
    for (Verdict& v : orders(kernel_.judge, kernel_.order, Directions::ascending, most_orders).orders)
      if (v.legal && v.order != kernel_.order) legal.push_back(std::move(v));
    std::ranges::stable_sort(legal, [](const Verdict& a, const Verdict& b) { return a.cost < b.cost; });
    if (legal.size() > most_compiled) legal.resize(most_compiled);
    std::optional<Suggestion> best;
    for (const Verdict& v : legal) {
      const std::string command = "order " + lang::to_string(v.order);
      const auto tried = attempt(command);
      if (!tried || (best && best->cost_after <= tried->cost)) continue;
      const std::string now = walks_in_words(kernel_.loops, kernel_.program), then = walks_in_words(tried->loops, kernel_.program);
      best = Suggestion{command, then == now ? "data is used again sooner" : then + "; now " + now, now_, tried->cost};
    }
    if (best) keep(best->command, best->reason, best->cost_after);
  }

  void try_parallel() {
    if (machine_.threads < 2) return;
    std::vector<std::string> outermost;
    const auto look = [&](const auto& self, const loop::Stmt& s) -> void {
      if (const auto* b = s.as<loop::Block>())
        for (const loop::Stmt& inner : b->statements) self(self, inner);
      const auto* f = s.as<loop::For>();
      if (f && f->kind == loop::For::Kind::forall && f->execution == loop::For::Execution::serial && std::ranges::find(outermost, f->variable) == outermost.end())
        outermost.push_back(f->variable);
    };
    look(look, kernel_.loops);
    for (const std::string& variable : outermost) {
      const std::string command = "parallel " + variable;
      if (const auto tried = attempt(command))
        keep(command, "iterations of " + variable + " share nothing; `run native threads " + std::to_string(machine_.threads) + "`", tried->cost);
    }
  }

  // Pairs of loops of which one stands inside the other, and which some access has reuse along.
  void try_tiles() {
    std::vector<std::pair<std::string, std::string>> pairs;
    loop::for_each(kernel_.loops, [&](const loop::Stmt& s) {
      const auto* outer = s.as<loop::For>();
      if (!outer) return;
      loop::for_each(outer->body, [&](const loop::Stmt& t) {
        if (const auto* inner = t.as<loop::For>(); inner && inner->variable != outer->variable)
          if (std::pair pair{outer->variable, inner->variable}; std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
      });
    });
    for (const auto& [outer, inner] : pairs) {
      std::optional<Suggestion> best;
      for (const int size : tile_sizes) {
        const std::string command = "tile " + outer + " " + inner + " " + std::to_string(size) + " " + std::to_string(size);
        const auto tried = attempt(command);
        if (!tried) break;  // what is illegal or unknown with one size is so with all
        if (!best || tried->cost < best->cost_after)
          best = Suggestion{command, "blocks of " + std::to_string(size) + " by " + std::to_string(size) + " stay in the cache while they are used again", now_, tried->cost};
      }
      if (best) keep(best->command, best->reason, best->cost_after);
    }
  }

  void try_vectors() {
    for (const Innermost& loop : innermost_loops(kernel_.loops)) {
      if (!loop.independent || !loop.plain) continue;
      const bool strided = std::ranges::any_of(loop.accesses, [&](const lang::Access& a) { return walk_of(a, loop.variable, kernel_.program) == Walk::strided; });
      const std::string command = "vectorize " + loop.variable;
      if (strided || std::ranges::any_of(found_, [&](const Suggestion& s) { return s.command == command; })) continue;
      // The C compiler may find out by itself; that it may is worth little, but costs nothing.
      if (attempt(command)) found_.push_back({command, "iterations of " + loop.variable + " are independent and contiguous: the C compiler is told so", now_, now_});
    }
  }

  const Kernel& kernel_;
  const Attempt& attempt_;
  Machine machine_;
  double now_;
  std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggest(const Kernel& kernel, const Attempt& attempt, const Machine& machine) { return Search(kernel, attempt, machine).run(); }

}  // namespace trellis::explore
