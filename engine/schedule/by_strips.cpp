#include "engine/schedule/by_strips.hpp"

#include "engine/loop/context.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::Expr;
using loop::For;
using loop::Stmt;
using math::Affine;

class ByStrips {
 public:
  ByStrips(const std::string& tensor, const Strips& strips, const std::function<std::string(const std::string&)>& fresh)
      : tensor_(tensor), strips_(strips), fresh_(fresh) {}

  Stmt visit(const Stmt& stmt, const std::vector<std::string>& names) const {
    std::vector<std::string> inside = names;
    const auto* f = stmt.as<For>();
    if (f) inside.push_back(f->variable);
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child, inside); }, [](const Expr& e) { return e; });
    f = inner.as<For>();
    return f && f->kind == For::Kind::forall && !f->until && goes_across(*f) ? strip_by_strip(inner, *f, names) : inner;
  }

 private:
  /// Are elements of the tensor at the loop's variable set, or read to be set elsewhere, and nothing else done?
  bool goes_across(const For& f) const {
    bool plain = true, across = false;
    loop::for_each(f.body, [&](const Stmt& s) {
      const auto* assign = s.as<loop::Assign>();
      plain = plain && (assign ? !assign->op : s.as<For>() || s.as<loop::Block>() || s.as<loop::Note>());
      if (assign) across |= at_variable(assign->target, f) || at_variable(assign->value, f);
    });
    return plain && across;
  }

  bool at_variable(const Expr& expr, const For& f) const {
    const auto* access = expr.as<lang::Access>();
    if (!access || access->tensor != tensor_) return false;
    const auto* index = access->indices[static_cast<std::size_t>(strips_.dimension)].as<lang::Variable>();
    return index && index->name == f.variable;
  }

  Stmt strip_by_strip(const Stmt& stmt, const For& f, std::vector<std::string> names) const {
    std::vector<Affine> lows = loop::alternatives(f.low, Function::max),
                        highs = loop::alternatives(f.high, Function::min), first, behind;
    const bool known = lows.size() == loop::arguments(f.low, Function::max).size() &&
                       highs.size() == loop::arguments(f.high, Function::min).size();
    if (const std::int64_t size = tile_size(f); !known || (size > 0 && size <= strips_.width)) return stmt;
    for (const Affine& low : lows) first.push_back(Affine::div(low, strips_.width));
    for (const Affine& high : highs) behind.push_back(Affine::div(high + (strips_.width - 1), strips_.width));
    const std::string strip = fresh_("strip");
    For around = f, inside = f;
    around.variable = strip;
    around.registers = false;
    around.low = extremum(Function::max, first, names), around.high = extremum(Function::min, behind, names);
    names.push_back(strip);
    lows.push_back(Affine::name(strip, strips_.width));
    highs.push_back(Affine::name(strip, strips_.width) + strips_.width);
    inside.low = extremum(Function::max, lows, names), inside.high = extremum(Function::min, highs, names);
    around.body = loop::block({Stmt(loop::StmtNode{std::move(inside), stmt->span}, stmt.origin())});
    return Stmt(loop::StmtNode{std::move(around), stmt->span}, stmt.origin());
  }

  const std::string& tensor_;
  const Strips& strips_;
  const std::function<std::string(const std::string&)>& fresh_;
};

}  // namespace

Stmt by_strips(const Stmt& loops, const std::string& tensor, const Strips& strips,
               const std::function<std::string(const std::string&)>& fresh) {
  return ByStrips(tensor, strips, fresh).visit(loops, {});
}

}  // namespace trellis::schedule
