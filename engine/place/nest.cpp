#include "engine/place/nest.hpp"

#include <algorithm>
#include <map>

#include "engine/place/carried.hpp"
#include "engine/place/copies.hpp"
#include "engine/place/extents.hpp"
#include "engine/place/markers.hpp"
#include "engine/place/ranges.hpp"
#include "engine/place/statements.hpp"
#include "engine/place/steps.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using lang::Expr;
using loop::Stmt;
using math::Domain;
using Path = std::vector<int>;

class NestBuilder {
 public:
  NestBuilder(const Analysis& analysis, const Tree& whole, const std::vector<Initialiser>& initialisers,
              const BufferPlan& buffers, const std::vector<Violation>& violated)
      : fragments_(analysis.fragments.fragments),
        dependences_(*analysis.dependences),
        whole_(whole),
        tree_(without_copies(whole, analysis.fragments, buffers)),
        initialisers_(initialisers),
        buffers_(buffers),
        violated_(violated),
        statements_(analysis.program, analysis.fragments, initialisers, buffers) {
    for (const Fragment& f : fragments_) names_.push_back(loop_names(f));
  }

  Nest run() {
    Nest result{body({}, {}), statements_.temporaries()};
    for (const Buffers& b : buffers_) {
      for (const SavedSlice& s : b.saved) result.temporaries.push_back(s.temporary);
      if (b.kept) result.temporaries.push_back(*b.kept);
    }
    return result;
  }

 private:
  /// Each variable of a fragment, and the loop that it became.
  std::map<std::string, std::string> loop_names(const Fragment& f) const {
    std::map<std::string, std::string> result;
    const Site& site = tree_.site(f.id);
    for (std::size_t k = 0; k < site.loops.size(); ++k) {
      result[f.domain.variables[at(site.picks[k])]] = lang::loop_variable(tree_.loop(site.loops[k]).name.name);
    }
    return result;
  }

  /// A domain of a fragment over the names of its loops.
  Domain over_loops(const Domain& domain, int fragment) const {
    std::map<std::string, math::Affine> renaming;
    Domain result;
    for (const std::string& v : domain.variables) {
      const std::string& name = names_[at(fragment)].at(v);
      result.variables.push_back(name);
      if (name != v) renaming.emplace(v, math::Affine::name(name));
    }
    result.constraints = renaming.empty() ? domain.constraints : domain.substitute(renaming).constraints;
    return result;
  }

  Stmt body(const Path& path, const Domain& around) {
    std::vector<Stmt> result;
    for (const Buffers& b : buffers_)
      for (const SavedSlice& s : b.saved)
        if (s.depth == path.size() && tree_.is_under(s.fragment, path)) save(s, around, result);
    for (const Child& child : tree_.body(path)) {
      for (const Initialiser& i : initialisers_) {
        if (i.depth == path.size() && i.before == child && tree_.is_under(i.fragment, path))
          initialise(i, around, result);
      }
      if (child.kind == Child::Kind::loop) result.push_back(loop(child.id, path, around));
      else statement(child.id, around, result);
      add_ready(child, path, result);
      store_last(child, path, around, result);
    }
    return loop::block(std::move(result));
  }

  Stmt loop(int id, const Path& path, const Domain& around) {
    const LoopNode& node = tree_.loop(id);
    Path inner = path;
    inner.push_back(id);
    const std::vector<int> inside = tree_.below(inner);
    std::vector<Domain> members;
    text::Origin origin;
    for (int f : inside) {
      members.push_back(over_loops(with_extents(fragments_[at(f)], fragments_[at(f)].domain), f));
      origin.push_back({text::Stage::fragments, f});
    }
    for (const Initialiser& i : initialisers_) {
      if (i.depth > path.size() && tree_.is_under(i.fragment, inner))
        members.push_back(over_loops(i.elements, i.fragment));
    }
    const std::string variable = lang::loop_variable(node.name.name);
    const Range range = range_of(dependences_.solver(), variable, members, around);
    const Carried carried = carried_by(whole_, dependences_, initialisers_, whole_.below(inner), path.size());
    Stmt content = body(inner, entered(around, variable, range));
    loop::For result;
    result.variable = variable;
    result.low = range.low;
    result.high = range.high;
    result.descending = node.name.descending;
    const bool ordered =
        carried.flow || std::ranges::any_of(buffers_, [&](const Buffers& b) { return contains(b.ordered, id); });
    result.kind = ordered ? loop::For::Kind::serial : loop::For::Kind::forall;
    if (!ordered) result.reduces = carried.reduces;
    result.body = with_assumptions(content, node, path.size());
    for (int f : inside) {
      if (fragments_[at(f)].kind != Fragment::Kind::until) continue;
      result.until = statements_.update(f, names_[at(f)]).as<loop::Assign>()->target;
      result.kind = loop::For::Kind::serial;  // where there is one step at most, nothing is carried that says so
      result.reduces.clear();
    }
    return Stmt({std::move(result), {}}, origin);
  }

  static Domain entered(Domain around, const std::string& variable, const Range& range) {
    around.variables.push_back(variable);
    for (math::Constraint& c : range.known(variable)) around.constraints.push_back(std::move(c));
    return around;
  }

  void statement(int f, const Domain& around, std::vector<Stmt>& into) {
    const Domain domain = over_loops(with_extents(fragments_[at(f)], fragments_[at(f)].domain), f);
    const auto guards = guards_of(dependences_.solver(), domain, around);
    mark_late_reads(f, into);
    add_guarded(into, guards, domain.variables, statements_.update(f, names_[at(f)]));
  }

  /// How many loops are around what a fragment does to a whole step: those down to the loop over the steps, if there is
  /// one.
  std::size_t step_depth(const Fragment& f) const {
    const Site& site = tree_.site(f.id);
    for (std::size_t k = 0; k < site.loops.size(); ++k)
      if (f.write_index[0].mentions(f.domain.variables[at(site.picks[k])])) return k + 1;
    return site.loops.size();
  }

  /// Without copies, what a step defines for the last time goes into the result before its buffer is used again.
  void store_last(const Child& child, const Path& path, const Domain& around, std::vector<Stmt>& into) {
    if (buffers_.empty()) return;
    for (const Fragment& f : fragments_) {
      const auto buffers = std::ranges::find(buffers_, f.write.tensor, &Buffers::tensor);
      if (buffers == buffers_.end() || !buffers->drops_copies || !tree_.site(f.id).placed) continue;
      const bool ends_here =
          step_depth(f) == path.size() && tree_.is_under(f.id, path) && tree_.child(f.id, path.size()) == child;
      if (!ends_here) continue;
      for (const Domain& last : last_definitions(dependences_.solver(), fragments_, f)) {
        const Domain where = over_loops(with_extents(f, last), f.id);
        std::vector<std::string> loops;
        for (const std::string& v : where.variables)
          if (!contains(around.variables, v)) loops.push_back(v);
        const Stmt store = statements_.store(f.id, names_[at(f.id)]);
        for (Stmt& s : over(f.id, where, loops, around, {store})) into.push_back(std::move(s));
      }
    }
  }

  void mark_late_reads(int f, std::vector<Stmt>& into) const {
    std::vector<int> marked;
    for (const Violation& v : violated_) {
      if (v.reader != f || contains(marked, v.read)) continue;
      marked.push_back(v.read);
      into.push_back(
          note("reads " + element_text(fragments_[at(f)].reads[at(v.read)], names_[at(f)]) + " too early", f));
    }
  }

  /// Declares a temporary, and gives an accumulator its identity over the elements that are still free here.
  void initialise(const Initialiser& i, const Domain& around, std::vector<Stmt>& into) {
    for (Stmt& declaration : statements_.declarations(i.fragment)) into.push_back(std::move(declaration));
    const Domain domain = over_loops(i.elements, i.fragment);
    std::vector<std::string> loops;
    for (const std::string& v : domain.variables) {
      if (!contains(around.variables, v)) loops.push_back(v);
    }
    for (Stmt& s : over(i.fragment, domain, loops, around, statements_.identities(i.fragment, names_[at(i.fragment)])))
      into.push_back(std::move(s));
  }

  /// Saves a slice of a tensor before steps of it are overwritten.
  void save(const SavedSlice& s, const Domain& around, std::vector<Stmt>& into) {
    const Fragment& f = fragments_[at(s.fragment)];
    into.push_back(Stmt({loop::Declare{s.temporary}, f.span}, {{text::Stage::fragments, f.id}}));
    std::vector<std::string> onto, loops;
    for (std::size_t k = 0; k < s.depth; ++k) onto.push_back(f.domain.variables[at(tree_.site(f.id).picks[k])]);
    for (int v : s.variables) {
      onto.push_back(f.domain.variables[at(v)]);
      loops.push_back(names_[at(f.id)].at(f.domain.variables[at(v)]));
    }
    for (int read : s.reads) {
      Domain reading = with_extents(f, f.domain);
      for (const math::Constraint& c : f.reads[at(read)].guards) reading.constraints.push_back(c);
      for (const Domain& piece : dependences_.solver().project(reading, onto))
        for (Stmt& stmt : over(f.id, over_loops(piece, f.id), loops, around, {statements_.save(s, names_[at(f.id)])}))
          into.push_back(std::move(stmt));
    }
  }

  /// Statements for the points of a domain over the loops around and some more.
  std::vector<Stmt> over(int f, const Domain& domain, const std::vector<std::string>& loops, const Domain& around,
                         const std::vector<Stmt>& statements) {
    std::vector<Stmt> result;
    if (loops.empty()) {
      const auto guards = guards_of(dependences_.solver(), domain, around);
      for (const Stmt& s : statements) add_guarded(result, guards, domain.variables, s);
      return result;
    }
    const Range range = range_of(dependences_.solver(), loops[0], {domain}, around);
    auto inner = over(f, domain, {loops.begin() + 1, loops.end()}, entered(around, loops[0], range), statements);
    loop::For walk;
    walk.variable = loops[0];
    walk.low = range.low;
    walk.high = range.high;
    walk.kind = loop::For::Kind::forall;
    walk.body = loop::block(std::move(inner));
    result.push_back(Stmt({std::move(walk), {}}, {{text::Stage::fragments, f}}));
    return result;
  }

  /// Statements in a row under one condition share it.
  static void add_guarded(std::vector<Stmt>& into, const std::vector<math::Constraint>& guards,
                          const std::vector<std::string>& variables, const Stmt& stmt) {
    if (guards.empty()) return into.push_back(stmt);
    Expr condition = lang::to_expr(guards[0], variables);
    for (std::size_t k = 1; k < guards.size(); ++k) {
      condition = lang::binary(format::BinaryOp::logical_and, condition, lang::to_expr(guards[k], variables));
    }
    text::Origin origin = stmt.origin();
    std::vector<Stmt> inside = {stmt};
    if (const auto* last = into.empty() ? nullptr : into.back().as<loop::If>();
        last && last->condition == condition && !last->otherwise) {
      inside = last->then.as<loop::Block>()->statements;
      inside.push_back(stmt);
      origin = text::merge(origin, into.back().origin());
      into.pop_back();
    }
    into.push_back(Stmt({loop::If{condition, loop::block(std::move(inside)), std::nullopt}, {}}, origin));
  }

  Stmt with_assumptions(const Stmt& content, const LoopNode& node, std::size_t depth) const {
    std::vector<Stmt> all;
    std::vector<std::string> said;  // parts of one equation often assume the same
    for (const auto& component : node.assumed) {
      for (int f : component) {
        if (fragments_[at(f)].temporary || !tree_.site(f).placed) continue;
        const std::string slice = assumed_slice(tree_, fragments_[at(f)], names_[at(f)], depth);
        if (fragments_[at(f)].whole >= 0 && contains(said, slice)) continue;
        said.push_back(slice);
        all.push_back(note(slice, f));
      }
    }
    if (all.empty()) return content;
    const auto& rest = content.as<loop::Block>()->statements;
    all.insert(all.end(), rest.begin(), rest.end());
    return loop::block(std::move(all));
  }

  /// Results that are complete once this child has run.
  void add_ready(const Child& child, const Path& path, std::vector<Stmt>& into) const {
    for (const int id : inside(child, path)) {
      const Fragment& f = fragments_[at(id)];
      if (f.temporary) continue;
      const std::size_t depth = f.op ? free_depth(tree_, f) : tree_.site(f.id).loops.size();
      if (depth == path.size()) into.push_back(note(ready_slice(tree_, f, names_[at(f.id)], depth), f.id));
    }
  }

  /// Placed fragments of a child of a body, in source order.
  std::vector<int> inside(const Child& child, Path path) const {
    if (child.kind == Child::Kind::statement) return {child.id};
    path.push_back(child.id);
    return tree_.below(path);
  }

  static Stmt note(std::string text, int fragment) {
    return Stmt({loop::Note{std::move(text)}, {}}, {{text::Stage::fragments, fragment}});
  }
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  const std::vector<Fragment>& fragments_;
  Dependences& dependences_;
  const Tree& whole_;
  const Tree tree_;  ///< without the copies that one buffer makes superfluous
  const std::vector<Initialiser>& initialisers_;
  const BufferPlan& buffers_;
  const std::vector<Violation>& violated_;
  Statements statements_;
  std::vector<std::map<std::string, std::string>> names_;  ///< by fragment
};

}  // namespace

Nest build_nest(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers,
                const BufferPlan& buffers, const std::vector<Violation>& violated) {
  Nest nest = NestBuilder(analysis, tree, initialisers, buffers, violated).run();
  nest.stmt = with_steps(analysis, buffers, std::move(nest.stmt), nest.temporaries);
  return nest;
}

}  // namespace trellis::place
