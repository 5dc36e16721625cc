#include "engine/explore/moves.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/explore/concordance.hpp"
#include "engine/explore/strides.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

constexpr int most_judged = 200;  // orders
constexpr int most_compiled = 24;
constexpr const char* parts = "8";  // in which sums of floating numbers are added up

using Moves = std::vector<Move>;
struct Where {
  const Kernel& kernel;
  const loop::Stmt& loops;
  bool first = false;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;
/// Serial loops of which one stands inside the other, the outer one first.
Pairs nested(const loop::Stmt& loops) {
  Pairs all;
  bool held = false;  // a tile in registers has the loops that it should have
  loop::for_each(loops, [&](const loop::Stmt& s) {
    const auto* f = s.as<loop::For>();
    held |= f && f->registers;
  });
  if (held) return {};
  const auto is_plain = [](const loop::For& f) {
    return f.execution == loop::For::Execution::serial && f.jam == 1 && f.unroll == 1 && !f.registers;
  };
  loop::for_each(loops, [&](const loop::Stmt& s) {
    const auto* outer = s.as<loop::For>();
    if (!outer || !is_plain(*outer)) return;
    loop::for_each(outer->body, [&](const loop::Stmt& t) {
      const auto* inner = t.as<loop::For>();
      if (inner && is_plain(*inner) && inner->variable != outer->variable)
        add_once(all, std::pair(outer->variable, inner->variable));
    });
  });
  return all;
}

void for_each_part(const lang::Expr& e, const std::function<void(const lang::Expr&)>& visit) {
  visit(e);
  lang::for_each_child(e, [&](const lang::Expr& child) { for_each_part(child, visit); });
}

bool is_dense(const Where& at) {
  bool dense = true;
  loop::for_each(at.loops, [&](const loop::Stmt& s) {
    loop::for_each_child(
        s, [](const loop::Stmt&) {},
        [&](const loop::Expr& e) {
          for_each_part(e, [&](const lang::Expr& part) {
            const auto* access = part.as<lang::Access>();
            const lang::TensorInfo* info = access ? at.kernel.program.tensor(access->tensor) : nullptr;
            dense &= !info || info->format.all_dense();
          });
        });
  });
  return dense;
}

/// Nothing is chosen by comparison, and no element depends on others but through sums.
bool adds_up(const loop::Stmt& loops) {
  bool sums = true;
  const auto look = [&](const lang::Expr& part) {
    const auto* call = part.as<lang::Call>();
    sums &= !call || (call->function != format::Function::min && call->function != format::Function::max);
  };
  loop::for_each(loops, [&](const loop::Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    sums &= !a || !a->op || a->op == format::ReduceOp::sum;
    loop::for_each_child(
        s, [](const loop::Stmt&) {}, [&](const loop::Expr& e) { for_each_part(e, look); });
  });
  return sums;
}

bool is_sparse(const lang::TensorInfo& tensor) { return !tensor.shape.empty() && !tensor.format.all_dense(); }

/// Legal ones near the present one; none that goes against more storage than another one (concordance.hpp), which takes
/// longer whatever the sizes.
Moves orders(const Where& at) {
  Moves found;
  if (!at.first) return found;
  std::vector<lang::Order> legal;
  int judged = 0;
  walk_orders(at.kernel.order, Directions::ascending, [&](const lang::Order& order, int distance) {
    if (distance > 0 && at.kernel.judge.is_legal(order)) legal.push_back(order);
    return ++judged < most_judged && std::ssize(legal) < 2 * most_compiled && !at.kernel.is_late();
  });
  const Concordance concordance(at.loops, at.kernel.program);
  legal.insert(legal.begin(), at.kernel.order);
  Move move{"order", {}, {}, 1.35, true};
  for (const lang::Order& order : concordance.undominated(legal))
    if (order != at.kernel.order && std::ssize(move.variants) < most_compiled)
      move.variants.push_back("order " + lang::to_string(order));
  if (!move.variants.empty()) found.push_back(std::move(move));
  return found;
}

/// An order, a block in registers and fused products, as one line.
Moves registers(const Where& at) {
  Moves found;
  if (!at.first) return found;
  for (const Contraction& c : contractions(at.kernel.equations, at.kernel.program, at.kernel.sizes)) {
    Move move{"registers",
              {},
              "a tile of " + c.target + " stays in registers while " + c.sum +
                  " goes by, and tiles of what it reads in " + "the caches",
              1.3};
    move.first_legal = true;
    for (const auto& lines : block_lines(c, at.kernel.order, at.kernel.block, Rounding::fused)) {
      move.variants = lines;
      found.push_back(move);
    }
  }
  return found;
}

/// Pairs of loops over arrays, which are the same whatever is stored: over sparse operands each tile begins by
/// searching its part of a fiber.
Moves tiles(const Where& at) {
  Moves found;
  if (!is_dense(at)) return found;
  for (const auto& [outer, inner] : nested(at.loops)) {
    Move move{"tile", {}, "tiles stay in the cache while they are used again", 1.4};
    for (const char* size : {"32", "64", "16", "128"})
      move.variants.push_back("tile " + outer + " " + inner + " " + size + " " + size);
    found.push_back(std::move(move));
  }
  return found;
}

/// What several iterations share is loaded once; and one that waits for its own last value leaves time for others, once
/// they do not wait for each other, as on a wavefront.
Moves jams(const Where& at) {
  Moves found;
  // Of recurrences in another order it promises up to forty times what it keeps.
  if (!at.first && recurs(at.kernel.equations)) return found;
  // Of registers the estimate knows nothing; and of what is no sum, the C compiler makes vectors of one iteration
  // alone.
  const double doubt = is_dense(at) && adds_up(at.loops) ? 1.6 : 3;
  std::set<std::string> seen;
  for (const auto& [outer, inner] : nested(at.loops)) {
    if (!seen.insert(outer).second) continue;
    found.push_back({"jam",
                     {"jam " + outer + " 4", "jam " + outer + " 8"},
                     "iterations of " + outer + " at once share what they load",
                     doubt});
    if (!at.first) continue;
    for (const char* factor : {"1", "2"})
      found.push_back({"skew",
                       {"skew " + outer + " " + inner + " " + factor + "; reorder " + inner + " " + outer + "; jam " +
                        outer + " 8"},
                       "8 iterations of a wavefront at once, none of which waits for another",
                       1.4});
  }
  return found;
}

/// The C compiler finds vectors by itself, but for sums of floating numbers, whose order it keeps.
Moves vectors(const Where& at) {
  Moves found;
  std::set<std::string> seen;
  for (const Innermost& loop : innermost_loops(at.loops))
    if (loop.plain && seen.insert(loop.variable).second)
      found.push_back({"vectorize",
                       {"vectorize " + loop.variable + " " + parts},
                       std::string("sums are added up in ") + parts + " parts, none of which waits for another",
                       1.4});
  return found;
}

Moves threads(const Where& at) {
  Moves found;
  if (at.kernel.threads < 2) return found;
  std::vector<std::string> outermost;
  const auto look = [&](const auto& self, const loop::Stmt& s) -> void {
    if (const auto* b = s.as<loop::Block>())
      for (const loop::Stmt& inner : b->statements) self(self, inner);
    const auto* f = s.as<loop::For>();
    if (!f || f->execution != loop::For::Execution::serial) return;
    // A sum in parts rounds otherwise, and each thread needs a copy of what is summed: loops inside may do without.
    if (f->reduces.empty()) add_once(outermost, f->variable);
    else self(self, f->body);
  };
  look(look, at.loops);
  for (const std::string& variable : outermost) found.push_back({"parallel", {"parallel " + variable}, {}, 1.25});
  return found;
}

/// Matrices that nobody declared, and which may have few entries as what they are made of has.
Moves formats(const Where& at) {
  Moves found;
  if (is_dense(at)) return found;
  for (const lang::TensorInfo& tensor : at.kernel.program.tensors)
    if (at.first && tensor.kind == lang::TensorInfo::Kind::implicit && tensor.shape.size() == 2 &&
        tensor.format.all_dense())
      found.push_back({"format",
                       {"format " + tensor.name + " csr"},
                       tensor.name + " stores what differs from its fill alone",
                       1.5});
  return found;
}

/// Operands whose storage the loops could follow.
Moves leads(const Where& at) {
  Moves found;
  for (const lang::TensorInfo& tensor : at.kernel.program.tensors)
    if (at.first && is_sparse(tensor))
      found.push_back(
          {"lead", {"lead " + tensor.name}, "loops go over what " + tensor.name + " stores, in its order", 1.3});
  return found;
}

/// Operands that could be looked up at once where others lead.
Moves finds(const Where& at) {
  Moves found;
  for (const lang::TensorInfo& tensor : at.kernel.program.tensors)
    if (at.first && is_sparse(tensor))
      found.push_back({"find",
                       {"find " + tensor.name + (tensor.shape.size() == 1 ? " table" : " hash")},
                       tensor.name + " is looked up at once; `find " + tensor.name +
                           " auto` has the kernel choose whenever it begins",
                       tensor.shape.size() == 1 ? 1.5 : 4});
  return found;
}

/// Results that cannot be appended as they come.
Moves workspaces(const Where& at) {
  Moves found;
  for (const std::string& command : at.kernel.workspaces)
    if (at.first) found.push_back({"workspace", {command}, "what comes in no order is collected in less time", 1.25});
  return found;
}

const std::map<std::string_view, Moves (*)(const Where&)> of_commands = {
    {"order", orders},     {"tile", tiles},     {"jam", jams},   {"registers", registers}, {"vectorize", vectors},
    {"parallel", threads}, {"format", formats}, {"lead", leads}, {"find", finds},          {"workspace", workspaces},
};

}  // namespace

bool recurs(const lang::Kernel& kernel) {
  const std::vector<std::string> results = kernel.results(), operands = kernel.operands();
  return std::ranges::any_of(results, [&](const std::string& name) { return contains(operands, name); });
}

std::vector<Move> moves(std::string_view command, const Kernel& kernel, const loop::Stmt& loops, bool first) {
  const auto found = of_commands.find(command);
  return found == of_commands.end() ? Moves{} : found->second({kernel, loops, first});
}

}  // namespace trellis::explore
