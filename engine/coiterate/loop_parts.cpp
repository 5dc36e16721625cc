#include "engine/coiterate/loop_parts.hpp"

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

Stmt behind_await(Context& in, const loop::Stmt& s, const loop::For& f, const Stmt& body) {
  if (f.awaits.empty()) return body;
  const Stmt await = make(in, Await{f.awaits, flow::name(f.variable)}, s);
  return make(in, Seq{{await, body}}, s);
}

Expr runs(Context& in, const loop::For& f) {
  return condition(format::BinaryOp::less, lower_expr(in, f.low), lower_expr(in, f.high));
}

std::optional<flow::MergePath> merge_path(Context& in, const loop::For& f) {
  if (f.deals_out.empty()) return std::nullopt;
  return flow::MergePath{tensor(in, f.deals_out).name, 1};
}

std::vector<std::string> reduced(Context& in, const loop::For& f) {
  std::vector<std::string> names;
  for (const std::string& name : f.reduces)
    if (in.tensors.alive.count(name) || in.program.tensor(name)) names.push_back(tensor(in, name).name);
  return names;
}

}  // namespace trellis::coiterate
