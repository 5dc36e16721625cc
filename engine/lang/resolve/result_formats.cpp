// In what formats results are stored that nobody declared: sparse where some element need not be stored whatever the
// sizes and the data, dense otherwise (docs/design/language.md#results-formats). Then they are announced.

#include <algorithm>
#include <map>
#include <set>

#include "engine/format/storage_order.hpp"
#include "engine/lang/gaps.hpp"
#include "engine/lang/given_formats.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

namespace {

/// Variables in the orders in which loops meet them where no operand is searched against its storage.
class StorageOrders {
 public:
  /// Of what operands store first; where two disagree, the one that is written first is followed.
  void follow(const Program& program, const Expr& e) {
    if (const auto* access = e.as<Access>()) follow(program, *access);
    for_each_child(e, [&](const Expr& child) { follow(program, child); });
  }

  /// Of the left side's dimensions: the first one that no other one has to come before, and so on.
  std::vector<int> order_of(const Access& left) const {
    std::vector<std::string> names;
    for (const Expr& index : left.indices) {
      const auto* variable = index.as<Variable>();
      names.push_back(variable ? variable->name : std::string());
    }
    std::vector<int> order, rest;
    for (std::size_t d = 0; d < names.size(); ++d) rest.push_back(static_cast<int>(d));
    while (!rest.empty()) {
      const auto name = [&](int dimension) { return names[static_cast<std::size_t>(dimension)]; };
      const auto first = std::ranges::find_if(rest, [&](int one) {
        return std::ranges::none_of(rest,
                                    [&](int other) { return other != one && comes_before(name(other), name(one)); });
      });
      order.push_back(*first);
      rest.erase(first);
    }
    return order;
  }

 private:
  void follow(const Program& program, const Access& access) {
    const TensorInfo* info = program.tensor(access.tensor);
    if (!info || info->format.layout || info->format.all_dense()) return;
    const std::string* outer = nullptr;
    for (std::size_t l = 0; l < access.indices.size(); ++l) {
      const auto* variable = access.indices[format::dimension_of(info->format, l)].as<Variable>();
      if (!variable) continue;
      if (outer && *outer != variable->name && !comes_before(variable->name, *outer))
        inside_[*outer].insert(variable->name);
      outer = &variable->name;
    }
  }

  bool comes_before(const std::string& a, const std::string& b) const {
    const auto found = inside_.find(a);
    return found != inside_.end() && std::ranges::any_of(found->second, [&](const std::string& next) {
             return next == b || comes_before(next, b);
           });
  }

  std::map<std::string, std::set<std::string>> inside_;  ///< there is no circle
};

/// Variables by which operands with gaps are read.
void add_listed(const Program& program, const Expr& e, std::set<std::string>& into) {
  if (const auto* access = e.as<Access>())
    if (const TensorInfo* info = program.tensor(access->tensor); info && has_gaps(info->format))
      for (const Expr& index : access->indices)
        for (const std::string& name : free_variables(index)) into.insert(name);
  for_each_child(e, [&](const Expr& child) { add_listed(program, child, into); });
}

/// Whether no operand with gaps is read by the dimension's variable, so that fibers along it are stored whole.
std::vector<bool> whole_dimensions(const Program& program, const std::vector<Equation>& equations) {
  std::vector<bool> whole(equations.front().access().indices.size(), true);
  for (const Equation& equation : equations) {
    std::set<std::string> listed;
    add_listed(program, equation.right, listed);
    for (std::size_t d = 0; d < whole.size(); ++d) {
      const auto* variable = equation.access().indices[d].as<Variable>();
      whole[d] = whole[d] && variable && !listed.contains(variable->name);
    }
  }
  return whole;
}

/// `compressed`, `csr`, `csc`, `csf`, or levels as `csf` has them in another order; of three dimensions and more the
/// last ones are dense that are whole.
format::Format sparse_format(std::vector<int> order, const std::vector<bool>& whole) {
  const int rank = static_cast<int>(order.size());
  const bool natural = std::ranges::is_sorted(order);
  if (rank == 2) return format::Format::named(natural ? "csr" : "csc", rank).value();
  format::Format format = rank == 1 ? format::Format::dense(rank) : format::Format::named("csf", rank).value();
  if (rank == 1) format.levels[0].name = "compressed";
  if (rank == 1 || !natural) format.name.clear();
  for (std::size_t l = order.size(); rank >= 3 && l-- > 1 && whole[static_cast<std::size_t>(order[l])];) {
    format.levels[l] = {"dense", {}};
    format.name.clear();
  }
  format.order = std::move(order);
  return format;
}

/// The equations, without shape operators, by the undeclared result that they define: none that loops write, that has
/// timesteps, is made of its own elements, or was given a format.
class Candidates {
 public:
  explicit Candidates(const Resolution& resolution)
      : resolution_(resolution), decided_(given_formats(resolution.format_commands)) {
    for (const Kernel& kernel : resolution.program.kernels) add(kernel);
    for (const auto& [name, equations] : by_result_)
      if (std::set<std::string> seen; reaches(name, name, seen)) decided_.insert(name);
    for (const std::string& name : decided_) by_result_.erase(name);
  }
  const std::map<std::string, std::vector<Equation>>& by_result() const { return by_result_; }

 private:
  void add(const Kernel& kernel) {
    for (const Timesteps& stepped : kernel.timesteps) decided_.insert(stepped.tensor);
    if (kernel.loops)
      for (std::string& name : kernel.results()) decided_.insert(std::move(name));
    text::Diagnostics ignored;  // they are reported where the kernel is placed
    const auto pushed = push_shapes(resolution_.program, kernel, ignored, SizeValues::unused);
    for (const Equation& equation : (pushed ? pushed->kernel : kernel).equations) {
      const std::string& name = equation.access().tensor;
      if (resolution_.tensor(name)->kind != TensorInfo::Kind::implicit) continue;
      by_result_[name].push_back(equation);
      note_reads(name, equation.right);
    }
  }

  void note_reads(const std::string& result, const Expr& e) {
    const auto* access = e.as<Access>();
    const TensorInfo* info = access ? resolution_.tensor(access->tensor) : nullptr;
    if (info && info->kind == TensorInfo::Kind::implicit) reads_[result].insert(access->tensor);
    for_each_child(e, [&](const Expr& child) { note_reads(result, child); });
  }

  /// Whether elements of the one are made of elements of the other.
  bool reaches(const std::string& from, const std::string& to, std::set<std::string>& seen) const {
    const auto found = reads_.find(from);
    return found != reads_.end() && std::ranges::any_of(found->second, [&](const std::string& next) {
             return next == to || (seen.insert(next).second && reaches(next, to, seen));
           });
  }

  const Resolution& resolution_;
  std::set<std::string> decided_;
  std::map<std::string, std::vector<Equation>> by_result_;
  std::map<std::string, std::set<std::string>> reads_;  ///< results that a result is made of
};

/// What all of them leave out; empty: one of them has no gaps, or others than another one.
std::optional<format::Value> common_gaps(const Program& program, const std::vector<Equation>& equations) {
  std::optional<format::Value> common;
  for (const Equation& equation : equations) {
    const auto value = value_in_gaps(program, equation);
    if (!value || (common && *common != *value)) return std::nullopt;
    common = value;
  }
  return common;
}

void add_with_gaps(const Program& program, const Expr& e, std::set<std::string>& into) {
  const auto* access = e.as<Access>();
  const TensorInfo* info = access ? program.tensor(access->tensor) : nullptr;
  if (info && has_gaps(info->format)) into.insert(access->tensor);
  for_each_child(e, [&](const Expr& child) { add_with_gaps(program, child, into); });
}

/// By result, the operands with gaps that its elements are made of.
std::map<std::string, std::set<std::string>> sparse_operands(const Program& program) {
  std::map<std::string, std::set<std::string>> found;
  for (const Kernel& kernel : program.kernels)
    for (const Equation& equation : kernel.equations)
      add_with_gaps(program, equation.right, found[equation.access().tensor]);
  return found;
}

/// Why a result of sparse operands is stored as it is.
std::string why_stored(const TensorInfo& info, const std::set<std::string>& operands) {
  std::string names;
  for (const std::string& name : operands) names += (names.empty() ? "" : " and ") + name;
  const std::string stores = names + (operands.size() == 1 ? " stores" : " store");
  if (!info.format.all_dense())
    return "sparse, because elements are " + to_string(info.fill) + " where " + stores +
           " nothing, whatever the sizes; `format " + info.name + " dense` stores them all";
  return "dense, because each element may come to be something else than one value, however little " + stores;
}

}  // namespace

void choose_formats(Resolution& resolution) {
  Program& program = resolution.program;
  if (std::ranges::none_of(program.tensors, has_gaps, &TensorInfo::format)) return;
  const Candidates candidates(resolution);
  // A result of results is seen to have gaps once these have: until then nothing stays unstored that must be.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [name, equations] : candidates.by_result()) {
      TensorInfo& info = *resolution.tensor(name);
      const auto value = has_gaps(info.format) ? std::nullopt : common_gaps(program, equations);
      if (!value) continue;
      StorageOrders orders;
      for (const Equation& equation : equations) orders.follow(program, equation.right);
      info.format = sparse_format(orders.order_of(equations.front().access()), whole_dimensions(program, equations));
      info.fill = format::cast(info.type, *value);
      widen_levels(resolution, info);
      changed = true;
    }
  }
}

void announce(const Resolution& resolution) {
  const auto sparse = sparse_operands(resolution.program);
  for (const TensorInfo& info : resolution.program.tensors) {
    const bool silent = resolution.poisoned.count(info.name) || resolution.is_value(info.name);
    if (info.kind != TensorInfo::Kind::implicit || silent) continue;
    std::string shape;
    for (const math::Affine& size : info.shape) shape += (shape.empty() ? "" : ", ") + to_string(size);
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0201";
    note.span = info.span;
    const bool full = info.format.all_dense();
    note.message = (full ? "new dense result " : "new result ") + info.name + (shape.empty() ? "" : "(" + shape + ")") +
                   ": " + std::string(format::name_of(info.type)) + (full ? "" : " " + format::to_string(info.format)) +
                   (info.fill.is_true() ? " fill " + format::to_string(info.fill) : "");
    const auto operands = sparse.find(info.name);
    // That a vector or a number is dense is no news.
    const bool asks_why = !full || info.shape.size() > 1;
    if (operands != sparse.end() && !operands->second.empty() && asks_why)
      note.notes.push_back({{}, why_stored(info, operands->second)});
    resolution.diagnostics.add(std::move(note));
  }
}

}  // namespace trellis::lang::resolving
