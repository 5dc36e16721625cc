#include "engine/flow/flow.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::flow {

namespace {

bool declares(const Seq& seq) {
  return std::ranges::any_of(seq.statements, [](const Stmt& s) { return s.as<Declare>() != nullptr; });
}

/// Pre-order: a node gets its number before its children do. One that does not say where it comes from comes from where
/// the node around it does. A sequence within another one is part of it, but for where what it declares ends.
/// What has its number already stays the same node.
class Numbering {
 public:
  Stmt stmt(const Stmt& s, const text::Origin& around) {
    const text::Origin& origin = s.origin().empty() ? around : s.origin();
    if (const auto* seq = s.as<Seq>()) {
      std::vector<Line> lines;
      append(lines, *seq, origin);
      if (lines.size() == 1 && !declares(*seq)) return stmt(lines.front().first, lines.front().second);
      return sequence(s, lines, origin);
    }
    const int id = next_++;
    Stmt inner = map_children(
        s, [&](const Stmt& child) { return stmt(child, origin); },
        [&](const Expr& child) { return expr(child, origin); });
    if (inner.same(s) && s.id() == id && s.origin() == origin) return s;
    return Stmt(*inner, origin, id);
  }
  /// Of a function's body, which is one whatever is in it.
  Stmt sequence(const Stmt& s) {
    std::vector<Line> lines;
    append(lines, *s.as<Seq>(), s.origin());
    return sequence(s, lines, s.origin());
  }
  Expr expr(const Expr& e, const text::Origin& around) {
    const int id = next_++;
    const text::Origin& origin = e.origin().empty() ? around : e.origin();
    Expr inner = map_children(e, [&](const Expr& child) { return expr(child, origin); });
    if (inner.same(e) && e.id() == id && e.origin() == origin) return e;
    return Expr(*inner, origin, id);
  }

 private:
  using Line = std::pair<Stmt, text::Origin>;

  static void append(std::vector<Line>& lines, const Seq& seq, const text::Origin& around) {
    for (const Stmt& s : seq.statements) {
      const text::Origin& origin = s.origin().empty() ? around : s.origin();
      const auto* inner = s.as<Seq>();
      if (inner && !declares(*inner)) append(lines, *inner, origin);
      else lines.emplace_back(s, origin);
    }
  }

  Stmt sequence(const Stmt& s, const std::vector<Line>& lines, const text::Origin& origin) {
    const int id = next_++;
    Seq seq;
    for (const auto& [line, around] : lines) seq.statements.push_back(stmt(line, around));
    const auto same = [](const Stmt& a, const Stmt& b) { return a.same(b); };
    const bool kept = std::ranges::equal(seq.statements, s.as<Seq>()->statements, same);
    if (kept && s.id() == id && s.origin() == origin) return s;
    return Stmt(StmtNode{std::move(seq), s->span}, origin, id);
  }

  int next_ = 0;
};

}  // namespace

const Tensor* Flow::tensor(const std::string& wanted) const {
  for (const Tensor& t : tensors) {
    if (t.name == wanted) return &t;
  }
  return nullptr;
}

bool Tensor::sparse() const {
  return std::any_of(levels.begin(), levels.end(), [](const Level& level) { return !level.facts.dense(); });
}

bool Cursor::leaves_digits_out() const {
  return own.leaves_out() || std::ranges::any_of(digits, [](const Digit& d) { return d.map.leaves_out(); });
}

bool Cursor::unmoved() const {
  const auto* moved = offset.as<Constant>();
  return !reversed && stride == 1 && stretch == 1 && moved && moved->value.integer == 0;
}

Expr constant(format::Value value) { return Expr(ExprNode{Constant{value}, value.type, {}}); }
Expr integer(std::int64_t value) { return constant(format::Value{format::ScalarType::i64, 0, value}); }
bool is_zero(const Expr& integer) {
  const auto* c = integer.as<Constant>();
  return c && c->value.integer == 0;
}
Expr name(std::string name, Name::Kind kind) {
  const auto type = kind == Name::Kind::real ? format::ScalarType::f64 : format::ScalarType::i64;
  return Expr(ExprNode{Name{kind, std::move(name)}, type, {}});
}
Position root() { return Position(PositionNode{Root{}}); }

bool Coiterate::by_regions() const {
  return std::any_of(points.begin(), points.end(), [](const Point& point) { return point.regions.has_value(); });
}

const Cursor* Coiterate::only() const {
  const bool alone = points.size() == 1 && points[0].leads.size() == 1 && cursors.size() == 1 && !by_regions();
  if (alone && (cursors[0].takes_segments() || cursors[0].is_product())) return nullptr;
  return alone ? &cursors[0] : nullptr;
}

double iterations_in(const Loop& loop, double coordinates) {
  const double left = loop.after > 1 ? std::fmod(coordinates, loop.after) : coordinates;
  return loop.by > 1 ? std::floor(left / loop.by) : left;
}

std::set<std::string> bound_by(const Stmt& s) {
  std::set<std::string> names;
  if (const auto* l = s.as<Loop>()) {
    names.insert(l->variable);
    if (l->among) names.insert(l->among->entry);
  }
  if (const auto* l = s.as<Let>()) names.insert(l->name);
  if (const auto* l = s.as<Locate>()) names.insert(l->name);
  if (const auto* i = s.as<Insert>()) names.insert(i->name);
  const auto* c = s.as<Coiterate>();
  if (!c) return names;
  names.insert(c->variable);
  for (const Cursor& cursor : c->cursors) names.insert(cursor.name);
  if (c->ahead) names.insert(c->ahead->coordinate);
  for (const Coiterate::Point& point : c->points)
    if (point.regions) names.insert({point.regions->first, point.regions->last});
  return names;
}

std::set<std::string> bound_in(const Stmt& stmt) {
  std::set<std::string> names;
  for_each_stmt(stmt, [&](const Stmt& s) { names.merge(bound_by(s)); });
  return names;
}

Flow number(const Flow& flow) {
  Flow numbered = flow;
  Numbering numbering;
  numbered.root = numbering.stmt(flow.root, {});
  for (Function& function : numbered.functions) {
    function.body = numbering.sequence(function.body);
    function.result = numbering.expr(function.result, function.body.origin());
  }
  return numbered;
}

bool is_plain(const Loop& l, std::initializer_list<But> but) {
  const auto unless = [&](But mark) { return std::ranges::find(but, mark) != but.end(); };
  return l.takes_each() && (l.direction == Loop::Direction::up || unless(But::down)) &&
         (l.execution != Loop::Execution::vector || unless(But::vector)) &&
         (l.execution != Loop::Execution::parallel || unless(But::parallel)) && (!l.unless || unless(But::unless)) &&
         (!l.until || unless(But::until)) && (!l.counting || unless(But::counting)) &&
         (l.carries.empty() || unless(But::carries));
}

namespace {

Stmt without_pace(const Stmt& s) {
  const Stmt inner = map_children(
      s, [](const Stmt& child) { return without_pace(child); }, [](const Expr& e) { return e; });
  const auto dropped = [&](auto loop) {
    static_cast<Pace&>(loop) = {};
    return Stmt(StmtNode{std::move(loop), inner->span}, inner.origin(), inner.id());
  };
  if (const auto* l = inner.as<Loop>()) return dropped(*l);
  const auto* c = inner.as<Coiterate>();
  if (!c) return inner;
  Coiterate next = *c;
  for (Cursor& cursor : next.cursors) cursor.find = Cursor::Find::chosen, cursor.unsorted = false;
  return dropped(std::move(next));
}

}  // namespace

Flow without_pace(const Flow& flow) {
  Flow next = flow;
  next.root = without_pace(flow.root);
  return number(next);
}

bool iterations_wait(const Loop& loop) {
  bool found = false;
  if (loop.execution == Loop::Execution::parallel)
    for_each_stmt(loop.body, [&](const Stmt& s) {
      const auto* a = s.as<Await>();
      found |= a && a->loop == loop.variable;
    });
  return found;
}

bool mentions(const Expr& expr, const std::string& tensor) {
  const auto* value = expr.as<Value>();
  bool found = value && value->tensor == tensor;
  for_each_child(expr, [&](const Expr& child) { found = found || mentions(child, tensor); });
  return found;
}

bool mentions(const Stmt& stmt, const std::string& tensor) {
  bool found = stmt.match(
      [&](const Assign& a) { return a.tensor == tensor; }, [&](const Append& a) { return a.tensor == tensor; },
      [&](const Reset& r) { return r.tensor == tensor; }, [&](const Declare& d) { return d.tensor == tensor; },
      [&](const Freeze& f) { return f.tensor == tensor; }, [&](const Exchange& e) { return e.tensor == tensor; },
      [&](const Locate& l) { return l.tensor == tensor; }, [&](const Tabulate& t) { return t.tensor == tensor; },
      [&](const Insert& i) { return i.tensor == tensor; },
      [&](const Coiterate& c) {
        return std::any_of(c.cursors.begin(), c.cursors.end(), [&](const Cursor& k) { return k.tensor == tensor; });
      },
      [](const auto&) { return false; });
  for_each_child(
      stmt, [&](const Stmt& child) { found = found || mentions(child, tensor); },
      [&](const Expr& child) { found = found || mentions(child, tensor); });
  return found;
}

}  // namespace trellis::flow
