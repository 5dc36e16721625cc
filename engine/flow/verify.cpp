#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "engine/flow/assert_verified.hpp"
#include "engine/flow/entries.hpp"
#include "engine/flow/fibers.hpp"
#include "engine/flow/flow.hpp"
#include "engine/flow/levels.hpp"
#include "engine/flow/marks.hpp"
#include "engine/flow/rows.hpp"
#include "engine/flow/segments.hpp"
#include "engine/flow/verify_expressions.hpp"
#include "engine/flow/verify_storage.hpp"
#include "engine/text/scoped.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

using format::ScalarType;

class Verifier : ExpressionVerifier {
 public:
  explicit Verifier(const Flow& flow) : ExpressionVerifier(flow), written_(written_in(flow.root)) {}

  void run() {
    declarations();
    verify_storage(flow_);
    stmt(flow_.root);
  }

 private:
  void declarations() {
    const Flow& flow = flow_;
    for (const std::string& size : flow.sizes) bound_[size] = {};
    for (const std::string& real : flow.reals) bound_[real] = {ScalarType::f64};
    for (const Tensor& tensor : flow.tensors) {
      if (tensor.storage != Tensor::Storage::temporary) alive_.insert(tensor.name);
      for (const Level& level : tensor.levels) expr(level.size);
      require(!tensor.readable || (tensor.storage == Tensor::Storage::result && tensor.sparse()),
              tensor.name + " is no result that is appended to");
      require(!tensor.listed || adds_up(flow, tensor), tensor.name + " is looked at before it is in order");
    }
    for (const PositionMap& map : flow.maps) {
      const Tensor *const from = flow.tensor(map.from), *const to = flow.tensor(map.to);
      require(from && to && are_transposed(*from, *to) && !entries_of(flow, map.from).empty() &&
                  !entries_of(flow, map.to).empty(),
              map.name + " maps entries that move, or are not stored across");
    }
  }

  void children(const Stmt& s) {
    for_each_child(
        s, [&](const Stmt& child) { stmt(child); }, [&](const Expr& child) { expr(child); });
  }

  /// Bounds and values are outside the scope of the variable that they define.
  void binding(const std::string& variable, const Stmt& body, BoundName as = {}) {
    const bool fresh = bound_.emplace(variable, as).second;
    stmt(body);
    if (fresh) bound_.erase(variable);
  }

  /// It stands before each iteration, hence outside the scope of the loop's variable.
  void leaves(const Expr& over, Loop::Execution execution) {
    truth(over);
    require(execution == Loop::Execution::serial, "a parallel or vector loop with an early exit");
    expr(over);
  }

  template <class Loops>
  void range(const Loops& l) {
    expr(l.low), whole(l.low);
    expr(l.high), whole(l.high);
    if (l.unless) leaves(*l.unless, l.execution);
  }

  void coiteration(const Coiterate& c) {
    range(c);
    std::set<std::string> fresh;
    for (const Cursor& cursor : c.cursors) {
      levels(cursor.tensor, cursor.first_level(), cursor.level, cursor.parent);
      product(c, cursor);
      expr(cursor.offset), whole(cursor.offset);
      require(cursor.stride >= 1 && cursor.stretch >= 1 && (cursor.stride == 1 || cursor.stretch == 1),
              "a cursor that is both sliced and stretched, or neither way");
      require(cursor.width >= 1 && cursor.width <= cursor.stride, "segments that share entries");
      if (cursor.exists) expr(*cursor.exists), truth(*cursor.exists);
      for (const auto& bound : {cursor.from, cursor.to})
        require(!bound || near_.contains(bound->look_up), "a loop that is bounded by a look-up that says nothing near");
    }
    for (const Cursor& cursor : c.cursors)
      if (bound_.emplace(cursor.name, BoundName{ScalarType::i64, cursor.level, true}).second) fresh.insert(cursor.name);
    require(fresh.size() == c.cursors.size(), "two cursors of one name at loop " + c.variable);
    require(std::ranges::none_of(c.cursors, &Cursor::unsorted) || counts_bytemap(flow_, c),
            c.variable + " goes through entries in any order, and does more than count them");
    pace(c);
    const std::set<std::string> outside = carried_;
    if (const Coiterate* const walk = carries_segment(flow_, c)) carried_.insert(walk->cursors[0].name);
    for (const Coiterate::Point& point : c.points) {
      require(!point.together || (point.regions && point.leads.size() > 1 && !point.any),
              "iterations where several leads are together, of a point that has none, or does not go by regions");
      if (point.regions) regions(c, *point.regions, point.body);
      else binding(c.variable, point.body);
    }
    require(!c.counting || (c.execution == Loop::Execution::parallel && c.only()),
            "entries of several cursors are counted");
    if (c.counting) binding(c.variable, *c.counting);
    carried_ = outside;
    for (const std::string& name : fresh) bound_.erase(name);
  }

  void product(const Coiterate& c, const Cursor& cursor) {
    if (!cursor.is_product()) return;
    const Tensor& tensor = *flow_.tensor(cursor.tensor);
    require(tensor.storage == Tensor::Storage::operand && c.execution != Loop::Execution::parallel && !c.by_regions(),
            "a product of what is written, in parallel, or by regions");
    require(cursor.stretch == 1 && cursor.width == 1, "a product that is stretched, or in segments");
    int level = cursor.first_level();
    for (const Cursor::Digit& digit : cursor.digits)
      require(digit.level == level++ && digit.unit > 1, "a product that leaves a level out");
    require(level == cursor.level && !facts_of(tensor, level).dense(), "a product that ends elsewhere");
  }

  /// How an only cursor is made faster.
  void pace(const Coiterate& c) {
    const Cursor* const cursor = c.only();
    require(cursor || !(c.carried || c.unroll > 1 || c.ahead || !c.streamed.empty()),
            "a loop of several cursors, made faster as if it had one");
    require(c.asks_every == 1 || only_finds_out(flow_, c), "loop " + c.variable + " cannot run on past its end");
    require(!c.in_pairs || !updates_apart(flow_, c).empty(), c.variable + " does more for two entries than update");
    require(!c.carried || (cursor && carried_.contains(cursor->name)), "no loop carries " + c.variable + "'s position");
    if (!c.ahead) return;
    const bool fresh = bound_.emplace(c.ahead->coordinate, BoundName{}).second;
    require(fresh, c.ahead->coordinate + " is another variable already");
    for (const Ahead::Row& row : c.ahead->rows) element(row.tensor, row.position);
    bound_.erase(c.ahead->coordinate);
  }

  /// A loop that carries positions comes by each of their fibers, in turn.
  template <class Inside>
  void carrying(const Stmt& loop, const std::vector<Carry>& carries, const Inside& inside) {
    if (carries.empty()) return inside();
    const std::set<std::string> outside = carried_;
    const std::optional<Iterations> iterations = iterations_of(flow_, loop, written_);
    require(iterations.has_value(), "positions are carried by a loop that leaves fibers out");
    std::set<std::string> met;
    map_iterations(loop, [&](const Stmt& each) {
      const auto* walk = each.as<Coiterate>();
      const Cursor* const cursor = walk && walk->carried ? walks_fiber(flow_, *walk, written_) : nullptr;
      if (cursor && iterations && iterations->of(cursor->parent) && !walk->unless) met.insert(cursor->name);
      return each;
    });
    for (const Carry& carry : carries) {
      require(met.contains(carry.cursor), carry.cursor + " is carried, but does not walk each fiber to its end");
      carried_.insert(carry.cursor);
    }
    inside();
    carried_ = outside;
  }

  /// Fibers that wait in lists which a loop around goes through, at its coordinate.
  template <class Inside>
  void among(const Loop& l, const Inside& inside) {
    const text::Scoped lists(lists_);
    for (const Lists& own : l.lists) {
      const Tensor* tensor = flow_.tensor(own.tensor);
      const bool in_turn = tensor && goes_through_rows(flow_, l, *tensor);
      require(in_turn && l.execution == Loop::Execution::serial && own.level == 1,
              "loop " + l.variable + " does not finish the fibers of " + own.tensor + " that wait");
      lists_[own.name] = l.variable;
    }
    if (!l.among) return inside();
    const auto around = lists_.find(l.among->lists);
    const auto* at = l.among->coordinate.as<Name>();
    require(around != lists_.end() && at && at->name == around->second,
            "no loop around goes through " + l.among->lists);
    require(l.execution == Loop::Execution::serial && l.by == 1 && l.after == 1 && l.jam == 1 && !l.until,
            "the fibers of loop " + l.variable + " wait in no order");
    const text::Scoped near(near_);
    near_.insert(l.among->entry);
    const bool fresh = bound_.emplace(l.among->entry, BoundName{}).second;
    inside();
    if (fresh) bound_.erase(l.among->entry);
  }

  /// Iterations that are laid out for more than one after the other.
  void iterations(const Loop& l) {
    require(l.asks_every == 1 || (l.unless && has_simple_iterations(l)),
            "loop " + l.variable + " cannot run on past its end");
    require(l.by >= 1 && l.after >= 1 && l.jam >= 1 && (l.takes_each() || !(l.until || l.counting)),
            "loop " + l.variable + " takes several coordinates at once, and cannot end early or count");
    require(l.after % l.by == 0 || l.after == 1, "loop " + l.variable + " goes on amid an iteration");
    for (const std::string& name : l.closes) {
      const Tensor* tensor = flow_.tensor(name);
      require(tensor && closes_rows(flow_, l, *tensor),
              "loop " + l.variable + " does not go through the rows of " + name);
    }
  }

  /// What the iterations of a parallel loop update together, beside what each thread has a part of.
  template <class Inside>
  void sharing(const Stmt& s, const auto& loop, const Inside& inside) {
    const std::set<std::string> outside = shared_, around = waited_for_;
    if (loop.execution == Loop::Execution::parallel) waited_for_.insert(loop.variable);
    for (const Partial& partial : loop.partials)
      require(loop.execution == Loop::Execution::parallel && contains(loop.reduces, partial.tensor) &&
                  partial_by(flow_, s, partial.tensor) == partial.op,
              "the threads of loop " + loop.variable + " have parts of " + partial.tensor);
    if (loop.execution == Loop::Execution::parallel) shared_.insert(loop.reduces.begin(), loop.reduces.end());
    for (const Partial& partial : loop.partials) shared_.erase(partial.tensor);
    inside();
    shared_ = outside;
    waited_for_ = around;
  }

  const PositionMap* map_named(const std::string& name) const {
    const auto found = std::ranges::find(flow_.maps, name, &PositionMap::name);
    return found == flow_.maps.end() ? nullptr : &*found;
  }

  /// An array that has positions of the tensor, and of nothing near them.
  void held(const Locate& l) {
    if (!l.held) return;
    expr(l.held->index);
    const PositionMap* const map = map_named(l.held->array);
    const auto table = tables_.find(l.held->array);
    const bool known = map ? map->to == l.tensor : table != tables_.end() && table->second == l.tensor;
    require(known && l.march.empty() && !l.several, l.held->array + " has no positions of " + l.tensor);
    require(l.near == Locate::Near::no || l.certain, l.held->array + " does not say what is near");
  }

  void regions(const Coiterate& c, const Coiterate::Point::Regions& names, const Stmt& body) {
    require(names.first != names.last && !bound_.contains(names.first) && !bound_.contains(names.last),
            "the regions of loop " + c.variable + " need two variables of their own");
    bound_[names.first] = bound_[names.last] = {};
    stmt(body);
    bound_.erase(names.first);
    bound_.erase(names.last);
  }

  void stmt(const Stmt& s) {
    s.match(
        [&](const Seq&) {
          const std::set<std::string> outside = alive_;
          children(s);
          alive_ = outside;
        },
        [&](const Loop& l) {
          range(l);
          if (l.counting) binding(l.variable, *l.counting);
          iterations(l);
          among(l, [&] { sharing(s, l, [&] { carrying(s, l.carries, [&] { binding(l.variable, l.body); }); }); });
          if (!l.until) return;
          require(l.execution == Loop::Execution::serial, "a parallel or vector loop with an early exit");
          const bool fresh = bound_.emplace(l.variable, BoundName{}).second;
          expr(*l.until), truth(*l.until);
          if (fresh) bound_.erase(l.variable);
        },
        [&](const Let& l) {
          expr(l.value);
          binding(l.name, l.body, {l.value->type});
        },
        [&](const Coiterate& c) { sharing(s, c, [&] { carrying(s, c.carries, [&] { coiteration(c); }); }); },
        [&](const Test& t) {
          require(bound(t.cursor, "unbound cursor").cursor, t.cursor + " is no cursor");
          children(s);
        },
        [&](const Locate& l) {
          level(l.tensor, l.level, l.parent);
          expr(l.coordinate), whole(l.coordinate);
          if (l.exists) expr(*l.exists), truth(*l.exists);
          require(l.march.empty() || l.returns || !runs_twice_,
                  l.march + " has passed what is counted and then stored");
          held(l);
          const text::Scoped around(near_);
          if (l.near != Locate::Near::no) near_.insert(l.name);
          binding(l.name, l.body, {ScalarType::i64, l.level});
        },
        [&](const Tabulate& t) {
          level(t.tensor, t.level, t.parent);
          const PositionMap* const map = map_named(t.map);
          require(t.map.empty() || (map && map->from == t.tensor), "a table of " + t.tensor + " by another's map");
          require(tables_.emplace(t.name, map ? map->to : t.tensor).second, t.name + " is two tables");
          children(s);
          tables_.erase(t.name);
        },
        [&](const Insert& i) {
          level(i.tensor, i.level, i.parent);
          expr(i.coordinate), whole(i.coordinate);
          binding(i.name, i.body, {ScalarType::i64, i.level});
        },
        [&](const Freeze& f) { require(alive_.count(f.tensor) > 0, f.tensor + " is frozen outside its life"); },
        [&](const Append& a) {
          const Tensor* tensor = flow_.tensor(a.tensor);
          require(tensor && tensor->appends(), a.tensor + " is no result to append to");
          require(!tensor->scattered || scattered_.contains(a.tensor),
                  a.tensor + " is appended to outside its scatter");
          require(a.coordinates.size() == tensor->levels.size(), a.tensor + " needs one coordinate a level");
          for (std::size_t l = 0; l < a.through.size(); ++l)
            require(
                !a.through[l] || (l < tensor->levels.size() && tensor->levels[l].facts.region == format::Region::run),
                a.tensor + " keeps no runs where some are appended");
          for (const Expr& coordinate : a.coordinates) whole(coordinate);
          require(a.value->type == tensor->type, "a value of another type appended to " + a.tensor);
          children(s);
        },
        [&](const Scatter& c) {
          const Tensor* tensor = flow_.tensor(c.tensor);
          require(tensor && tensor->scattered && tensor->appends(), c.tensor + " is no scattered result");
          require(scattered_.insert(c.tensor).second, c.tensor + " is scattered within its scatter");
          const text::Scoped around(runs_twice_);
          runs_twice_ = runs_twice_ || c.counting.has_value();
          children(s);
          scattered_.erase(c.tensor);
        },
        [&](const Declare& d) {
          const Tensor* tensor = flow_.tensor(d.tensor);
          require(tensor && tensor->storage == Tensor::Storage::temporary, d.tensor + " is declared but no temporary");
          require(alive_.insert(d.tensor).second, d.tensor + " is declared twice");
        },
        [&](const Assign& a) {
          element(a.tensor, a.position);
          const Tensor* tensor = flow_.tensor(a.tensor);
          require(tensor->type == a.value->type, "a value of another type assigned to " + a.tensor);
          require(tensor->storage != Tensor::Storage::operand, a.tensor + " is written but no result");
          require(!a.atomic || shared_.contains(a.tensor), a.tensor + " is no tensor that threads update together");
          children(s);
        },
        [&](const Reset& r) {
          require(alive_.count(r.tensor) > 0, r.tensor + " is reset outside its life");
          require(r.value->type == flow_.tensor(r.tensor)->type, "a value of another type in all of " + r.tensor);
          children(s);
        },
        [&](const Await& a) {
          require(waited_for_.count(a.loop) > 0,
                  "iterations wait for a parallel loop over " + a.loop + " that is not around them");
          children(s);
        },
        [&](const Exchange& e) {
          const Tensor* tensor = flow_.tensor(e.tensor);
          require(tensor && !tensor->sparse(), e.tensor + " is exchanged, but is not dense");
          require(tensor->storage != Tensor::Storage::operand, e.tensor + " is received but no result");
          require(alive_.count(e.tensor) > 0, e.tensor + " is exchanged outside its life");
          children(s);
        },
        [&](const While& w) { truth(w.condition), children(s); }, [&](const If& i) { truth(i.condition), children(s); },
        [](const Note&) {});
  }

  std::set<std::string> waited_for_;  ///< variables of parallel loops around
  std::set<std::string> written_;
  std::set<std::string> scattered_;            ///< results whose scatters are around
  bool runs_twice_ = false;                    ///< of one of them the entries are counted
  std::set<std::string> near_;                 ///< look-ups around that also say what is near
  std::map<std::string, std::string> lists_;   ///< of loops around, and their variables
  std::set<std::string> shared_;               ///< tensors that threads update together
  std::set<std::string> carried_;              ///< cursors whose positions the loops around carry
  std::map<std::string, std::string> tables_;  ///< around, and of which tensors
};

}  // namespace

std::string verify(const Flow& flow) try {
  Verifier(flow).run();
  return "";
} catch (const Broken& broken) { return broken.what; }

void assert_verified([[maybe_unused]] const Flow& flow) {
#ifndef NDEBUG
  const std::string broken = verify(flow);
  if (broken.empty()) return;
  std::fprintf(stderr, "control flow is broken: %s\n%s", broken.c_str(), print(flow).characters.c_str());
  std::abort();
#endif
}

}  // namespace trellis::flow
