// What `verify` finds: a field of a node of some flow is changed at random, and nearly always it says so. Fields that
// may have any value (constants, directions, strides) are none of its business, and are left alone.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <random>

#include "engine/flow/passes.hpp"
#include "engine/flow/read.hpp"
#include "tests/golden/golden_file.hpp"
#include "tests/options.hpp"
#include "tests/programs.hpp"

namespace trellis::testing::mutated {
namespace {

namespace fs = std::filesystem;
using namespace flow;
using format::ScalarType;

constexpr int changes_of_each_flow = 40;
constexpr double wanted_found = 0.9;

/// Other names than one that stands somewhere in a flow: of a tensor, or of what loops and look-ups bind.
class Names {
 public:
  explicit Names(const Flow& flow) : bound_(bound_in(flow.root)) {
    for (const Tensor& t : flow.tensors) tensors_.insert(t.name);
  }
  std::string tensor(const std::string& name) const { return other(tensors_, name); }
  std::string bound(const std::string& name) const { return other(bound_, name); }

 private:
  static std::string other(const std::set<std::string>& names, const std::string& name) {
    const auto next = names.upper_bound(name);
    return next != names.end() ? *next : "nobody";
  }
  std::set<std::string> bound_, tensors_;
};

/// All that a node becomes by a change of one field, with what the field is called.
template <class T>
using Changes = std::vector<std::pair<std::string, T>>;

class Mutator {
 public:
  explicit Mutator(const Flow& flow) : names_(flow) {}

  Changes<Position> of(const Position& p) const {
    Changes<Position> all;
    const auto add = [&](const char* field, auto node) {
      all.emplace_back(field, Position(PositionNode{std::move(node)}));
    };
    if (p.as<Root>()) add("position", At{"nobody", false});
    if (const auto* at = p.as<At>()) add("position.name", At{names_.bound(at->name), at->several});
    if (const auto* w = p.as<Within>()) {
      add("position.name", Within{w->tensor, w->level, names_.bound(w->name), w->coordinate});
      add("position.level", Within{w->tensor, w->level + 1, w->name, w->coordinate});
    }
    if (const auto* d = p.as<Direct>()) {
      add("position.tensor", Direct{names_.tensor(d->tensor), d->level, d->parent, d->coordinate, d->check});
      add("position.level", Direct{d->tensor, d->level + 1, d->parent, d->coordinate, d->check});
      for (auto& [field, parent] : of(d->parent))
        add(field.c_str(), Direct{d->tensor, d->level, parent, d->coordinate, d->check});
    }
    return all;
  }

  Changes<Expr> of(const Expr& e) const {
    Changes<Expr> all;
    const auto add = [&](const char* field, auto node) {
      all.emplace_back(field, Expr(ExprNode{std::move(node), e->type, e->span}));
    };
    ExprNode other = *e;
    other.type = e->type == ScalarType::f64 ? ScalarType::i64 : ScalarType::f64;
    all.emplace_back("expression.type", Expr(other));
    if (const auto* n = e.as<Name>(); n && n->kind == Name::Kind::variable) add("name", Name{n->kind, "nobody"});
    if (const auto* h = e.as<Here>()) add("here.cursor", Here{names_.bound(h->cursor), h->several});
    if (const auto* v = e.as<Value>()) {
      add("value.tensor", Value{names_.tensor(v->tensor), v->position});
      for (auto& [field, position] : of(v->position)) add(field.c_str(), Value{v->tensor, position});
    }
    if (const auto* c = e.as<Call>()) add("call.arguments", Call{c->function, {}});
    if (const auto* a = e.as<Apply>()) add("apply.function", Apply{"nobody", a->arguments});
    if (const auto* c = e.as<Checked>())
      add("checked.level", Checked{c->tensor, c->level + 9, c->coordinate, c->check});
    if (const auto* s = e.as<Stored>()) add("stored.level", Stored{s->tensor, s->level + 9});
    return all;
  }

  Changes<Stmt> of(const Stmt& s) const {
    Changes<Stmt> all;
    s.match(
        [&](const Loop& l) { loop(s, l, all); }, [&](const Coiterate& c) { walk(s, c, all); },
        [&](const Test& t) { change(s, t, "test.cursor", all, [&](Test& n) { n.cursor = names_.bound(t.cursor); }); },
        [&](const Locate& l) { look_up(s, l, "locate", all); }, [&](const Insert& i) { look_up(s, i, "insert", all); },
        [&](const Tabulate& t) {
          change(s, t, "tabulate.tensor", all, [&](Tabulate& n) { n.tensor = names_.tensor(t.tensor); });
          change(s, t, "tabulate.level", all, [](Tabulate& n) { ++n.level; });
        },
        [&](const Declare& d) {
          change(s, d, "declare.tensor", all, [&](Declare& n) { n.tensor = names_.tensor(d.tensor); });
        },
        [&](const Freeze& f) {
          change(s, f, "freeze.tensor", all, [&](Freeze& n) { n.tensor = names_.tensor(f.tensor); });
        },
        [&](const Reset& r) { change(s, r, "reset.tensor", all, [](Reset& n) { n.tensor = "nobody"; }); },
        [&](const Exchange& e) { change(s, e, "exchange.tensor", all, [](Exchange& n) { n.tensor = "nobody"; }); },
        [&](const Await& a) { change(s, a, "await.loop", all, [&](Await& n) { n.loop = names_.bound(a.loop); }); },
        [&](const Assign& a) {
          change(s, a, "assign.tensor", all, [&](Assign& n) { n.tensor = names_.tensor(a.tensor); });
          for (const auto& [field, position] : of(a.position))
            change(s, a, field.c_str(), all, [&, to = position](Assign& n) { n.position = to; });
        },
        [&](const Append& a) {
          change(s, a, "append.tensor", all, [&](Append& n) { n.tensor = names_.tensor(a.tensor); });
          change(s, a, "append.coordinates", all, [](Append& n) { n.coordinates.pop_back(); });
        },
        [](const auto&) {});
    return all;
  }

 private:
  template <class Node, class Change>
  static void change(const Stmt& s, const Node& node, const char* field, Changes<Stmt>& all, Change&& change) {
    Node next = node;
    change(next);
    all.emplace_back(field, Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id()));
  }

  template <class Node>
  void look_up(const Stmt& s, const Node& l, const std::string& kind, Changes<Stmt>& all) const {
    change(s, l, (kind + ".tensor").c_str(), all, [&](Node& n) { n.tensor = names_.tensor(l.tensor); });
    change(s, l, (kind + ".level").c_str(), all, [](Node& n) { ++n.level; });
    for (const auto& [field, parent] : of(l.parent))
      change(s, l, field.c_str(), all, [&, to = parent](Node& n) { n.parent = to; });
  }

  template <class Loops>
  void effects(const Stmt& s, const Loops& l, Changes<Stmt>& all) const {
    change(s, l, "loop.variable", all, [&](Loops& n) { n.variable = names_.bound(l.variable); });
    change(s, l, "loop.reduces", all, [](Loops& n) { n.reduces.push_back("nobody"); });
    change(s, l, "loop.partials", all, [](Loops& n) { n.partials.push_back({"nobody", format::ReduceOp::sum}); });
    change(s, l, "loop.merge_path", all, [](Loops& n) { n.merge_path = MergePath{"nobody", 1}; });
    change(s, l, "loop.carries", all, [](Loops& n) { n.carries.push_back({"nobody", "nobody", 1}); });
  }

  void loop(const Stmt& s, const Loop& l, Changes<Stmt>& all) const {
    effects(s, l, all);
    change(s, l, "loop.asks_every", all, [](Loop& n) {
      n.asks_every += 6;
      n.unless.reset();
    });
    change(s, l, "loop.after", all, [](Loop& n) { n.by = 2, n.after = 3; });
    change(s, l, "loop.closes", all, [](Loop& n) { n.closes.push_back("nobody"); });
    change(s, l, "loop.lists", all, [](Loop& n) { n.lists.push_back({"lists", "nobody", 1}); });
  }

  void walk(const Stmt& s, const Coiterate& c, Changes<Stmt>& all) const {
    effects(s, c, all);
    change(s, c, "walk.carried", all, [](Coiterate& n) { n.carried = !n.carried; });
    change(s, c, "walk.asks_every", all, [](Coiterate& n) {
      n.asks_every += 6;
      n.unless.reset();
    });
    change(s, c, "walk.in_pairs", all, [](Coiterate& n) { n.in_pairs = true; });
    for (std::size_t k = 0; k < c.cursors.size(); ++k) {
      const Cursor& cursor = c.cursors[k];
      change(s, c, "cursor.tensor", all, [&](Coiterate& n) { n.cursors[k].tensor = names_.tensor(cursor.tensor); });
      change(s, c, "cursor.level", all, [&](Coiterate& n) { ++n.cursors[k].level; });
      change(s, c, "cursor.name", all, [&](Coiterate& n) { n.cursors[k].name = names_.bound(cursor.name); });
      change(s, c, "cursor.unsorted", all, [&](Coiterate& n) { n.cursors[k].unsorted = !cursor.unsorted; });
      for (const auto& [field, parent] : of(cursor.parent))
        change(s, c, field.c_str(), all, [&, to = parent](Coiterate& n) { n.cursors[k].parent = to; });
    }
    for (std::size_t k = 0; k < c.points.size(); ++k) {
      change(s, c, "point.leads", all,
             [&](Coiterate& n) { n.points[k].leads.push_back(static_cast<int>(c.cursors.size())); });
      change(s, c, "point.follows", all, [&](Coiterate& n) { n.points[k].follows.push_back(-1); });
      change(s, c, "point.together", all, [&](Coiterate& n) { n.points[k].together = !c.points[k].together; });
    }
  }

  const Names names_;
};

/// Counts the fields that can be changed, and changes the one with the number.
class Changed {
 public:
  Changed(const Flow& flow, int number) : mutator_(flow), left_(number) {
    flow_ = flow;
    flow_.root = stmt(flow.root);
  }
  const Flow& flow() const { return flow_; }
  const std::string& field() const { return field_; }
  int counted() const { return counted_; }

 private:
  template <class T>
  std::optional<T> taken(const T& node) {
    for (auto& [field, next] : mutator_.of(node)) {
      ++counted_;
      if (left_-- != 0) continue;
      field_ = field;
      return next;
    }
    return std::nullopt;
  }
  Stmt stmt(const Stmt& s) {
    if (const auto next = taken(s)) return *next;
    return map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& child) { return expr(child); });
  }
  Expr expr(const Expr& e) {
    if (const auto next = taken(e)) return *next;
    return map_children(e, [&](const Expr& child) { return expr(child); });
  }

  const Mutator mutator_;
  Flow flow_;
  int left_, counted_ = 0;
  std::string field_;
};

}  // namespace

TEST_CASE("verify finds nearly all fields of nodes that are not what they should be") {
  std::mt19937_64 dice(options().seed.value_or(7));
  std::map<std::string, std::pair<int, int>> found;  // by field: of so many
  for (const fs::path& path : files_of("tests/flow/passes", ".flow")) {
    const ReadFlow read = flow::read(parse_golden(testing::read(path)).sections[0].body);
    REQUIRE(read.flow);
    for (const Flow& flow : {*read.flow, after_each_pass(*read.flow, {}).back()}) {
      REQUIRE(verify(flow) == "");
      const int fields = Changed(flow, -1).counted();
      for (int k = 0; k < changes_of_each_flow; ++k) {
        const Changed changed(flow, static_cast<int>(dice() % static_cast<std::uint64_t>(fields)));
        auto& [seen, all] = found[changed.field()];
        ++all;
        seen += verify(changed.flow()) != "";
      }
    }
  }
  int seen = 0, all = 0;
  std::string missed;
  for (const auto& [field, count] : found) {
    seen += count.first;
    all += count.second;
    if (count.first < count.second)
      missed += field + " " + std::to_string(count.first) + " of " + std::to_string(count.second) + "\n";
  }
  CAPTURE(missed);
  CHECK(all > 4000);
  CHECK(seen >= wanted_found * all);
}

}  // namespace trellis::testing::mutated
