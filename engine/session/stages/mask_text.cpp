// What is known of masks: those that the session finds, and how those of the user compare.
#include <algorithm>
#include <bit>

#include "engine/format/misfit.hpp"
#include "engine/session/figures.hpp"
#include "engine/session/stages/mask_picture.hpp"
#include "engine/session/state/patterns.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/supernodes.hpp"

namespace trellis::session {

using tensor::Tensor;

namespace {

/// What a mask of the user leaves out.
struct LeftOut {
  std::int64_t entries = 0, of_operands = 0;
  std::optional<tensor::Index> first;
};

/// The kernel as if its masks were to be found. Empty when its equations are no factorisation's.
struct Alternative {
  lang::Program program;
  lang::Kernel pattern;
  symbolic::Elimination how;
};
std::optional<Alternative> alternative(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  lang::Program program = *state.program(diagnostics);
  lang::Kernel asking = kernel;
  std::set<std::string> masked;
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) masked.insert(mask.tensor);
  asking.schedule.masks.clear();
  for (const std::string& tensor : masked) asking.schedule.masks.push_back({tensor, std::nullopt, kernel.span});
  program.kernels = {asking};
  text::Diagnostics ignored;
  program = symbolic::with_patterns(std::move(program), ignored);
  if (ignored.has_errors() || program.kernels.size() != 2) return std::nullopt;
  auto how = symbolic::find_elimination(program, program.kernels.front());
  if (!how) return std::nullopt;
  lang::Kernel pattern = program.kernels.front();
  return Alternative{std::move(program), std::move(pattern), std::move(*how)};
}

LeftOut left_out(const Tensor& exact, const Tensor& mask, bool by_value) {
  LeftOut missing;
  const tensor::Coordinates entries = tensor::to_coordinates(exact);
  for (std::size_t k = 0; k < entries.count; ++k) {
    const tensor::Index index(entries.indices.begin() + static_cast<std::ptrdiff_t>(2 * k),
                              entries.indices.begin() + static_cast<std::ptrdiff_t>(2 * k + 2));
    if (by_value ? !(mask.get(index) == mask.fill()) : mask.find(index) >= 0) continue;
    ++missing.entries;
    if (!missing.first) missing.first = index;
  }
  return missing;
}

/// By masked result, the mask that was compared.
std::map<std::string, std::pair<std::string, LeftOut>> judged(State& state, const lang::Kernel& kernel, text::Span at,
                                                              text::Diagnostics& diagnostics) {
  std::map<std::string, std::pair<std::string, LeftOut>> found;
  const auto other = alternative(state, kernel, diagnostics);
  if (!other) return found;
  const auto factor = factor_of(state, other->program, other->how, at, diagnostics);
  if (!factor) return found;
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) {
    if (!mask.pattern || mask.automatic || mask.complement || found.contains(mask.tensor)) continue;
    const lang::Kernel& asked = other->program.kernels.back();
    const auto twin =
        std::ranges::find_if(asked.schedule.masks, [&](const auto& m) { return m.tensor == mask.tensor; });
    const Tensor* given = state.tensor(*other->program.tensor(*mask.pattern), at, diagnostics);
    const auto exact =
        given && twin != asked.schedule.masks.end()
            ? symbolic::pattern_of(other->how, *factor, *twin->pattern, other->program.tensor(*twin->pattern)->format)
            : std::nullopt;
    if (!exact) continue;
    found[mask.tensor] = {*mask.pattern,
                          left_out(*exact, *given, mask.by_value || !format::lists_entries(given->format()))};
  }
  return found;
}

std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t k = 0; k < lines.size(); ++k)
    out += (k == 0 || lines[k - 1] == '\n' ? "  " : "") + std::string(1, lines[k]);
  return out;
}

bool has_own_masks(const lang::Kernel& kernel) {
  return std::ranges::any_of(kernel.schedule.masks, [](const auto& m) { return m.pattern && !m.automatic; });
}

std::string verdict(const std::string& result, const std::string& mask, const LeftOut& missing) {
  return mask + " leaves out " + counted(missing.entries, "entry", "entries") + " that the equations may give " +
         result + ", such as " + text::element_text(result, *missing.first) + ": it is incomplete";
}

}  // namespace

void judge_masks(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics) {
  if (!has_own_masks(kernel)) return;
  // Looking takes longer than many a run: once for what is stored now, as far as its numbers tell.
  std::string stored = "judged " + state.meaning_of(kernel).str();
  for (const std::string& name : kernel.operands())
    if (const Tensor* held = state.data.held(name)) stored += " " + name + " " + std::to_string(held->entries());
  if (!state.declarations.first_time(stored)) return;
  for (const auto& [result, about] : judged(state, kernel, at, diagnostics)) {
    const auto& [mask, missing] = about;
    if (missing.entries == 0) continue;
    const std::string said = verdict(result, mask, missing);
    if (!state.declarations.first_time("N0208 " + kernel.name + " " + said)) continue;
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0208";
    note.span = mask_with(kernel, mask)->span;
    note.message = said;
    diagnostics.add(std::move(note));
  }
}

namespace {

/// How many supernodes have how many columns, by powers of two.
std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  std::map<int, std::int64_t> many;
  for (const std::int64_t size : sizes) ++many[static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size) - 1))];
  std::string out;
  for (const auto& [power, count] : many) {
    const std::int64_t most = std::int64_t{1} << power, least = most / 2 + 1;
    out += "  " + (least >= most ? "" : std::to_string(least) + " to ") + counted(most, "column", "columns") + ": " +
           std::to_string(count) + "\n";
  }
  return out;
}

}  // namespace

std::string supernodes_text(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics) {
  const lang::Program& program = *state.program(diagnostics);
  std::string out;
  for (const lang::Schedule::Supernodes& one : kernel.schedule.supernodes) {
    const lang::TensorInfo *firsts = program.tensor(one.partition), *panels = program.tensor(one.panels);
    if (!firsts || !panels) continue;
    out += lang::to_string(one) + "\n";
    if (!state.data.held(firsts->derived_from())) {
      out += "  not known before kernel " + kernel.name + " has run\n";
      continue;
    }
    const Tensor* const first = state.tensor(*firsts, at, diagnostics);
    const Tensor* const stored = state.tensor(*panels, at, diagnostics);
    if (!first || !stored) return out;
    const std::int64_t columns = first->shape()[0];
    const Tensor& pattern = *state.data.held(firsts->derived_from());
    const std::int64_t entries = tensor::ColumnsBelow(pattern).entries() + (one.diagonal ? columns : 0);
    const tensor::Coordinates all = tensor::to_coordinates(*first);
    std::vector<std::int64_t> sizes;
    for (std::size_t s = 0; s < all.count; ++s)
      sizes.push_back((s + 1 < all.count ? all.indices[s + 1] : columns) - all.indices[s]);
    out += "  " + counted(std::ssize(sizes), "supernode", "supernodes") + " of " +
           counted(columns, "column", "columns") + "; " + counted(stored->entries(), "entry", "entries") + ", " +
           std::to_string(stored->entries() - entries) + " of them zeros\n" + sizes_text(sizes);
  }
  return out;
}

std::string mask_text(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics) {
  const lang::Program& program = *state.program(diagnostics);
  std::string out;
  const auto own = has_own_masks(kernel) ? judged(state, kernel, at, diagnostics)
                                         : std::map<std::string, std::pair<std::string, LeftOut>>{};
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) {
    if (!mask.pattern) continue;
    const lang::TensorInfo& info = *program.tensor(*mask.pattern);
    const bool by_value = mask.by_value || !format::lists_entries(info.format);
    out += mask.tensor + " has entries where " + info.name +
           (by_value          ? mask.complement ? " is at its fill" : " is not at its fill"
            : mask.complement ? " has none"
                              : " has") +
           ": " + format::to_string(info.format);
    const Tensor* held = mask.complement || info.format.all_dense() ? nullptr : state.data.held(info.name);
    if (held) out += ", " + forecast(state, program, mask.tensor, info.name);
    out += "\n";
    if (!info.entries_of.empty()) out += "  the entries of " + info.entries_of + " in another layout\n";
    const auto found = own.find(mask.tensor);
    if (mask.automatic || found == own.end() || found->second.first != info.name) continue;
    const LeftOut& missing = found->second.second;
    out += missing.entries == 0 ? "  closed: all that the equations may give " + mask.tensor + " has its place\n"
                                : "  " + verdict(mask.tensor, info.name, missing) + "\n";
  }
  out += supernodes_text(state, kernel, at, diagnostics);
  for (const lang::Kernel& pattern : program.kernels) {
    if (pattern.pattern_of != kernel.name) continue;
    const auto how = state.elimination(pattern);
    out += "found by kernel " + pattern.name + ", " + (how ? method(*how) : "which runs like any other") + ":\n";
    out += indented(lang::print_equations(program, pattern).characters);
    if (!how || state.value_of(how->size).value_or(largest_text + 1) > largest_text) continue;
    if (const auto factor = factor_of(state, program, *how, at, diagnostics))
      out += to_string(mask_picture(*how, *factor));
  }
  return out.empty() ? "# no result of kernel " + kernel.name + " has a mask\n" : out;
}

}  // namespace trellis::session
