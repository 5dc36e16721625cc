#include "engine/flow/share_updates.hpp"

#include "engine/flow/marks.hpp"

namespace trellis::flow {

namespace {

/// Is there one entry after the other to deal out, each of which is all that its iteration needs?
bool deals_out(const Flow& flow, const Coiterate& c) {
  if (c.points.size() != 1 || c.cursors.size() != 1) return false;
  const Cursor& cursor = c.cursors[0];
  const bool unique = flow.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].facts.unique;
  return unique && !cursor.takes_segments() && (c.points[0].leads.size() == 1 || (c.by_regions() && cursor.full));
}

class Sharing {
 public:
  explicit Sharing(Flow& flow) : flow_(flow) {}

  Stmt visit(const Stmt& s) {
    return s.match([&](const Assign& a) { return assign(s, a); }, [&](const Loop& l) { return loop(s, l); },
                   [&](const Coiterate& c) { return coiterate(s, c); }, [&](const auto&) { return inside(s); });
  }

 private:
  Stmt inside(const Stmt& s) {
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
  }

  Stmt assign(const Stmt& s, const Assign& a) {
    if (parted_.contains(a.tensor) || shared_.contains(a.tensor)) note(s, a);
    if (!shared_.contains(a.tensor)) return s;
    Assign atomic = a;
    atomic.atomic = true;
    return Stmt(StmtNode{std::move(atomic), s->span}, s.origin(), s.id());
  }

  /// Which thread is first nobody knows.
  void note(const Stmt& s, const Assign& a) {
    const bool adds = a.op == format::ReduceOp::sum || a.op == format::ReduceOp::prod;
    if (adds && format::is_floating(flow_.tensor(a.tensor)->type))
      flow_.reassociated.push_back({s.origin(), "by threads"});
  }

  Stmt loop(const Stmt& s, const Loop& l) {
    if (on_threads_ || l.execution != Loop::Execution::parallel) return inside(s);
    Loop apart = l;
    on_threads_ = true;
    if (l.counting) apart.counting = visit(*l.counting);  // before anything is updated
    apart.partials = share(l.reduces, s);
    apart.body = visit(l.body);
    join();
    return Stmt(StmtNode{std::move(apart), s->span}, s.origin(), s.id());
  }

  Stmt coiterate(const Stmt& s, const Coiterate& c) {
    if (on_threads_ || c.execution != Loop::Execution::parallel) return inside(s);
    Coiterate apart = c;
    if (deals_out(flow_, c)) {
      on_threads_ = true;
      if (c.counting) apart.counting = visit(*c.counting);
      apart.partials = share(c.reduces, s);
      apart.points[0].body = visit(c.points[0].body);
      join();
    } else {
      apart.execution = Loop::Execution::serial;
      for (Coiterate::Point& point : apart.points) point.body = visit(point.body);
    }
    return Stmt(StmtNode{std::move(apart), s->span}, s.origin(), s.id());
  }

  /// Those of which each thread has a part; what else there is becomes `shared_`.
  std::vector<Partial> share(const std::vector<std::string>& reduces, const Stmt& loop) {
    std::vector<Partial> partials;
    for (const std::string& name : reduces) {
      if (const auto op = partial_by(flow_, loop, name)) {
        partials.push_back({name, *op});
        parted_.insert(name);
      } else {
        shared_.insert(name);
      }
    }
    return partials;
  }

  void join() {
    on_threads_ = false;
    shared_.clear();
    parted_.clear();
  }

  Flow& flow_;
  bool on_threads_ = false;       ///< within a loop that runs on them
  std::set<std::string> shared_;  ///< tensors that its iterations update together
  std::set<std::string> parted_;  ///< those of which each thread has a part
};

}  // namespace

Flow share_updates(const Flow& flow) {
  Flow result = flow;
  result.root = Sharing(result).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
