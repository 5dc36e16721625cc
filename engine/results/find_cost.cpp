#include "engine/results/find_cost.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace trellis::results {
namespace {

using format::BinaryOp;
using format::ScalarType;
using How = lang::Schedule::Find::How;

lang::Expr number(double value) { return lang::constant(format::Value::of(ScalarType::f64, value)); }
bool is_number(const lang::Expr& e, double value) {
  const auto* c = e.as<lang::Constant>();
  return c && c->value.real == value;
}
lang::Expr plus(const lang::Expr& a, const lang::Expr& b) {
  return is_number(a, 0) ? b : lang::binary(BinaryOp::add, a, b);
}
lang::Expr over(const lang::Expr& a, const lang::Expr& b) {
  return is_number(b, 1) ? a : lang::binary(BinaryOp::divide, a, b);
}
lang::Expr call(format::Function function, std::vector<lang::Expr> arguments) {
  return lang::Expr(lang::ExprNode{lang::Call{function, std::move(arguments)}, ScalarType::f64, {}});
}
lang::Expr least(const lang::Expr& a, const lang::Expr& b) { return call(format::Function::min, {a, b}); }
lang::Expr most(const lang::Expr& a, const lang::Expr& b) { return call(format::Function::max, {a, b}); }
lang::Expr times(const lang::Expr& a, const lang::Expr& b) {
  if (is_number(a, 1)) return b;
  // As many fibers as there are, times what they have on average: all entries.
  if (const auto* average = b.as<lang::Binary>(); average && average->op == BinaryOp::divide)
    if (average->right == most(number(1), a)) return average->left;
  return is_number(b, 1) ? a : lang::binary(BinaryOp::multiply, a, b);
}
lang::Expr log2_of(const lang::Expr& a) { return call(format::Function::log2, {most(number(1), a)}); }
lang::Expr real(const lang::Expr& integer) {
  if (const auto* c = integer.as<lang::Constant>()) return number(c->value.as_double());
  return lang::cast(ScalarType::f64, integer);
}

lang::Expr size_of(const lang::TensorInfo& tensor, int level) {
  return real(lang::to_expr(access::level_size(tensor, level), {}));
}

lang::Expr stored(const lang::TensorInfo& tensor, int level) {
  if (level < 0) return number(1);
  if (format::facts(tensor.format.levels[static_cast<std::size_t>(level)]).dense())
    return times(stored(tensor, level - 1), size_of(tensor, level));
  return real(lang::Expr(lang::ExprNode{lang::Stored{tensor.name, level}, ScalarType::i64, {}}));
}
lang::Expr fiber(const lang::TensorInfo& tensor, int level) {
  const lang::Expr above = stored(tensor, level - 1);
  return over(stored(tensor, level), is_number(above, 1) ? above : most(number(1), above));
}

class Sites {
 public:
  Sites(const std::vector<coiterate::Lattice>& lattices, const lang::TensorInfo& tensor, const lang::Program& program)
      : tensor_(tensor), program_(program) {
    for (const coiterate::Lattice& lattice : lattices) of_.try_emplace(lattice.loop.id(), &lattice);
  }

  void visit(const loop::Stmt& s, const lang::Expr& times_run) {
    const auto* f = s.as<loop::For>();
    if (f) around_.push_back(f);
    const lang::Expr iterations = f ? trips(s, *f) : lang::Expr();
    if (f) note(s, times_run, iterations);
    const lang::Expr inside = f ? times(times_run, iterations) : times_run;
    loop::for_each_child(
        s, [&](const loop::Stmt& child) { visit(child, inside); }, [](const lang::Expr&) {});
    if (f) around_.pop_back();
  }

  std::vector<Queries> found = {};

 private:
  const coiterate::Lattice* lattice_of(const loop::Stmt& s) const {
    const auto one = of_.find(s.id());
    return one == of_.end() ? nullptr : one->second;
  }

  bool is_sought(const coiterate::Lattice::Operand& operand) const {
    return operand.literal.access.as<lang::Access>()->tensor == tensor_.name;
  }

  /// How many entries the leads have that are not sought themselves; empty: none leads.
  std::optional<lang::Expr> led(const coiterate::Lattice& lattice) const {
    std::optional<lang::Expr> iterations;
    for (const coiterate::Lattice::Operand& operand : lattice.operands) {
      if (operand.role != coiterate::Lattice::Role::leads || is_sought(operand) || operand.literal.temporary) continue;
      const lang::TensorInfo& lead = *program_.tensor(operand.literal.access.as<lang::Access>()->tensor);
      const lang::Expr own = fiber(lead, operand.literal.level());
      const bool all = lattice.points.size() == 1;
      iterations = !iterations ? own : all ? least(*iterations, own) : most(*iterations, own);
    }
    return iterations;
  }

  lang::Expr trips(const loop::Stmt& s, const loop::For& f) const {
    if (const coiterate::Lattice* lattice = lattice_of(s))
      if (const auto iterations = led(*lattice)) return *iterations;
    const auto* low = f.low.as<lang::Constant>();
    const bool from_0 = low && low->value.integer == 0;
    return real(known(from_0 ? f.high : lang::binary(BinaryOp::subtract, f.high, f.low)));
  }

  /// Where variables of the loops around are in the middle.
  lang::Expr known(lang::Expr bound) const {
    for (std::size_t k = around_.size() - 1; k-- > 0;) {
      const loop::For& f = *around_[k];
      const lang::Expr middle =
          lang::binary(BinaryOp::divide, lang::binary(BinaryOp::add, f.low, f.high), lang::integer(2));
      bound = lang::substitute(bound, {{f.variable, middle}});
    }
    bool simple = lang::free_variables(bound).empty();
    const std::function<void(const lang::Expr&)> look = [&](const lang::Expr& e) {
      simple = simple && !e.as<lang::Access>();
      lang::for_each_child(e, look);
    };
    look(bound);
    return simple ? bound : lang::integer(16);  // data decides
  }

  void note(const loop::Stmt& s, const lang::Expr& opened, const lang::Expr& iterations) {
    const coiterate::Lattice* lattice = lattice_of(s);
    if (!lattice || !led(*lattice)) return;
    for (const coiterate::Lattice::Operand& operand : lattice->operands)
      if (is_sought(operand))
        found.push_back({times(opened, iterations), opened, fiber(tensor_, operand.literal.level())});
  }

  const lang::TensorInfo& tensor_;
  const lang::Program& program_;
  std::map<int, const coiterate::Lattice*> of_;  ///< by the loop's number
  std::vector<const loop::For*> around_;
};

}  // namespace

std::vector<Queries> queries_for(const loop::Stmt& loops, const std::vector<coiterate::Lattice>& lattices,
                                 const lang::TensorInfo& tensor, const lang::Program& program) {
  Sites sites(lattices, tensor, program);
  sites.visit(loops, number(1));
  return sites.found;
}

lang::Expr cost_of(How how, const std::vector<Queries>& queries, const lang::TensorInfo& tensor) {
  const lang::Expr entries = stored(tensor, static_cast<int>(tensor.format.levels.size()) - 1);
  lang::Expr cost = number(0);
  if (how == How::hash) cost = times(number(15), entries);
  if (how == How::table) {
    lang::Expr size = number(1);
    for (const math::Affine& one : tensor.shape) size = times(size, real(lang::to_expr(one, {})));
    cost = plus(times(number(0.3), size), times(number(5), entries));
  }
  for (const Queries& q : queries) {
    // A walk ends where one of the two does: what is behind the last of so many entries, it is not asked for.
    const bool walks = how == How::merge || how == How::scan || how == How::gallop;
    const lang::Expr part = over(q.reached, plus(q.reached, number(1)));
    const lang::Expr asked = walks ? times(q.asked, part) : q.asked;
    const lang::Expr gap = over(times(q.opened, q.reached), most(number(1), asked));
    const auto each = [&]() -> lang::Expr {
      switch (how) {
        case How::merge:
        case How::scan: return number(8);
        case How::gallop: return plus(number(5), times(number(9), log2_of(gap)));
        case How::binary: return plus(number(5), times(number(12), log2_of(q.reached)));
        case How::hash: return number(25);
        case How::table:
        case How::automatic: return number(2);
      }
      return number(0);
    };
    cost = plus(cost, times(each(), asked));
    if (how == How::merge || how == How::scan) cost = plus(cost, times(number(0.6), times(q.opened, q.reached)));
  }
  return cost;
}

}  // namespace trellis::results
