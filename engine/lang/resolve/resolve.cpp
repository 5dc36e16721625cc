// The steps of name and type resolution, in order.

#include <algorithm>
#include <utility>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang {

std::optional<Program> resolve(const syntax::File& file, text::Diagnostics& diagnostics, const Overrides& overrides,
                               const std::optional<syntax::Expr>& value) {
  text::Diagnostics found;
  resolving::Resolution resolution{{}, found, overrides, {}, {}, {}, {}};
  resolving::take_steps(resolution, file, value);
  diagnostics.append(found);
  if (found.has_errors()) return std::nullopt;
  return std::move(resolution.program);
}

namespace resolving {

void take_steps(Resolution& resolution, const syntax::File& file, const std::optional<syntax::Expr>& value) {
  declare(resolution, file, value);
  declare_patterns(resolution);
  resolution.find_tensors_by_name();
  read_left_sides(resolution);
  read_loop_results(resolution);
  resolution.find_tensors_by_name();
  if (value) add_value(resolution, *value);
  resolve_equations(resolution);
  build_loops(resolution);
  choose_formats(resolution);
  announce(resolution);
  resolve_schedules(resolution);
  find_inherited(resolution, file);
}

void resolve_equations(Resolution& resolution) {
  check_array_notation(resolution);
  check_parameter_indices(resolution);
  write_out_sums(resolution);
  infer_results(resolution);
  hint_at_rounding(resolution);
  apply_formats(resolution);
  find_timesteps(resolution);
  build_equations(resolution);
}

const TensorInfo* Resolution::tensor(const std::string& name) const {
  if (const auto known = places.find(name); known != places.end()) return &program.tensors[known->second];
  for (std::size_t k = placed; k < program.tensors.size(); ++k)
    if (program.tensors[k].name == name) return &program.tensors[k];
  return nullptr;
}

TensorInfo* Resolution::tensor(const std::string& name) {
  return const_cast<TensorInfo*>(std::as_const(*this).tensor(name));
}

void Resolution::find_tensors_by_name() {
  for (; placed < program.tensors.size(); ++placed) places.try_emplace(program.tensors[placed].name, placed);
}

void find_inherited(Resolution& resolution, const syntax::File& file) {
  std::set<std::string> filled;
  const auto note = [&](const syntax::Statement& statement) {
    const auto* c = statement.as<syntax::Command>();
    const bool fills =
        c && !c->words.empty() && (c->name.text == "load" || c->name.text == "random" || c->name.text == "fill_with");
    if (fills && resolution.tensor(c->words.front().text)) filled.insert(c->words.front().text);
  };
  for (const syntax::Statement& statement : file.statements) {
    note(statement);
    if (const auto* kernel = statement.as<syntax::Kernel>()) std::ranges::for_each(kernel->statements, note);
  }
  for (Kernel& kernel : resolution.program.kernels) {
    for (const std::string& name : kernel.results())
      if (!filled.insert(name).second) kernel.inherited.insert(name);
  }
}

bool KernelDraft::has_steps(const std::string& tensor) const {
  return std::any_of(timesteps.begin(), timesteps.end(), [&](const Timesteps& t) { return t.tensor == tensor; });
}

bool Resolution::is_scalar(const std::string& name) const {
  const TensorInfo* info = program.tensor(name);
  return info && info->shape.empty();
}

math::Affine LeftIndex::form() const {
  const math::Affine moved = rest + math::Affine(offset);
  return kind == Kind::variable ? math::Affine::name(name) + moved : moved;
}

}  // namespace resolving

}  // namespace trellis::lang
