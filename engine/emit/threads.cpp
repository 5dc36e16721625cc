#include "engine/emit/threads.hpp"

#include <optional>

namespace trellis::emit {

namespace {

using flow::Tensor;
using format::ReduceOp;

/// The one operation by which the statements update the tensor.
std::optional<ReduceOp> reduction_of(const flow::Stmt& stmt, const std::string& tensor) {
  std::optional<ReduceOp> found;
  bool mixed = false;
  for_each_stmt(stmt, [&](const flow::Stmt& s) {
    const auto* a = s.as<flow::Assign>();
    if (!a || a->tensor != tensor) return;
    mixed |= !a->op || (found && *found != *a->op);
    found = a->op;
  });
  return mixed ? std::nullopt : found;
}

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

std::string Threads::clauses(const Work& work) {
  std::string text;
  for (const std::string& name : work.reduces) {
    const Tensor& tensor = *out_.flow.tensor(name);
    const bool local = tensor.levels.empty() && tensor.storage == Tensor::Storage::temporary;
    const std::optional<ReduceOp> op = reduction_of(work.body, name);
    if (local && op)
      text += " reduction(" + std::string(clause(*op)) + ":" + out_.names.fixed(name) + ")";
    else
      shared_.insert(name);
  }
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
  out_.add(c::stmt(c::Pragma{(alone ? "omp parallel for" : "omp for") + clauses_of_loop}));
  memory_.name_landing(work.variable);
  loop();
  shared_.clear();
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
