#include "engine/emit/count_then_fill.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::emit {

using flow::Tensor;

std::vector<const Tensor*> appended_in(const flow::Flow& flow, const flow::Stmt& body) {
  std::vector<const Tensor*> tensors;
  for_each_stmt(body, [&](const flow::Stmt& s) {
    if (const auto* a = s.as<flow::Append>()) add_once(tensors, flow.tensor(a->tensor));
  });
  return tensors;
}

void count_then_fill(Context& out, Threads& threads, Counts& counts, const Body& body, const CountedLoop& loop,
                     const std::function<void(const AtCoordinate& inside)>& iterations) {
  const std::vector<const Tensor*> tensors = appended_in(out.flow, loop.work.body);
  counts.begin(tensors);
  const auto all = [&](const flow::Stmt& each, bool fills) {
    iterations([&](const std::string& variable) {
      const c::Expr i = c::token(variable);
      for (const Tensor* tensor : tensors) fills ? counts.begin_filling(*tensor, i) : counts.begin_counting(*tensor);
      body(each, false);
      for (const Tensor* tensor : tensors) fills ? counts.end_filling(*tensor, i) : counts.end_counting(*tensor, i);
    });
  };
  const Threads::Work& work = loop.work;
  threads.run({work.variable, {}, loop.counting, false, work.iterations, work.range},
              [&] { all(loop.counting, false); });
  threads.return_if_refused();
  for (const Tensor* tensor : tensors) counts.add_up(work.variable, *tensor, loop.low, loop.high);
  threads.run(work, [&] { all(work.body, true); });
  for (const Tensor* tensor : tensors) counts.finish(*tensor, loop.high);
  counts.end();
}

}  // namespace trellis::emit
