#include "engine/place/steps.hpp"

#include <algorithm>

#include "engine/place/copies.hpp"
#include "engine/place/dependences.hpp"
#include "engine/place/ranges.hpp"
#include "engine/place/reads_apart.hpp"

namespace trellis::place {
namespace {

using lang::Expr;
using loop::Stmt;
using math::Affine;
using math::Domain;

class Surroundings {
 public:
  Surroundings(const Analysis& analysis, const BufferPlan& buffers, std::vector<lang::TensorInfo>& temporaries)
      : analysis_(analysis), buffers_(buffers), temporaries_(temporaries), solver_(analysis.dependences->solver()) {}

  Stmt around(Stmt nest) {
    std::vector<Stmt> before, after;
    const auto exit = std::find_if(analysis_.fragments.fragments.begin(), analysis_.fragments.fragments.end(),
                                   [](const Fragment& f) { return f.kind == Fragment::Kind::until; });
    const bool exits = exit != analysis_.fragments.fragments.end();
    const bool kept =
        std::any_of(buffers_.begin(), buffers_.end(), [](const Buffers& b) { return b.kept.has_value(); });
    if (exits) from_ = {{text::Stage::fragments, exit->id}};
    if (exits) before.push_back(declare(*temporary(exit->write.tensor)));
    if (exits && kept) {
      reached_ = remembered(exit->write.tensor);
      temporaries_.push_back(*reached_);
      before.push_back(declare(*reached_));
      before.push_back(assign(reached_->name, {}, lang::integer(0)));
      nest = remember(nest, exit->write.tensor);
    }
    for (const Buffers& b : buffers_) {
      if (!b.kept) continue;
      from_ = writers(b.tensor);
      before.push_back(declare(*b.kept));
      copy_in(b, before);
      if (!b.drops_copies) copy_out(b, after);
    }
    for (const Fragment& f : analysis_.fragments.fragments) {
      if (!keeps_reads(f) || !is_first_part(f)) continue;
      from_ = {{text::Stage::fragments, f.id}};
      before.push_back(declare(*temporary(f.write.tensor)));
    }
    if (before.empty()) return nest;
    const auto& inner = nest.as<loop::Block>()->statements;
    before.insert(before.end(), inner.begin(), inner.end());
    before.insert(before.end(), after.begin(), after.end());
    return loop::block(std::move(before));
  }

 private:
  /// The fragments that give the tensor its elements.
  text::Origin writers(const std::string& tensor) const {
    text::Origin origin;
    for (const int f : fragments_that_write(analysis_.fragments, tensor)) origin.push_back({text::Stage::fragments, f});
    return origin;
  }

  const lang::TensorInfo* temporary(const std::string& name) const {
    for (const lang::TensorInfo& t : temporaries_)
      if (t.name == name) return &t;
    return nullptr;
  }

  /// How many steps were taken.
  lang::TensorInfo remembered(const std::string& like) const {
    lang::TensorInfo info = *temporary(like);
    info.name = "taken";
    while (analysis_.program.tensor(info.name) || analysis_.program.parameter(info.name) || temporary(info.name))
      info.name += "_";
    info.type = format::ScalarType::i64;
    info.fill = format::Value::of_integer(info.type, 0);
    return info;
  }

  /// `stop = …` gets a companion.
  Stmt remember(const Stmt& stmt, const std::string& stop) const {
    if (const auto* f = stmt.as<loop::For>(); f && f->until) {
      loop::For next = *f;
      std::vector<Stmt> body = f->body.as<loop::Block>()->statements;
      body.push_back(assign(reached_->name, {},
                            lang::binary(format::BinaryOp::add, lang::variable(f->variable), lang::integer(1))));
      next.body = loop::block(std::move(body), f->body.origin());
      return Stmt({std::move(next), stmt->span}, stmt.origin(), stmt.id());
    }
    return loop::map_children(
        stmt, [&](const Stmt& child) { return remember(child, stop); }, [](const Expr& e) { return e; });
  }

  /// Elements that an equation gives at step -1 need not be loaded; those that none gives at any are in all buffers.
  void copy_in(const Buffers& b, std::vector<Stmt>& into) {
    const auto names = element_variables(analysis_.program, b.tensor);
    const auto load = [&](const std::vector<Domain>& pieces, int slot) {
      for (const Domain& piece : pieces) {
        std::vector<Expr> element = elements(names);
        const Expr source = access(b.tensor, element);
        element.insert(element.begin(), lang::integer(slot));
        walk(piece, names, {}, assign(b.kept->name, element, source), into);
      }
    };
    load(loaded_elements(analysis_.program, solver_, analysis_.fragments, b.tensor), 0);
    if (b.still.empty()) return;
    const auto steps = std::ranges::find(analysis_.kernel.timesteps, b.tensor, &lang::Timesteps::tensor);
    const auto still = still_elements(analysis_.program, solver_, analysis_.fragments, *steps);
    for (int slot = 1; slot < b.slots; ++slot) load(still, slot);
  }

  void copy_out(const Buffers& b, std::vector<Stmt>& into) {
    const auto names = element_variables(analysis_.program, b.tensor);
    std::vector<Expr> element = elements(names);
    std::vector<Expr> last = element;
    last.insert(last.begin(), slot_of_last(b));
    Domain every{names, {}};
    const lang::TensorInfo& info = *analysis_.program.tensor(b.tensor);
    for (std::size_t d = 0; d < names.size(); ++d) {
      every.constraints.push_back({Affine(0), math::Relation::less_equal, Affine::name(names[d])});
      every.constraints.push_back({Affine::name(names[d]), math::Relation::less, info.shape[d]});
    }
    walk(every, names, {}, assign(b.tensor, element, access(b.kept->name, last)), into);
  }

  Expr slot_of_last(const Buffers& b) const {
    const Affine count =
        std::find_if(analysis_.kernel.timesteps.begin(), analysis_.kernel.timesteps.end(), [&](const auto& t) {
          return t.tensor == b.tensor;
        })->count;
    const bool counts = solver_.implies({}, {count, math::Relation::greater_equal, Affine(0)});
    Expr taken = reached_ ? access(reached_->name, {}) : lang::to_expr(count, {});
    if (!reached_ && !counts)
      taken = Expr({lang::Call{format::Function::max, {taken, lang::integer(0)}}, format::ScalarType::i64, {}});
    if (b.slots == Buffers::all_steps) return taken;
    if (!reached_ && counts) return lang::to_expr(Affine::mod(count, b.slots), {});
    return lang::binary(format::BinaryOp::modulo, taken, lang::integer(b.slots));
  }

  void walk(const Domain& domain, std::vector<std::string> loops, const Domain& around, const Stmt& stmt,
            std::vector<Stmt>& into) {
    if (loops.empty()) {
      const auto guards = guards_of(solver_, domain, around);
      if (guards.empty()) return into.push_back(stmt);
      Expr condition = lang::to_expr(guards[0], domain.variables);
      for (std::size_t k = 1; k < guards.size(); ++k)
        condition = lang::binary(format::BinaryOp::logical_and, condition, lang::to_expr(guards[k], domain.variables));
      return into.push_back(Stmt({loop::If{condition, loop::block({stmt}), std::nullopt}, {}}, from_));
    }
    const std::string name = loops[0];
    const Range range = range_of(solver_, name, {domain}, around);
    Domain inner = around;
    inner.variables.push_back(name);
    for (math::Constraint& c : range.known(name)) inner.constraints.push_back(std::move(c));
    loops.erase(loops.begin());
    std::vector<Stmt> body;
    walk(domain, loops, inner, stmt, body);
    loop::For result;
    result.variable = name;
    result.low = range.low;
    result.high = range.high;
    result.kind = loop::For::Kind::forall;
    result.body = loop::block(std::move(body));
    into.push_back(Stmt({std::move(result), {}}, from_));
  }

  static std::vector<Expr> elements(const std::vector<std::string>& names) {
    std::vector<Expr> result;
    for (const std::string& name : names) result.push_back(lang::variable(name));
    return result;
  }

  format::ScalarType type_of(const std::string& tensor) const {
    const lang::TensorInfo* info = temporary(tensor);
    return info ? info->type : analysis_.program.tensor(tensor)->type;
  }
  Expr access(const std::string& tensor, std::vector<Expr> indices) const {
    return Expr({lang::Access{tensor, std::move(indices), {}}, type_of(tensor), {}});
  }
  Stmt assign(const std::string& tensor, std::vector<Expr> indices, const Expr& value) const {
    return Stmt({loop::Assign{access(tensor, std::move(indices)), {}, value}, {}}, from_);
  }
  Stmt declare(const lang::TensorInfo& info) const { return Stmt({loop::Declare{info}, {}}, from_); }

  const Analysis& analysis_;
  const BufferPlan& buffers_;
  std::vector<lang::TensorInfo>& temporaries_;
  math::Solver& solver_;
  std::optional<lang::TensorInfo> reached_;
  text::Origin from_;  ///< the fragments that statements are made for now
};

}  // namespace

Stmt with_steps(const Analysis& analysis, const BufferPlan& buffers, Stmt nest,
                std::vector<lang::TensorInfo>& temporaries) {
  if (buffers.empty()) return nest;
  return Surroundings(analysis, buffers, temporaries).around(std::move(nest));
}

}  // namespace trellis::place
