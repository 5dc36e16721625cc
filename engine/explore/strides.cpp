#include "engine/explore/strides.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "engine/format/storage_order.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

void collect(const lang::Expr& e, std::vector<lang::Access>& into) {
  if (const auto* access = e.as<lang::Access>(); access && !contains(into, *access)) into.push_back(*access);
  lang::for_each_child(e, [&](const lang::Expr& child) { collect(child, into); });
}

std::string listed(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

Stride stride_of(const lang::Access& access, const std::string& variable, const lang::Program& program) {
  const lang::TensorInfo* info = program.tensor(access.tensor);
  const std::size_t rank = access.indices.size();
  Stride walk = Stride::invariant;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!contains(lang::free_variables(access.indices[d]), variable)) continue;
    const auto form = lang::affine(access.indices[d]);
    const bool fastest = info && rank == info->shape.size() && d == format::dimension_of(info->format, rank - 1);
    if (!fastest || !form || std::abs(form->coefficient(variable)) != 1) return Stride::strided;
    walk = Stride::contiguous;
  }
  return walk;
}

std::vector<Innermost> innermost_loops(const loop::Stmt& loops) {
  std::vector<Innermost> all;
  loop::for_each(loops, [&](const loop::Stmt& s) {
    const auto* f = s.as<loop::For>();
    if (!f) return;
    bool holds_loop = false;
    Innermost found{f->variable, f->execution == loop::For::Execution::serial && f->unroll == 1, {}};
    loop::for_each(f->body, [&](const loop::Stmt& inner) {
      holds_loop |= inner.as<loop::For>() || inner.as<loop::While>();
      if (const auto* a = inner.as<loop::Assign>())
        collect(a->target, found.accesses), collect(a->value, found.accesses);
    });
    if (!holds_loop) all.push_back(std::move(found));
  });
  return all;
}

std::string innermost_names(const loop::Stmt& loops) {
  std::set<std::string> names;
  for (const Innermost& loop : innermost_loops(loops)) names.insert(loop.variable);
  return listed(names);
}

std::string strides_in_words(const loop::Stmt& loops, const lang::Program& program) {
  std::set<std::string> contiguous, strided;
  for (const Innermost& loop : innermost_loops(loops))
    for (const lang::Access& a : loop.accesses) {
      const Stride walk = stride_of(a, loop.variable, program);
      if (walk == Stride::contiguous) contiguous.insert(a.tensor);
      if (walk == Stride::strided) strided.insert(a.tensor);
    }
  const std::string out = innermost_names(loops) + " innermost ";
  if (!strided.empty()) return out + "strides through " + listed(strided);
  return out + (contiguous.empty() ? "touches no array" : "walks " + listed(contiguous) + " contiguously");
}

}  // namespace trellis::explore
