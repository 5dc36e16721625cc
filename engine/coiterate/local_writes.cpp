#include "engine/coiterate/local_writes.hpp"

namespace trellis::coiterate {
namespace {

using Locals = std::map<std::string, LocalWrites>;

void note_write(const loop::Stmt& s, Locals& locals) {
  if (const auto* r = s.as<loop::Reset>()) {
    const auto local = locals.find(r->tensor);
    if (local == locals.end()) return;
    if (const auto* c = r->value.as<lang::Constant>()) local->second.resets.push_back(c->value);
    else local->second.unknown = true;
  } else if (const auto* a = s.as<loop::Assign>()) {
    const auto local = locals.find(a->target.as<lang::Access>()->tensor);
    if (local == locals.end()) return;
    const auto* c = a->value.as<lang::Constant>();
    if (!a->op && c) local->second.resets.push_back(c->value);
    else local->second.writes.push_back(*a);
  }
}

void note_steps(const loop::Stmt& s, const std::string& scalar, bool always, std::vector<LocalWrites::Step>& steps) {
  if (const auto* r = s.as<loop::Reset>(); r && r->tensor == scalar) steps.push_back({{}, r->value, always});
  const auto* a = s.as<loop::Assign>();
  if (a && a->target.as<lang::Access>()->tensor == scalar) steps.push_back({a->op, a->value, always});
  const bool each = always && !s.as<loop::If>() && !s.as<loop::For>() && !s.as<loop::While>();
  loop::for_each_child(
      s, [&](const loop::Stmt& child) { note_steps(child, scalar, each, steps); }, [](const lang::Expr&) {});
}

/// A scalar is written by what stands in the same block.
void note_order(const loop::Block& block, Locals& locals) {
  for (const loop::Stmt& s : block.statements) {
    const auto* d = s.as<loop::Declare>();
    if (!d || !d->tensor.shape.empty()) continue;
    const std::string& scalar = d->tensor.name;
    for (const loop::Stmt& beside : block.statements) note_steps(beside, scalar, true, locals.at(scalar).steps);
  }
}

}  // namespace

std::map<std::string, LocalWrites> local_writes(const loop::Stmt& body) {
  Locals locals;
  loop::for_each(body, [&](const loop::Stmt& s) {
    if (const auto* d = s.as<loop::Declare>()) locals[d->tensor.name];
  });
  loop::for_each(body, [&](const loop::Stmt& s) {
    note_write(s, locals);
    if (const auto* block = s.as<loop::Block>()) note_order(*block, locals);
  });
  return locals;
}

}  // namespace trellis::coiterate
