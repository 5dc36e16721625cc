#include "engine/flow/jam_bodies.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/fibers.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

using Bodies = std::vector<Stmt>;

bool appends(const Stmt& s) {
  bool found = false;
  for_each_stmt(s, [&](const Stmt& inner) { found |= inner.as<Append>() != nullptr; });
  return found;
}

bool inserts(const Stmt& s) {
  bool found = false;
  for_each_stmt(s, [&](const Stmt& inner) { found |= inner.as<Insert>() || inner.as<Reset>() || inner.as<Freeze>(); });
  return found;
}

/// What a statement evaluates before its body is not changed by that.
template <class Node>
bool keeps_head(const Node& node, const Stmt& s) {
  const std::set<std::string> written = written_in(s);
  bool keeps = true;
  const auto look = [&](const Expr& e) {
    keeps &= std::ranges::none_of(written, [&](const std::string& tensor) { return mentions(e, tensor); });
    return e;
  };
  for_each_child(
      Stmt(StmtNode{node, {}}), [](const Stmt&) {}, look);
  return keeps;
}

class Jam {
 public:
  bool shares = false;

  Stmt body(const Bodies& iterations) {
    std::vector<Stmt> all;
    add(all, iterations);
    if (all.size() == 1) return all.front();
    // Blocks side by side have become one, in which a temporary of both comes to life once.
    std::set<std::string> declared;
    std::erase_if(all, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      return d && !declared.insert(d->tensor).second;
    });
    return made(iterations, Seq{std::move(all)});
  }

 private:
  template <class Node>
  static Stmt made(const Bodies& iterations, Node node) {
    return Stmt(StmtNode{std::move(node), iterations.front()->span}, iterations.front().origin());
  }

  template <class Node, class Get>
  static auto parts(const Bodies& iterations, Get&& get) {
    std::vector<std::decay_t<decltype(get(*iterations.front().as<Node>()))>> all;
    for (const Stmt& s : iterations) all.push_back(get(*s.as<Node>()));
    return all;
  }

  /// Do all iterations have the same there?
  template <class Node, class Get>
  static bool alike(const Bodies& iterations, Get&& get) {
    return std::ranges::all_of(
        iterations, [&](const Stmt& s) { return get(*s.as<Node>()) == get(*iterations.front().as<Node>()); });
  }

  static void add_each(std::vector<Stmt>& into, const Bodies& iterations) {
    into.insert(into.end(), iterations.begin(), iterations.end());
  }

  void add(std::vector<Stmt>& into, const Bodies& iterations) {
    const Stmt& s = iterations.front();
    if (s.as<Note>()) return into.push_back(s);
    if (s.as<Seq>()) return add_sequences(into, iterations);
    if (appends(s)) return add_each(into, iterations);
    if (s.as<Loop>()) return add_loops(into, iterations);
    std::optional<Stmt> one;
    if (s.as<Coiterate>()) one = walk(iterations);
    if (s.as<Let>()) one = let(iterations);
    if (s.as<Locate>()) one = locate(iterations);
    if (s.as<If>()) one = branch<If>(iterations, [](const If& i) { return i.condition; });
    if (s.as<Test>()) one = branch<Test>(iterations, [](const Test& t) { return t.cursor; });
    one ? into.push_back(*one) : add_each(into, iterations);
  }

  // Entries come in the order of the iterations: what lies between two statements that append is not taken apart.
  void add_sequences(std::vector<Stmt>& into, const Bodies& iterations) {
    const auto& statements = iterations.front().as<Seq>()->statements;
    const auto first = std::ranges::find_if(statements, appends);
    const auto last = std::find_if(statements.rbegin(), statements.rend(), appends).base();
    const auto from = static_cast<std::size_t>(first - statements.begin());
    const auto to = std::max(from, static_cast<std::size_t>(last - statements.begin()));
    const auto at = [&](std::size_t k) {
      return parts<Seq>(iterations, [&](const Seq& q) { return q.statements[k]; });
    };
    for (std::size_t k = 0; k < from; ++k) add(into, at(k));
    for (const Stmt& s : iterations)
      for (std::size_t k = from; k < to; ++k) into.push_back(s.as<Seq>()->statements[k]);
    for (std::size_t k = to; k < statements.size(); ++k) add(into, at(k));
  }

  // ---- loops ----

  static bool comes_to_its_end(const Loop& l) { return !l.until && !l.unless && !l.counting && l.carries.empty(); }

  /// One loop for all of the iterations, in this range.
  Stmt loop(const Bodies& iterations, Expr low, Expr high) {
    Loop all = *iterations.front().as<Loop>();
    all.low = std::move(low);
    all.high = std::move(high);
    for (const Stmt& s : iterations)
      for (const std::string& reduced : s.as<Loop>()->reduces) add_once(all.reduces, reduced);
    all.body = body(parts<Loop>(iterations, [](const Loop& l) { return l.body; }));
    shares = true;
    return made(iterations, std::move(all));
  }

  void add_loops(std::vector<Stmt>& into, const Bodies& iterations) {
    const Loop& first = *iterations.front().as<Loop>();
    if (!comes_to_its_end(first) || !keeps_head(first, iterations.front())) return add_each(into, iterations);
    const bool same = alike<Loop>(iterations, [](const Loop& l) { return l.low; }) &&
                      alike<Loop>(iterations, [](const Loop& l) { return l.high; });
    if (same) return into.push_back(loop(iterations, first.low, first.high));
    const bool whole = first.direction == Loop::Direction::up && first.takes_each();
    if (!whole || first.execution == Loop::Execution::parallel) return add_each(into, iterations);
    const auto lows = parts<Loop>(iterations, [](const Loop& l) { return l.low; });
    const auto highs = parts<Loop>(iterations, [](const Loop& l) { return l.high; });
    const Expr from = extremum(format::Function::max, lows), to = extremum(format::Function::min, highs);
    for (std::size_t c = 0; c < iterations.size(); ++c)
      if (!(lows[c] == from))
        into.push_back(within(iterations[c], lows[c], extremum(format::Function::min, {from, highs[c]})));
    into.push_back(loop(iterations, from, to));
    for (std::size_t c = 0; c < iterations.size(); ++c)
      if (!(highs[c] == to))
        into.push_back(within(iterations[c], extremum(format::Function::max, {from, to}), highs[c]));
  }

  /// The iteration's own part of the loop.
  static Stmt within(const Stmt& iteration, Expr low, Expr high) {
    Loop own = *iteration.as<Loop>();
    own.low = std::move(low);
    own.high = std::move(high);
    return Stmt(StmtNode{std::move(own), iteration->span}, iteration.origin());
  }

  /// One of them where their differences are known, else a call.
  static Expr extremum(format::Function function, const std::vector<Expr>& all) {
    std::vector<Expr> open;
    for (const Expr& e : all) {
      const bool covered = std::ranges::any_of(open, [&](const Expr& o) { return o == e || beats(function, o, e); });
      if (covered) continue;
      std::erase_if(open, [&](const Expr& o) { return beats(function, e, o); });
      open.push_back(e);
    }
    if (open.size() == 1) return open.front();
    return Expr(ExprNode{Call{function, open}, format::ScalarType::i64, {}});
  }

  static bool beats(format::Function function, const Expr& a, const Expr& b) {
    const auto x = affine(a), y = affine(b);
    if (!x || !y) return false;
    const math::Affine more = *x - *y;
    return more.is_constant() && (function == format::Function::max ? more.constant >= 0 : more.constant <= 0);
  }

  std::optional<Stmt> walk(const Bodies& iterations) {
    const Coiterate& first = *iterations.front().as<Coiterate>();
    const auto head = [](Coiterate c) {
      for (Coiterate::Point& point : c.points) point.body = Stmt(StmtNode{Seq{}, {}});
      c.reduces.clear();
      return c;
    };
    if (first.unless || !alike<Coiterate>(iterations, head) || !keeps_head(first, iterations.front()))
      return std::nullopt;
    const std::set<std::string> written = written_in(iterations.front());
    if (std::ranges::any_of(first.cursors, [&](const Cursor& c) { return written.contains(c.tensor); }))
      return std::nullopt;
    Coiterate all = first;
    for (const Stmt& s : iterations)
      for (const std::string& reduced : s.as<Coiterate>()->reduces) add_once(all.reduces, reduced);
    for (std::size_t k = 0; k < all.points.size(); ++k)
      all.points[k].body = body(parts<Coiterate>(iterations, [&](const Coiterate& c) { return c.points[k].body; }));
    shares = true;
    return made(iterations, std::move(all));
  }

  // ---- what is bound ----

  /// The bodies, in which all know by the first one's name what they have in common.
  template <class Node>
  static Bodies sharing(const Bodies& iterations) {
    const std::string& name = iterations.front().as<Node>()->name;
    return parts<Node>(iterations, [&](const Node& node) {
      return node.name == name ? node.body : renamed(node.body, node.name, name);
    });
  }

  /// One inside the other, around the bodies of all.
  template <class Node>
  Stmt nested(const Bodies& iterations) {
    Stmt inner = body(parts<Node>(iterations, [](const Node& node) { return node.body; }));
    for (std::size_t c = iterations.size(); c-- > 0;) {
      Node outer = *iterations[c].as<Node>();
      outer.body = inner;
      inner = Stmt(StmtNode{std::move(outer), iterations[c]->span}, iterations[c].origin());
    }
    return inner;
  }

  std::optional<Stmt> let(const Bodies& iterations) {
    Let first = *iterations.front().as<Let>();
    if (!keeps_head(first, iterations.front())) return std::nullopt;
    if (!alike<Let>(iterations, [](const Let& l) { return l.value; })) return nested<Let>(iterations);
    first.body = body(sharing<Let>(iterations));
    return made(iterations, std::move(first));
  }

  std::optional<Stmt> locate(const Bodies& iterations) {
    Locate first = *iterations.front().as<Locate>();
    if (!keeps_head(first, iterations.front()) || inserts(first.body)) return std::nullopt;
    const auto head = [](Locate l) {
      l.name = l.march = "";
      l.body = Stmt(StmtNode{Seq{}, {}});
      return l;
    };
    if (!alike<Locate>(iterations, head)) return nested<Locate>(iterations);
    first.body = body(sharing<Locate>(iterations));
    return made(iterations, std::move(first));
  }

  template <class Branch, class Get>
  std::optional<Stmt> branch(const Bodies& iterations, Get&& condition) {
    Branch all = *iterations.front().as<Branch>();
    if (!alike<Branch>(iterations, condition) || !keeps_head(all, iterations.front())) return std::nullopt;
    all.then = body(parts<Branch>(iterations, [](const Branch& b) { return b.then; }));
    if (all.otherwise) all.otherwise = body(parts<Branch>(iterations, [](const Branch& b) { return *b.otherwise; }));
    return made(iterations, std::move(all));
  }
};

}  // namespace

Jammed jam_bodies(const std::vector<Stmt>& iterations) {
  Jam jam;
  const Stmt body = jam.body(iterations);
  return {body, jam.shares};
}

}  // namespace trellis::flow
