#include "engine/flow/close_rows.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "engine/flow/fibers.hpp"
#include "engine/flow/rows.hpp"

namespace trellis::flow {

Flow close_rows(const Flow& flow) {
  std::map<std::string, std::vector<Stmt>> loops;
  for (const Tensor& tensor : flow.tensors) loops[tensor.name] = loops_through_rows(flow, tensor);
  Flow result = flow;
  result.root = map_once(flow.root, [&](const Stmt& s) {
    const auto* loop = s.as<Loop>();
    if (!loop) return s;
    Loop closing = *loop;
    for (const Tensor& tensor : flow.tensors)
      if (std::ranges::any_of(loops[tensor.name], [&](const Stmt& one) { return one.same(s); }))
        closing.closes.push_back(tensor.name);
    return closing.closes.empty() ? s : Stmt(StmtNode{std::move(closing), s->span}, s.origin(), s.id());
  });
  return result;
}

}  // namespace trellis::flow
