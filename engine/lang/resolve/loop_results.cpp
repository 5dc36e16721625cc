// Left sides of loop programs that nothing declares: they become dense results. Loops say how far their indices reach,
// and what is assigned says which type they have. Both are read off trial readings, whose messages nobody sees.

#include "engine/lang/resolve/loops.hpp"

namespace trellis::lang::resolving {

using math::Affine;

namespace {

/// Makes results of the left sides that neither the program nor the block declares.
class LeftSides {
 public:
  explicit LeftSides(Resolution& resolution) : resolution_(resolution) {}

  void visit(const syntax::Block& block, std::set<std::string> bound) {
    for (const syntax::Action& action : block.actions) {
      if (const auto* d = action.as<syntax::TensorDecl>()) bound.insert(d->name.text);
      if (const auto* a = action.as<syntax::Assign>()) assignment(*a, bound);
      if (const auto* w = action.as<syntax::While>()) visit(w->body, bound);
      if (const auto* i = action.as<syntax::If>()) {
        visit(i->then, bound);
        if (i->otherwise) visit(*i->otherwise, bound);
      }
      std::set<std::string> inner = bound;
      if (const auto* f = action.as<syntax::For>()) {
        for (const syntax::LoopVariable& v : f->variables) inner.insert(v.name.text);
        visit(f->body, inner);
      }
      if (const auto* l = action.as<syntax::Let>()) {
        for (const auto& [name, value] : l->bindings) inner.insert(name.text);
        visit(l->body, inner);
      }
    }
  }

 private:
  void assignment(const syntax::Assign& assign, const std::set<std::string>& bound) {
    const auto& target = *assign.target.as<syntax::Reference>();
    const std::string& name = target.name.text;
    if (bound.contains(name) || resolution_.tensor(name) || resolution_.is_parameter(name)) return;
    if (assign.update == ".=") return;  // its rank is not told here
    TensorInfo fresh;
    fresh.name = name;
    fresh.kind = TensorInfo::Kind::implicit;
    fresh.span = assign.target->span;
    fresh.shape.resize(target.arguments ? target.arguments->size() : 0);
    fresh.format = format::Format::dense(static_cast<int>(fresh.shape.size()));
    resolution_.program.tensors.push_back(std::move(fresh));
    resolution_.shapeless.insert(name);
  }

  Resolution& resolution_;
};

Sightings look(const Resolution& resolution, const std::map<std::string, Natural>* results) {
  Sightings sightings;
  if (std::ranges::all_of(resolution.kernels, [](const KernelDraft& kernel) { return kernel.loops.empty(); }))
    return sightings;
  text::Diagnostics unseen;
  Resolution trial = resolution.trial(unseen);
  LoopReader reader(trial, &sightings, results);
  for (const KernelDraft& kernel : resolution.kernels)
    for (const syntax::Loops* loops : kernel.loops) reader.read(*loops, {});
  reader.report_indices();
  return sightings;
}

/// One past the largest of the indices; empty if that is not plain.
std::optional<Affine> extent(const Sighting& sighting, std::size_t dimension) {
  std::optional<Affine> symbolic;
  std::int64_t constant = 0;
  for (const auto& indices : sighting.largest) {
    if (dimension >= indices.size() || !indices[dimension]) return std::nullopt;
    const Affine size = *indices[dimension] + Affine(1);
    if (size.is_constant()) constant = std::max(constant, size.constant);
    else if (!symbolic) symbolic = size;
    else if (!(size - *symbolic).is_constant()) return std::nullopt;
    else if ((size - *symbolic).constant > 0) symbolic = size;
  }
  return symbolic ? symbolic : Affine(constant);
}

}  // namespace

void read_loop_results(Resolution& resolution) {
  for (const KernelDraft& kernel : resolution.kernels)
    for (const syntax::Loops* loops : kernel.loops) LeftSides(resolution).visit(loops->body, {});
}

bool infer_loop_shapes(Resolution& resolution) {
  bool progress = false;
  if (resolution.shapeless.empty()) return progress;
  for (const auto& [name, sighting] : look(resolution, nullptr)) {
    TensorInfo* info = resolution.tensor(name);
    if (!info || !resolution.shapeless.contains(name) || sighting.largest.empty()) continue;
    std::vector<Affine> shape;
    for (std::size_t d = 0; d < info->shape.size(); ++d)
      if (const auto size = extent(sighting, d)) shape.push_back(*size);
    const bool plain = shape.size() == info->shape.size() &&
                       std::none_of(shape.begin(), shape.end(),
                                    [&](const Affine& size) { return size.constant < 0 && size.is_constant(); });
    if (!plain) continue;
    info->shape = std::move(shape);
    resolution.shapeless.erase(name);
    progress = true;
  }
  return progress;
}

bool join_loop_types(const Resolution& resolution, std::map<std::string, Natural>& results) {
  bool changed = false;
  if (results.empty()) return changed;
  const std::map<std::string, Natural> known = results;
  for (const auto& [name, sighting] : look(resolution, &known)) {
    const auto result = results.find(name);
    if (result == results.end()) continue;
    const Natural next = join(result->second, sighting.natural);
    changed = changed || next != result->second;
    result->second = next;
  }
  return changed;
}

void build_loops(Resolution& resolution) {
  for (std::size_t k = 0; k < resolution.kernels.size(); ++k) {
    const KernelDraft& draft = resolution.kernels[k];
    if (draft.loops.empty()) continue;
    if (!draft.equations.empty()) {
      resolution
          .error("E0260", draft.equations.front().span, "kernel " + draft.name + " holds equations and loops",
                 "this is an equation")
          .notes.push_back({{}, "put the one or the other into a kernel of its own, as in kernel first { … }"});
      continue;
    }
    Actions loops;
    for (const syntax::Loops* one : draft.loops) loops.push_back(LoopReader(resolution).read(*one, draft.span));
    check_lifecycles(resolution, loops);
    resolution.program.kernels[k].loops = std::move(loops);
  }
}

}  // namespace trellis::lang::resolving

namespace trellis::lang {

std::optional<Actions> resolve(const syntax::Loops& loops, const Program& program, text::Diagnostics& diagnostics) {
  text::Diagnostics found;
  const Overrides none;
  resolving::Resolution resolution{program, found, none, {}, {}, {}, {}};
  const Action block = resolving::LoopReader(resolution).read(loops, {});
  resolving::check_lifecycles(resolution, {block});
  diagnostics.append(found);
  if (found.has_errors()) return std::nullopt;
  return Actions{block};
}

}  // namespace trellis::lang
