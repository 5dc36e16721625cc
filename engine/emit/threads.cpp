#include "engine/emit/threads.hpp"

namespace trellis::emit {

namespace {

using format::ReduceOp;

std::string_view clause(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return "+";
    case ReduceOp::prod:
      return "*";
    case ReduceOp::min:
      return "min";
    case ReduceOp::max:
      return "max";
    case ReduceOp::any:
      return "||";
    case ReduceOp::all:
      return "&&";
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user:
      break;
  }
  return "+";
}

}  // namespace

std::string Threads::clauses(const Work& work) const {
  std::string text;
  for (const flow::Partial& partial : work.partials)
    text += " reduction(" + std::string(clause(partial.op)) + ":" + out_.names.fixed(partial.tensor) + ")";
  return text;
}

void Threads::run(const Work& work, const std::function<void()>& loop) {
  const std::string clauses_of_loop = clauses(work);
  const Room room = temporaries_.private_room(work.body);
  const bool alone = room.arrays.empty() && room.declarations.empty();
  if (!alone) {
    out_.open();
    memory_.allocate(room);
  }
  const std::string handed_out = work.wait ? " schedule(monotonic: dynamic, 1)" : "";
  out_.add(c::stmt(c::Pragma{(alone ? "omp parallel for" : "omp for") + handed_out + clauses_of_loop}));
  memory_.name_landing(work.variable);
  loop();
  temporaries_.share_again();
  if (alone) return;
  memory_.release(room);
  const c::Stmt region = out_.close();
  out_.add(c::stmt(c::Pragma{"omp parallel"}));
  out_.add(region);
}

void Threads::run_if(bool parallel, const Work& work, const std::function<void()>& loop) {
  if (parallel && !inside())
    run(work, loop);
  else
    loop();
}

}  // namespace trellis::emit
