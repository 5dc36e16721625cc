#include "engine/schedule/pack.hpp"

#include <algorithm>
#include <map>

#include "engine/lang/fresh_name.hpp"
#include "engine/loop/merge_blocks.hpp"
#include "engine/loop/normalise.hpp"
#include "engine/schedule/by_strips.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/schedule/rename_tensor.hpp"
#include "engine/schedule/strips.hpp"
#include "engine/schedule/written_elements.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::Expr;
using loop::For;
using loop::Stmt;
using math::Affine;

Stmt made(loop::For f) { return Stmt(loop::StmtNode{std::move(f), {}}); }
Stmt made(loop::Assign a) { return Stmt(loop::StmtNode{std::move(a), {}}); }

class Packing {
 public:
  Packing(const lang::Program& program, const lang::Kernel& kernel, const place::Fragments* fragments,
          math::Solver& solver)
      : program_(program), kernel_(kernel), fragments_(fragments), solver_(solver) {}

  Stmt packed(const Stmt& loops, const lang::TensorInfo& tensor, const Strips& strips) {
    const lang::TensorInfo info =
        in_strips(tensor, strips, lang::fresh_name(program_, kernel_, tensor.name + "_strips"));
    names_ = bound_names(loops);
    std::vector<Stmt> all{Stmt(loop::StmtNode{loop::Declare{info}, {}})};
    const bool written = contains(kernel_.results(), tensor.name);
    const bool inherited = kernel_.inherited.contains(tensor.name);
    const bool exact = written && !inherited && fragments_ && reads_only_computed(*fragments_, tensor.name, solver_);
    const std::vector<std::string> sums = exact ? sums_of(loops, tensor) : std::vector<std::string>();
    const format::Value zero = format::Value::of_integer(info.type, 0);
    if (!written || inherited) all.push_back(copied(tensor, info, strips));
    else all.push_back(Stmt(loop::StmtNode{loop::Reset{info.name, lang::constant(exact ? zero : info.fill)}, {}}));
    if (!exact) all.push_back(zero_behind(tensor, info, strips));
    Stmt inside = with_strips_inside(loops, tensor, strips, sums);
    for (const std::string& sum : sums) inside = renamed(without_zeroing(inside, sum), sum, info.name);
    const auto along = [&](const Stmt& stmt) {
      return by_strips(stmt, info.name, strips, [&](const std::string& wish) { return fresh(wish); });
    };
    all.push_back(along(renamed(inside, tensor.name, info.name)));
    if (written) all.push_back(along(exact ? elements_back(tensor, info) : whole_back(tensor, info)));
    return loop::block(std::move(all), loops.origin());
  }

 private:
  std::string fresh(const std::string& wish) {
    std::string name = lang::fresh_name(program_, kernel_, wish);
    while (contains(names_, name)) name += '_';
    return names_.emplace_back(name);
  }

  Expr expr(const Affine& form) const { return lang::to_expr(form, names_); }

  static Expr element(const std::string& tensor, const std::vector<Expr>& indices, format::ScalarType type) {
    return Expr(lang::ExprNode{lang::Access{tensor, indices, {}}, type, {}});
  }

  static Stmt over(const std::string& variable, Expr low, Expr high, Stmt body) {
    For f;
    f.variable = variable, f.low = std::move(low), f.high = std::move(high), f.kind = For::Kind::forall;
    f.body = loop::block({std::move(body)});
    return made(std::move(f));
  }

  /// Coordinates of the tensor's elements, each of them a new variable.
  std::vector<std::string> coordinates(const lang::TensorInfo& tensor) {
    std::vector<std::string> all;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) all.push_back(fresh("d" + std::to_string(d)));
    return all;
  }
  static std::vector<Expr> variables(const std::vector<std::string>& names) {
    std::vector<Expr> all;
    for (const std::string& name : names) all.push_back(lang::variable(name));
    return all;
  }

  /// Strip by strip.
  Stmt copied(const lang::TensorInfo& tensor, const lang::TensorInfo& info, const Strips& strips) {
    const std::string strip = fresh("strip");
    const auto at = coordinates(tensor);
    const auto cut = static_cast<std::size_t>(strips.dimension);
    Stmt body = made(
        loop::Assign{element(info.name, variables(at), info.type), {}, element(tensor.name, variables(at), info.type)});
    const Affine begin = Affine::name(strip, strips.width);
    body = over(at[cut], expr(begin), extremum(Function::min, {tensor.shape[cut], begin + strips.width}, names_), body);
    for (std::size_t d = at.size(); d-- > 0;)
      if (d != cut) body = over(at[d], lang::integer(0), expr(tensor.shape[d]), body);
    return over(strip, lang::integer(0), expr(Affine::div(info.shape[cut], strips.width)), body);
  }

  Stmt zero_behind(const lang::TensorInfo& tensor, const lang::TensorInfo& info, const Strips& strips) {
    const auto at = coordinates(tensor);
    const auto cut = static_cast<std::size_t>(strips.dimension);
    Stmt body = made(loop::Assign{
        element(info.name, variables(at), info.type), {}, lang::constant(format::Value::of_integer(info.type, 0))});
    body = over(at[cut], expr(tensor.shape[cut]), expr(info.shape[cut]), body);
    for (std::size_t d = at.size(); d-- > 0;)
      if (d != cut) body = over(at[d], lang::integer(0), expr(tensor.shape[d]), body);
    return body;
  }

  /// Strips are zero before: all of them, as tiles on the border of a triangle come to what nothing computes, which
  /// would be slow if it were a number next to none.
  static Stmt without_zeroing(const Stmt& stmt, const std::string& sum) {
    const auto* assign = stmt.as<loop::Assign>();
    const auto* value = assign && !assign->op ? assign->value.as<lang::Constant>() : nullptr;
    const auto* target = value ? assign->target.as<lang::Access>() : nullptr;
    if (target && target->tensor == sum && value->value == format::Value::of_integer(assign->value->type, 0))
      return loop::block({}, stmt.origin());
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return without_zeroing(child, sum); }, [](const Expr& e) { return e; });
    const auto* f = inner.as<For>();
    const auto* body = f ? f->body.as<loop::Block>() : nullptr;
    return body && loop::merge_blocks(f->body).as<loop::Block>()->statements.empty() ? loop::block({}, stmt.origin())
                                                                                     : inner;
  }

  Stmt whole_back(const lang::TensorInfo& tensor, const lang::TensorInfo& info) {
    const auto at = coordinates(tensor);
    Stmt body = made(
        loop::Assign{element(tensor.name, variables(at), info.type), {}, element(info.name, variables(at), info.type)});
    for (std::size_t d = at.size(); d-- > 0;) body = over(at[d], lang::integer(0), expr(tensor.shape[d]), body);
    return body;
  }

  /// Those that equations compute: all others are as they are.
  Stmt elements_back(const lang::TensorInfo& tensor, const lang::TensorInfo& info) {
    std::vector<Stmt> all;
    for (const WrittenElements& some : written_elements(*fragments_, tensor)) {
      std::vector<Expr> indices;
      std::map<std::string, Affine> anew;
      for (const std::string& v : some.variables) anew[v] = Affine::name(fresh(v));
      for (const Affine& index : some.index) indices.push_back(expr(index.substitute(anew)));
      Stmt body =
          made(loop::Assign{element(tensor.name, indices, info.type), {}, element(info.name, indices, info.type)});
      for (const math::Constraint& c : some.constraints)
        body = Stmt(loop::StmtNode{loop::If{lang::to_expr(c.substitute(anew), names_), loop::block({body}), {}}, {}});
      for (std::size_t k = some.variables.size(); k-- > 0;)
        body = over(*anew[some.variables[k]].as_name(), lang::integer(0), expr(some.sizes[k]), body);
      all.push_back(std::move(body));
    }
    lang::Program both = program_;
    both.tensors.push_back(info);
    return loop::normalise(loop::block(std::move(all)), both, solver_, loop::From::source, loop::Singles::kept);
  }

  /// Loops over a part of a tile, which no register holds, go along strips innermost: as they stand they would go
  /// across. Each element is updated once, and none is read.
  static Stmt with_strips_inside(const Stmt& stmt, const lang::TensorInfo& tensor, const Strips& strips,
                                 const std::vector<std::string>& sums, const std::string& around = {}) {
    const auto* rows = stmt.as<For>();
    if (rows && rows->registers && !around.empty())
      if (const auto turned = turned_nest(stmt, tensor, strips, sums, around)) return *turned;
    return loop::map_children(
        stmt,
        [&](const Stmt& child) {
          return with_strips_inside(child, tensor, strips, sums,
                                    rows                     ? rows->variable
                                    : stmt.as<loop::Block>() ? around
                                                             : std::string());
        },
        [](const Expr& e) { return e; });
  }

  static std::optional<Stmt> turned_nest(const Stmt& stmt, const lang::TensorInfo& tensor, const Strips& strips,
                                         const std::vector<std::string>& sums, const std::string& around) {
    const For& rows = *stmt.as<For>();
    const Stmt inner = only_statement(rows.body);
    const auto* columns = inner ? inner.as<For>() : nullptr;
    const Stmt only = columns && columns->registers ? only_statement(columns->body) : Stmt();
    const auto* update = only ? only.as<loop::Assign>() : nullptr;
    if (!update || !update->op) return std::nullopt;
    const auto& target = *update->target.as<lang::Access>();
    const auto names = [](const For& f, const std::string& v) {
      return std::ranges::any_of(std::vector{f.low, f.high}, [&](const Expr& e) {
        const auto forms = loop::alternatives(e, e.same(f.low) ? Function::max : Function::min);
        return std::ranges::any_of(forms, [&](const Affine& form) { return form.mentions(v); });
      });
    };
    const auto is_index = [&](const For& f, std::size_t d) {
      const auto* index = target.indices[d].as<lang::Variable>();
      return index && index->name == f.variable;
    };
    const bool part = names(rows, around) || names(*columns, around);
    const bool of_tensor = target.tensor == tensor.name || contains(sums, target.tensor);
    if (!part || !of_tensor || names(*columns, rows.variable) || mentions(update->value, target.tensor)) return {};
    const auto cut = static_cast<std::size_t>(strips.dimension);
    bool by_columns = false;
    for (std::size_t d = 0; d < target.indices.size(); ++d) by_columns |= d != cut && is_index(*columns, d);
    if (!is_index(rows, cut) || !by_columns) return std::nullopt;
    For outer = *columns, inside = rows;
    inside.body = loop::block({only});
    outer.body = loop::block({Stmt(loop::StmtNode{std::move(inside), stmt->span}, stmt.origin())});
    return Stmt(loop::StmtNode{std::move(outer), inner->span}, inner.origin());
  }

  /// Temporaries that are read where one of the tensor's elements is computed, of that element, and nowhere else.
  static std::vector<std::string> sums_of(const Stmt& loops, const lang::TensorInfo& tensor) {
    std::vector<std::string> found;
    loop::for_each(loops, [&](const Stmt& s) {
      const auto* d = s.as<loop::Declare>();
      if (d && d->tensor.shape.size() == tensor.shape.size() && d->tensor.type == tensor.type)
        found.push_back(d->tensor.name);
    });
    std::erase_if(found, [&](const std::string& sum) { return !ends_in(loops, sum, tensor.name); });
    if (found.size() > 1)
      std::erase_if(found, [&](const std::string& sum) { return shares_statement(loops, sum, found); });
    return found;
  }

  static bool ends_in(const Stmt& loops, const std::string& sum, const std::string& tensor) {
    bool fits = true;
    loop::for_each(loops, [&](const Stmt& s) {
      const auto* assign = s.as<loop::Assign>();
      if (s.as<loop::Reset>() || s.as<loop::Lifecycle>() || s.as<loop::If>() || s.as<For>() || s.as<loop::While>()) {
        const auto* reset = s.as<loop::Reset>();
        fits = fits && !(reset && reset->tensor == sum);
        loop::for_each_child(
            s, [](const Stmt&) {}, [&](const Expr& e) { fits = fits && !mentions(e, sum); });
      }
      if (!assign || !mentions(assign->value, sum)) return;
      const auto& target = *assign->target.as<lang::Access>();
      fits = fits && !assign->op && target.tensor == tensor && reads_at(assign->value, sum, target.indices);
    });
    return fits;
  }

  static bool reads_at(const Expr& expr, const std::string& tensor, const std::vector<Expr>& indices) {
    const auto* access = expr.as<lang::Access>();
    bool fits = !access || access->tensor != tensor || access->indices == indices;
    lang::for_each_child(expr, [&](const Expr& child) { fits = fits && reads_at(child, tensor, indices); });
    return fits;
  }

  /// Two sums of one element would have one place.
  static bool shares_statement(const Stmt& loops, const std::string& sum, const std::vector<std::string>& sums) {
    bool shares = false;
    loop::for_each(loops, [&](const Stmt& s) {
      const auto* assign = s.as<loop::Assign>();
      if (!assign || assign->op || !mentions(assign->value, sum)) return;
      for (const std::string& other : sums) shares |= other != sum && mentions(assign->value, other);
    });
    return shares;
  }

  const lang::Program& program_;
  const lang::Kernel& kernel_;
  const place::Fragments* fragments_;
  math::Solver& solver_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<Stmt> pack(const Stmt& loops, const lang::Program& program, const lang::Kernel& kernel,
                         const place::Fragments* fragments, math::Solver& solver, text::Diagnostics& diagnostics) {
  Stmt current = loops;
  std::vector<std::string> done;
  for (const lang::ScheduleStep& step : kernel.schedule.steps) {
    if (step.kind != lang::ScheduleStep::Kind::pack || contains(done, step.tensor)) continue;
    done.push_back(step.tensor);
    const lang::TensorInfo* named = program.tensor(step.tensor);
    const auto refuse = [&](const std::string& why) {
      diagnostics.error("E0164", step.span, step.tensor + " cannot be packed: " + why,
                        "`pack` is about what tiles in registers read: `registers i j`, and operands or factors "
                        "that i or j alone indexes in one dimension");
      return std::nullopt;
    };
    if (!named) return refuse("the kernel has no such tensor");
    const lang::TensorInfo& tensor = *named;
    if (tensor.format.layout || !tensor.format.all_dense()) return refuse("it is not dense");
    if (std::ranges::count(kernel.timesteps, tensor.name, &lang::Timesteps::tensor) > 0)
      return refuse("it has timesteps");
    const auto strips = strips_of(current, tensor.name);
    if (!strips) return refuse("no tiles in registers read strips of it");
    current = Packing(program, kernel, fragments, solver).packed(current, tensor, *strips);
  }
  return done.empty() ? loops : loop::number(loop::merge_blocks(current));
}

}  // namespace trellis::schedule
