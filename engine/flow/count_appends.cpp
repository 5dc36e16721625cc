#include "engine/flow/count_appends.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace trellis::flow {

namespace {

using Names = std::set<std::string>;

bool does_nothing(const Stmt& s) {
  const auto* seq = s.as<Seq>();
  return s.as<Note>() || (seq && std::all_of(seq->statements.begin(), seq->statements.end(), does_nothing));
}

bool uses(const Position& position, const std::string& name);

bool uses(const Expr& e, const std::string& name) {
  const auto* n = e.as<Name>();
  const auto* v = e.as<Value>();
  bool found = (n && n->name == name) || (v && uses(v->position, name));
  for_each_child(e, [&](const Expr& child) { found = found || uses(child, name); });
  return found;
}

bool uses(const Position& position, const std::string& name) {
  if (const auto* at = position.as<At>()) return at->name == name;
  if (const auto* w = position.as<Within>()) return w->name == name || uses(w->coordinate, name);
  const auto* d = position.as<Direct>();
  return d && (uses(d->coordinate, name) || uses(d->parent, name));
}

bool begins_or_ends(const Cursor& cursor, const std::string& look_up) {
  return (cursor.from && cursor.from->look_up == look_up) || (cursor.to && cursor.to->look_up == look_up);
}

/// Does anything in the statement name the variable or the position?
bool uses(const Stmt& s, const std::string& name) {
  bool found = s.match(
      [&](const Assign& a) { return uses(a.position, name); }, [&](const Locate& l) { return uses(l.parent, name); },
      [&](const Insert& i) { return uses(i.parent, name); }, [&](const Tabulate& t) { return uses(t.parent, name); },
      [&](const Coiterate& c) {
        return std::any_of(c.cursors.begin(), c.cursors.end(),
                           [&](const Cursor& k) { return uses(k.parent, name) || begins_or_ends(k, name); });
      },
      [](const auto&) { return false; });
  for_each_child(
      s, [&](const Stmt& child) { found = found || uses(child, name); },
      [&](const Expr& child) { found = found || uses(child, name); });
  return found;
}

/// The part of an iteration that decides which entries it appends.
class Slice {
 public:
  explicit Slice(const Flow& flow) : flow_(flow) {}

  Stmt of(const Stmt& body) {
    // What a part needs that was left out is not needed either.
    Stmt slice = body;
    for (std::size_t before = 0;; before = needed_.size()) {
      find_needs(slice);
      slice = kept(slice);
      if (needed_.size() == before) return slice;
    }
  }

  /// Tensors whose values decide.
  const Names& needed() const { return needed_; }

 private:
  void find_needs(const Stmt& body) {
    needed_.clear();
    for (std::size_t before = 1; before != needed_.size();) {
      before = needed_.size();
      for_each_stmt(body, [&](const Stmt& s) { note_needs(s); });
    }
  }

  void note_needs(const Stmt& s) {
    const auto* assign = s.as<Assign>();
    const auto* reset = s.as<Reset>();
    const auto* append = s.as<Append>();
    if ((assign && !needed_.count(assign->tensor)) || (reset && !needed_.count(reset->tensor))) return;
    for_each_child(
        s, [](const Stmt&) {},
        [&](const Expr& e) {
          if (!append || append->prune || !e.same(append->value)) need(e);
        });
  }

  void need(const Expr& e) {
    if (const auto* v = e.as<Value>()) needed_.insert(v->tensor);
    for_each_child(e, [&](const Expr& child) { need(child); });
  }

  Stmt kept(const Stmt& s) const {
    const auto nothing = [&] { return Stmt(StmtNode{Seq{}, s->span}, s.origin()); };
    const auto made = [&](auto node) { return Stmt(StmtNode{std::move(node), s->span}, s.origin()); };
    if (const auto* seq = s.as<Seq>()) return of_all(s, *seq);
    if (const auto* a = s.as<Assign>()) return needed_.count(a->tensor) ? s : nothing();
    if (const auto* r = s.as<Reset>())
      return needed_.count(r->tensor) || flow_.tensor(r->tensor)->sparse() ? s : nothing();
    if (const auto* a = s.as<Append>()) {
      return made(Append{a->tensor, a->coordinates, a->prune ? a->value : constant(flow_.tensor(a->tensor)->fill),
                         a->prune, true});
    }
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return kept(child); }, [](const Expr& e) { return e; });
    const bool idle = inner.match(
        [](const Loop& l) { return !l.until && does_nothing(l.body); },
        [](const Coiterate& c) {
          return std::all_of(c.points.begin(), c.points.end(), [](const auto& p) { return does_nothing(p.body); });
        },
        [](const Test& t) { return does_nothing(t.then) && (!t.otherwise || does_nothing(*t.otherwise)); },
        [](const If& i) { return does_nothing(i.then) && (!i.otherwise || does_nothing(*i.otherwise)); },
        [](const Locate& l) { return does_nothing(l.body); }, [](const Let& l) { return does_nothing(l.body); },
        [](const Note&) { return true; }, [](const auto&) { return false; });
    if (idle) return nothing();
    // Entries that are counted whichever operands have them.
    if (const auto* t = inner.as<Test>()) {
      const bool same = t->certain || (t->otherwise && t->then == *t->otherwise);
      if (same && !uses(t->then, t->cursor)) return t->then;
    }
    if (const auto* l = inner.as<Let>(); l && !uses(l->body, l->name)) return l->body;
    if (const auto* l = inner.as<Locate>(); l && !l->check && !uses(l->body, l->name)) return l->body;
    return inner;
  }

  /// Without temporaries that nothing mentions any more.
  Stmt of_all(const Stmt& s, const Seq& all) const {
    Seq next;
    for (const Stmt& child : all.statements)
      if (const Stmt now = kept(child); !does_nothing(now)) next.statements.push_back(now);
    const std::vector<Stmt> every = next.statements;
    std::erase_if(next.statements, [&](const Stmt& child) {
      const auto* d = child.as<Declare>();
      return d && std::none_of(every.begin(), every.end(),
                               [&](const Stmt& other) { return !other.as<Declare>() && mentions(other, d->tensor); });
    });
    if (next.statements.size() == 1) return next.statements.front();
    return Stmt(StmtNode{std::move(next), s->span}, s.origin());
  }

  const Flow& flow_;
  Names needed_;
};

/// Pointers that march begin anew where the statement runs once more.
Stmt with_returning_pointers(const Stmt& s) {
  const Stmt inner = map_children(
      s, [](const Stmt& child) { return with_returning_pointers(child); }, [](const Expr& e) { return e; });
  const auto* l = inner.as<Locate>();
  if (!l || l->march.empty() || l->returns) return inner;
  Locate next = *l;
  next.returns = true;
  return Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
}

class Counting {
 public:
  explicit Counting(const Flow& flow) : flow_(flow) {}

  std::variant<Flow, NotApart> run() {
    Flow result = flow_;
    result.root = visit(flow_.root);
    if (refused_) return *refused_;
    return result;
  }

 private:
  Stmt visit(const Stmt& s) {
    if (const auto* scatter = s.as<Scatter>()) {
      Scatter next = *scatter;
      next.body = with_returning_pointers(scatter->body);
      next.counting = Slice(flow_).of(next.body);
      return Stmt(StmtNode{std::move(next), s->span}, s.origin());
    }
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    const auto execution = l ? l->execution : c ? c->execution : Loop::Execution::serial;
    if (execution == Loop::Execution::parallel) {
      const Names written = appended(s);
      if (l && !written.empty() && iterations_wait(*l)) {
        refuse(l->variable, *written.begin(),
               "its iterations wait for each other's values, so their entries cannot be counted ahead; give it the "
               "entries of a mask");
        return s;
      }
      if (shares(s, l ? l->variable : c->variable)) return s;
      if (!written.empty() && c && !c->only()) {
        refuse(c->variable, *written.begin(),
               "it goes from entry to entry; entries are counted ahead in a loop over all coordinates of a dense "
               "dimension");
        return s;
      }
      for (const std::string& tensor : written)
        if (flow_.tensor(tensor)->levels.back().facts.region == format::Region::run) {
          refuse(l ? l->variable : c->variable, tensor,
                 "how many runs there are depends on their values; collect it as csr and use `format` afterwards");
          return s;
        }
      if (!written.empty() && c) return counted(s, *c, c->points[0].body, written);
      if (l) return written.empty() ? s : counted(s, *l, l->body, written);
      if (c->cursors.size() == 1) return s;  // of several, one thread goes through all
    }
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
  }

  static Names appended(const Stmt& s) {
    Names names;
    for_each_stmt(s, [&](const Stmt& inner) {
      if (const auto* a = inner.as<Append>()) names.insert(a->tensor);
    });
    return names;
  }

  static Names declared(const Stmt& s) {
    Names names;
    for_each_stmt(s, [&](const Stmt& inner) {
      if (const auto* d = inner.as<Declare>()) names.insert(d->tensor);
    });
    return names;
  }

  void refuse(const std::string& variable, const std::string& tensor, std::string note) {
    if (!refused_) refused_ = {variable, "its iterations append to " + tensor, std::move(note)};
  }

  /// A sparse workspace that is declared outside, and that the iterations change.
  bool shares(const Stmt& s, const std::string& variable) {
    const Names own = declared(s);
    const auto shared = [&](const std::string& tensor) {
      const Tensor& t = *flow_.tensor(tensor);
      return t.sparse() && t.storage == Tensor::Storage::temporary && !own.count(tensor);
    };
    for_each_stmt(s, [&](const Stmt& inner) {
      std::string found;
      const auto* i = inner.as<Insert>();
      const auto* r = inner.as<Reset>();
      const auto* f = inner.as<Freeze>();
      if (i && shared(i->tensor)) found = i->tensor;
      if (r && (shared(r->tensor) || (flow_.tensor(r->tensor)->sparse() && !own.count(r->tensor)))) found = r->tensor;
      if (f && (shared(f->tensor) || !own.count(f->tensor))) found = f->tensor;
      if (const auto* c = inner.as<Coiterate>())
        for (const Cursor& cursor : c->cursors)
          if (shared(cursor.tensor) && sorts(cursor) && !uses(cursor.parent, variable)) found = cursor.tensor;
      if (found.empty() || refused_) return;
      refused_ = {variable, "its iterations share " + found,
                  "threads can change together what is dense; `workspace w for T(:,:) dense` collects all of a result "
                  "T in a dense array"};
    });
    return refused_.has_value();
  }

  /// A bytemap's list of coordinates is put in order by whoever walks it.
  bool sorts(const Cursor& cursor) const {
    return flow_.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].facts.locate ==
           format::Locate::direct;
  }

  /// A loop, or the walk of an only cursor.
  template <class AnyLoop>
  Stmt counted(const Stmt& s, const AnyLoop& l, const Stmt& body, const Names& written) {
    for (const std::string& name : written)
      if (const std::string why = hindrance(l, body, *flow_.tensor(name)); !why.empty()) {
        refuse(l.variable, name, why);
        return s;
      }
    Slice slice(flow_);
    AnyLoop next = l;
    next.counting = slice.of(body);
    const Names own = declared(body);
    for_each_stmt(body, [&](const Stmt& inner) {
      const auto* a = inner.as<Assign>();
      const auto* r = inner.as<Reset>();
      const std::string* tensor = a ? &a->tensor : r ? &r->tensor : nullptr;
      if (!tensor || own.count(*tensor) || !slice.needed().count(*tensor)) return;
      refuse(l.variable, *written.begin(),
             "how many entries there are depends on " + *tensor + ", which the same iterations write");
    });
    return Stmt(StmtNode{std::move(next), s->span}, s.origin());
  }

  static bool comes_by_each(const Loop& l) { return l.takes_each(); }
  static bool comes_by_each(const Coiterate&) { return true; }

  /// Why the entries of an iteration cannot be counted ahead; empty when they can.
  template <class AnyLoop>
  std::string hindrance(const AnyLoop& l, const Stmt& body, const Tensor& tensor) const {
    bool outermost = true, read = false;
    for_each_stmt(body, [&](const Stmt& s) {
      if (const auto* a = s.as<Append>(); a && a->tensor == tensor.name) {
        const auto* n = a->coordinates[0].template as<Name>();
        outermost &= n && n->kind == Name::Kind::variable && n->name == l.variable;
      }
      if (const auto* locate = s.as<Locate>()) read |= locate->tensor == tensor.name;
      if (const auto* c = s.as<Coiterate>())
        for (const Cursor& cursor : c->cursors) read |= cursor.tensor == tensor.name;
    });
    if (read) return "they read what " + tensor.name + " has so far";
    if (!outermost) return l.variable + " is not the index that " + tensor.name + " is stored by first";
    if (l.direction == Loop::Direction::down) return "it runs downwards";
    if (!comes_by_each(l)) return "it is jammed";
    const auto* low = l.low.template as<Constant>();
    if (!low || low->value.integer < 0 || !(l.high == tensor.levels[0].size))
      return "entries are counted ahead in a loop that runs to the end of the dimension of " + tensor.name;
    return "";
  }

  const Flow& flow_;
  std::optional<NotApart> refused_;
};

}  // namespace

std::variant<Flow, NotApart> count_appends(const Flow& flow) { return Counting(flow).run(); }

std::optional<Flow> count_parallel_appends(const Flow& flow, const lang::Kernel& kernel,
                                           text::Diagnostics& diagnostics) {
  auto result = count_appends(flow);
  const auto* none = std::get_if<NotApart>(&result);
  if (!none) return std::move(std::get<Flow>(result));
  text::Span span = kernel.span;
  for (const lang::ScheduleStep& step : kernel.schedule.steps) {
    const bool asked = step.kind == lang::ScheduleStep::Kind::parallel;
    if (asked && !step.loops.empty() && step.loops.front() == none->variable) span = step.span;
  }
  const std::string what = "loop " + none->variable + " cannot run in parallel: " + none->reason;
  diagnostics.error("E0147", span, what, "").notes.push_back({{}, none->note});
  return std::nullopt;
}

}  // namespace trellis::flow
