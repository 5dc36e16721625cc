#include "engine/place/wording.hpp"

#include <algorithm>

#include "engine/place/ranges.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using Texts = std::vector<std::string>;

std::string element(const std::string& tensor, const Texts& indices) {
  std::string out;
  for (const std::string& i : indices) out += (out.empty() ? "" : ",") + i;
  return out.empty() ? tensor : tensor + "(" + out + ")";
}

/// Without spaces, as indices are usually written.
std::string in_words(const Expr& index) {
  std::string text = lang::to_string(index);
  std::erase(text, ' ');
  return text;
}
std::string in_words(const math::Affine& index, const Texts& variables) {
  return in_words(lang::to_expr(index, variables));
}

/// ":", ":j" or "i+1:" for a variable that walks a dimension; empty when its bounds say less simply.
std::string walked(const Analysis& analysis, const Fragment& reader, const std::string& variable,
                   const math::Affine& extent) {
  const Range range = range_of(analysis.dependences->solver(), variable, {reader.domain}, reader.initialised);
  if (range.lows.size() != 1 || range.highs.size() != 1) return "";
  const auto& around = reader.initialised.variables;
  const std::string low = range.lows[0] == math::Affine(0) ? "" : in_words(range.lows[0], around);
  const std::string high = range.highs[0] == extent ? "" : in_words(range.highs[0], around);
  return low + ":" + high;
}

/// The dimensions of an element as the loops from outside to `loop` fix them; ":" for those that loops inside walk.
/// Empty when the loop does not step through the tensor.
Texts fixed_slice(const Fragment& writer, const lang::Order& order, const std::string& loop, const math::Affine& at) {
  Texts outside;
  for (const lang::LoopName& l : order) {
    outside.push_back(l.name);
    if (l.name == loop) break;
  }
  Texts result;
  bool stepped = false;
  for (std::size_t d = 0; d < writer.write_index.size(); ++d) {
    const math::Affine index = writer.write.step && d == 0 ? writer.write_index[0] - 1 : writer.write_index[d];
    const bool here = index.as_name() == loop;
    if (index.mentions(loop) && !here) return {};
    std::set<std::string> names;
    index.collect_names(names);
    const bool fixed = std::all_of(names.begin(), names.end(), [&](const std::string& n) {
      return contains(outside, n) || !contains(writer.domain.variables, n);
    });
    result.push_back(here    ? in_words(at, writer.domain.variables)
                     : fixed ? in_words(index, writer.domain.variables)
                             : ":");
    stepped = stepped || here;
  }
  return stepped ? result : Texts{};
}

/// "row i" and "column j" of a matrix, else the slice.
std::string slice_in_words(const std::string& tensor, const Texts& slice) {
  if (slice.size() == 2 && slice[1] == ":") return "row " + slice[0];
  if (slice.size() == 2 && slice[0] == ":") return "column " + slice[1];
  return element(tensor, slice);
}

/// The same of a tensor with timesteps, whose first dimension is the step: "step k", else the slice of all steps, or of
/// one.
std::string step_in_words(const std::string& tensor, Texts slice) {
  const std::string step = slice.at(0);
  slice.erase(slice.begin());
  const bool whole = std::all_of(slice.begin(), slice.end(), [](const std::string& i) { return i == ":"; });
  if (step == ":") return slice_in_words(tensor, slice) + " of all steps";
  return whole ? "step " + step : element(tensor + "[" + step + "]", slice);
}

bool accumulates_outside(const Fragment& f, const lang::Order& order, const std::string& loop) {
  for (const lang::LoopName& l : order) {
    if (l.name == loop) return false;
    if (contains(f.reduced, l.name)) return true;
  }
  return false;
}

std::string steps_in_words(const Fragment& writer, const lang::Order& order, const std::string& loop) {
  const auto at = std::find_if(order.begin(), order.end(), [&](const auto& l) { return l.name == loop; });
  if (at == order.end() || (writer.op && accumulates_outside(writer, order, loop))) return "";
  const math::Affine here = math::Affine::name(loop);
  const Texts now = fixed_slice(writer, order, loop, here),
              next = fixed_slice(writer, order, loop, here + (at->descending ? -1 : 1));
  if (now.empty()) return "";
  const bool steps = writer.write.step.has_value();
  const std::string& tensor = writer.write.tensor;
  const std::string first = steps ? step_in_words(tensor, now) : slice_in_words(tensor, now);
  const std::string second = steps ? step_in_words(tensor, next) : slice_in_words(tensor, next);
  if (!contains(now, ":")) return "computes " + first + " before " + second;
  return "finishes " + first + " before it starts " + second;
}

}  // namespace

std::string needed_part(const Analysis& analysis, const Fragment& reader, const Read& read) {
  const lang::TensorInfo* info = analysis.program.tensor(read.access.tensor);
  Texts indices;
  bool slice = false, simple = info != nullptr && reader.op.has_value() && !read.access.step;
  for (std::size_t d = 0; d < read.index.size() && simple; ++d) {
    const auto& index = read.index[d];
    std::string walks;
    if (index) {
      const auto name = index->as_name();
      if (name && contains(reader.reduced, *name)) walks = walked(analysis, reader, *name, info->shape[d]);
      else if (std::any_of(reader.reduced.begin(), reader.reduced.end(),
                           [&](const auto& r) { return index->mentions(r); }))
        simple = false;
      if (name && contains(reader.reduced, *name) && walks.empty()) simple = false;
    }
    slice = slice || !walks.empty();
    indices.push_back(walks.empty() ? in_words(read.access.indices[d]) : walks);
  }
  if (!simple || !slice) return lang::to_string(Expr({read.access, {}, {}}));
  if (std::all_of(indices.begin(), indices.end(), [](const std::string& i) { return i == ":"; }))
    return "all of " + read.access.tensor;
  return "all of " + slice_in_words(read.access.tensor, indices);
}

std::string fault_of_loop(const Analysis& analysis, const Attempt& attempt, const lang::Order& order) {
  const auto& fragments = analysis.fragments.fragments;
  for (int f : attempt.component) {
    const Fragment& update = fragments[static_cast<std::size_t>(f)];
    if (update.op && contains(update.reduced, attempt.loop)) {
      return "each " + name_of_reduction(update) + " is complete only after its last " + attempt.loop;
    }
  }
  if (attempt.renamed || attempt.writer < 0) return "";
  return steps_in_words(fragments[static_cast<std::size_t>(attempt.writer)], order, attempt.loop);
}

std::string equation_text(const Analysis& analysis, const lang::Equation& equation) {
  lang::Kernel kernel;
  kernel.equations = {equation};
  std::string text = lang::print_equations(analysis.program, kernel).characters;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace trellis::place
