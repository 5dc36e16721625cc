#include "engine/flow/stream_entries.hpp"

#include "engine/flow/fibers.hpp"

namespace trellis::flow {

namespace {

/// Which of the cursor's arrays the body reads, or writes, at its position.
class StreamedArrays {
 public:
  StreamedArrays(const Coiterate& walk, const Cursor& cursor) : variable_(walk.variable), cursor_(cursor) {
    visit(walk.points[0].body);
  }

  std::vector<format::Array> found() const {
    std::vector<format::Array> arrays;
    if (coordinates_) arrays.push_back(format::Array::coordinates);
    if (values_) arrays.push_back(format::Array::values);
    return arrays;
  }

 private:
  void visit(const Stmt& s) {
    if (const auto* a = s.as<Assign>()) element(a->tensor, a->position);
    for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [&](const Expr& e) { visit(e); });
  }

  void visit(const Expr& e) {
    if (const auto* n = e.as<Name>()) coordinates_ |= n->name == variable_;
    if (const auto* v = e.as<Value>()) element(v->tensor, v->position);
    for_each_child(e, [&](const Expr& child) { visit(child); });
  }

  void element(const std::string& tensor, const Position& position) {
    const auto* at = position.as<At>();
    values_ |= tensor == cursor_.tensor && at && at->name == cursor_.name;
  }

  std::string variable_;
  const Cursor& cursor_;
  bool coordinates_ = false, values_ = false;
};

/// Its end is there before it begins, and no iteration is left out.
bool has_plain_end(const Stmt& s) {
  if (const auto* l = s.as<Loop>()) return !l->unless && (l->high.as<Name>() || l->high.as<Constant>());
  const auto* c = s.as<Coiterate>();
  return c && !c->unless && (c->only() || c->high.as<Name>() || c->high.as<Constant>());
}

Stmt streaming(const Flow& flow, const Stmt& s) {
  const Stmt inner = map_children(
      s, [&](const Stmt& child) { return streaming(flow, child); }, [](const Expr& e) { return e; });
  if (!has_plain_end(inner)) return inner;
  return map_iterations(inner, [&](const Stmt& each) {
    const auto* walk = each.as<Coiterate>();
    if (!walk || !walk->carried) return each;
    Coiterate streamed = *walk;
    streamed.streamed = StreamedArrays(*walk, *walk->only()).found();
    if (flow.tensor(walk->only()->tensor)->pattern) std::erase(streamed.streamed, format::Array::values);
    return Stmt(StmtNode{std::move(streamed), each->span}, each.origin(), each.id());
  });
}

}  // namespace

Flow stream_entries(const Flow& flow) {
  Flow result = flow;
  result.root = streaming(flow, flow.root);
  return result;
}

}  // namespace trellis::flow
