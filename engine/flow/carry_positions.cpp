#include "engine/flow/carry_positions.hpp"

#include "engine/flow/fibers.hpp"
#include "engine/flow/levels.hpp"

namespace trellis::flow {

namespace {

class Carrying {
 public:
  explicit Carrying(const Flow& flow) : flow_(flow), written_(written_in(flow.root)) {}

  Stmt visit(const Stmt& s) const {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const std::optional<Iterations> iterations = iterations_of(flow_, inner, written_);
    if (!iterations) return inner;
    std::vector<Carry> carries;
    const Stmt changed = map_iterations(inner, [&](const Stmt& each) {
      const auto* walk = each.as<Coiterate>();
      const Cursor* const cursor = walk ? carriable(inner, *walk, *iterations) : nullptr;
      if (!cursor) return each;
      carries.push_back({cursor->name, cursor->tensor, cursor->level});
      Coiterate carried = *walk;
      carried.carried = true;
      return Stmt(StmtNode{std::move(carried), each->span}, each.origin(), each.id());
    });
    return carries.empty() ? inner : with_carries(changed, std::move(carries));
  }

 private:
  const Cursor* carriable(const Stmt& around, const Coiterate& walk, const Iterations& iterations) const {
    const Cursor* const cursor = walks_fiber(flow_, walk, written_);
    if (!cursor || walk.unless || !iterations.of(cursor->parent) || takes_loops(walk.points[0].body)) return nullptr;
    // A position stays in its loop where another one around has its name.
    int binders = 0;
    for_each_stmt(around, [&](const Stmt& s) { binders += bound_by(s).contains(cursor->name); });
    return binders == 1 ? cursor : nullptr;
  }

  bool takes_loops(const Stmt& body) const {
    bool found = false;
    for_each_stmt(body, [&](const Stmt& s) {
      found |= s.match([](const Loop&) { return true; }, [](const Coiterate&) { return true; },
                       [](const While&) { return true; }, [](const Exchange&) { return true; },
                       [&](const Reset& r) { return !flow_.tensor(r.tensor)->levels.empty(); },
                       // The search for its place, and the fibers before that are empty.
                       [&](const Insert& i) { return facts(i.tensor, i.level).locate == format::Locate::hash; },
                       [&](const Append& a) { return opens_fibers(a); }, [](const auto&) { return false; });
    });
    return found;
  }

  /// An only fiber is open from the start.
  bool opens_fibers(const Append& a) const {
    if (facts(a.tensor, 0).dense()) return false;
    if (flow_.tensor(a.tensor)->readable) return true;
    for (int level = 1; level < levels_of(*flow_.tensor(a.tensor)); ++level)
      if (facts(a.tensor, level).child != format::Child::parent) return true;
    return false;
  }

  const format::Facts& facts(const std::string& tensor, int level) const {
    return flow_.tensor(tensor)->levels[static_cast<std::size_t>(level)].facts;
  }

  static Stmt with_carries(const Stmt& s, std::vector<Carry> carries) {
    const auto rebuilt = [&](auto loop) {
      loop.carries = std::move(carries);
      return Stmt(StmtNode{std::move(loop), s->span}, s.origin(), s.id());
    };
    const auto* loop = s.as<Loop>();
    return loop ? rebuilt(*loop) : rebuilt(*s.as<Coiterate>());
  }

  const Flow& flow_;
  std::set<std::string> written_;
};

}  // namespace

Flow carry_positions(const Flow& flow) {
  Flow result = flow;
  result.root = Carrying(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
