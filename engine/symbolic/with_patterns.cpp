#include "engine/symbolic/with_patterns.hpp"

#include <algorithm>
#include <map>

#include "engine/format/level.hpp"
#include "engine/format/misfit.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/lang/fresh_name.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/symbolic/differs.hpp"
#include "engine/symbolic/elimination.hpp"
#include "engine/symbolic/logic.hpp"
#include "engine/symbolic/symmetrised.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::symbolic {
namespace {

using format::Format;
using lang::Expr;
using lang::TensorInfo;
using What = TensorInfo::Supernodes::What;

bool is_automatic(const lang::Schedule::Mask& mask) { return !mask.pattern; }

/// Without values. Lists of coordinates take the place of levels that store what nobody listed, and of a layout, whose
/// levels say nothing about single elements.
Format pattern_format(const TensorInfo& tensor) {
  const auto sound = [&](const Format& one) { return format::objection(one).empty() && !format::misfit(one); };
  Format wanted = tensor.format.layout ? Format::dense(tensor.format.dimensions()) : tensor.format;
  wanted.name.clear();
  wanted.pattern = true;
  if (sound(wanted)) return wanted;
  for (std::size_t l = 0; l < wanted.levels.size(); ++l)
    wanted.levels[l] = {l == 0 && wanted.levels.size() > 1 ? "dense" : "compressed", {}};
  return wanted;
}

/// Of each row the columns, or of each column the rows.
bool in_lists(const Format& format) {
  return format.levels.size() == 2 && !format.layout && format.levels[0].name == "dense" &&
         format.levels[1].name == "compressed";
}

bool lists_across(const Format& format, bool by_columns) {
  return in_lists(format) && format::is_column_major(format) != by_columns;
}

/// The twin of one kernel, and the tensors that it needs.
class Twin {
 public:
  Twin(lang::Program& program, lang::Kernel& kernel, text::Diagnostics& diagnostics)
      : program_(program), kernel_(kernel), diagnostics_(diagnostics) {}

  /// Empty when no mask is to be computed.
  std::optional<lang::Kernel> make() {
    for (const lang::Schedule::Mask& mask : kernel_.schedule.masks)
      if (is_automatic(mask) && may_have_pattern(mask)) wanted_.push_back(mask.tensor);
    if (wanted_.empty()) {
      drop_masks();
      return std::nullopt;
    }
    const auto pushed = lang::push_shapes(program_, kernel_, diagnostics_);  // twins are made of accesses
    if (!pushed) return std::nullopt;
    program_ = lang::assuming(std::move(program_), pushed->assumed);
    written_ = pushed->kernel.equations;
    needed_ = wanted_;
    for (std::size_t k = 0; k < needed_.size(); ++k) add_equations(std::string(needed_[k]));
    lang::Kernel twin;
    twin.name = fresh(kernel_.name + "_pattern");
    twin.span = kernel_.span;
    twin.pattern_of = kernel_.name;
    twin.equations = std::move(equations_);
    for (std::size_t one = 0; one < kernel_.schedule.supernodes.size(); ++one) join_triangles(twin, one);
    for (const std::string& tensor : wanted_) set_masks(tensor, twin.name);
    drop_masks();
    set_supernodes(twin);
    return twin;
  }

 private:
  bool may_have_pattern(const lang::Schedule::Mask& mask) {
    const auto refuse = [&](std::string why, std::string note) {
      diagnostics_
          .error("E0326", mask.span, "the pattern of " + mask.tensor + " cannot be computed: " + std::move(why), "")
          .notes.push_back({{}, std::move(note)});
      return false;
    };
    if (program_.tensor(mask.tensor)->shape.empty())
      return refuse("it is a scalar", "a scalar has one element, and no entries to be found");
    if (kernel_.loops)
      return refuse("kernel " + kernel_.name + " is a loop program",
                    "a pattern follows from equations; write `mask " + mask.tensor + " M` with a mask of your own");
    if (std::ranges::any_of(kernel_.timesteps, [&](const lang::Timesteps& t) { return t.tensor == mask.tensor; }))
      return refuse("it has timesteps", "each step has another pattern; write `mask " + mask.tensor +
                                            " M` with one that holds for all of them");
    const bool other = std::ranges::any_of(kernel_.schedule.masks,
                                           [&](const auto& m) { return m.tensor == mask.tensor && !is_automatic(m); });
    for (const lang::Kernel& kernel : program_.kernels)
      if (const TensorInfo* named = program_.tensor(mask.tensor + "_mask");
          named && named->kind == TensorInfo::Kind::pattern && contains(kernel.results(), named->name))
        return refuse("kernel " + kernel.name + " computes " + mask.tensor + "_mask itself",
                      "that is the name of its pattern; declare it, or call it otherwise");
    if (other) return refuse("it has another mask", "one of the two is enough");
    return true;
  }

  /// Those that have become masks of their own, or that nothing can be computed for.
  void drop_masks() { std::erase_if(kernel_.schedule.masks, is_automatic); }

  void add_equations(const std::string& tensor) {
    const format::Value fill = program_.tensor(tensor)->fill;  // tensors come in the meantime
    for (const lang::Equation& equation : written_) {
      if (equation.access().tensor != tensor) continue;
      const Expr condition =
          differs(equation.right, fill, program_, [&](const lang::Access& access) { return stored(access); });
      if (is_false(condition)) continue;
      lang::Access left = equation.access();
      left.tensor = pattern_of(tensor);
      lang::Equation twin;
      twin.span = equation.span;
      twin.domain = equation.domain;
      twin.left = Expr(lang::ExprNode{std::move(left), format::ScalarType::boolean, equation.left->span},
                       equation.left.origin());
      twin.right = condition;
      twin.origin = equation.origin;
      equations_.push_back(numbered(std::move(twin)));
    }
  }

  lang::Equation numbered(lang::Equation equation) {
    equation.id = next_++;
    equation.left = numbered(equation.left, equation.origin);
    equation.right = numbered(equation.right, equation.origin);
    return equation;
  }

  /// Pre-order, as stage `equations` is numbered.
  Expr numbered(const Expr& e, const text::Origin& around) {
    const int id = next_++;
    const Expr children = lang::map_children(e, [&](const Expr& child) { return numbered(child, around); });
    return Expr(*children, e.origin().empty() ? around : e.origin(), id);
  }

  /// The condition that an element is stored, in what this kernel reads.
  Expr stored(const lang::Access& access) {
    const TensorInfo& info = *program_.tensor(access.tensor);
    if (info.shape.empty() || access.step) return truth(true);
    lang::Access twin = access;
    const lang::Schedule::Mask* const mask = own_mask(access.tensor);
    if (mask && (mask->complement || mask->by_value)) return truth(true);
    if (mask) twin.tensor = entries_of(*mask->pattern);
    else if (info.format.all_dense() && !contains(wanted_, access.tensor)) return truth(true);
    else if (!contains(kernel_.results(), access.tensor)) twin.tensor = entries_of(access.tensor);
    else {
      twin.tensor = pattern_of(access.tensor);
      add_once(needed_, access.tensor);
    }
    return Expr(lang::ExprNode{std::move(twin), format::ScalarType::boolean, {}});
  }

  /// The mask that the user gave to a result.
  const lang::Schedule::Mask* own_mask(const std::string& tensor) const {
    for (const lang::Schedule::Mask& mask : kernel_.schedule.masks)
      if (mask.tensor == tensor && mask.pattern) return &mask;
    return nullptr;
  }

  std::string entries_of(const std::string& tensor) {
    const TensorInfo info = *program_.tensor(tensor);
    if (info.format.pattern) return tensor;
    for (const TensorInfo& known : program_.tensors)
      if (known.entries_of == tensor) return known.name;
    return add(info, fresh(tensor + "_entries"), pattern_format(info), tensor);
  }

  std::string pattern_of(const std::string& tensor) {
    const auto known = patterns_.find(tensor);
    if (known != patterns_.end()) return known->second;
    const TensorInfo info = *program_.tensor(tensor);
    for (TensorInfo& declared : program_.tensors)
      if (declared.name == tensor + "_mask" && declared.kind == TensorInfo::Kind::pattern) {
        declared.format = pattern_format(info);
        return patterns_[tensor] = declared.name;
      }
    return patterns_[tensor] = add(info, fresh(tensor + "_mask"), pattern_format(info), "");
  }

  std::string add(TensorInfo info, const std::string& name, Format format, const std::string& entries_of) {
    info.name = name;
    info.format = std::move(format);
    info.type = format::ScalarType::boolean;
    info.fill = format::Value::truth(false);
    info.kind = TensorInfo::Kind::pattern;
    info.pad = false;
    info.entries_of = entries_of;
    program_.tensors.push_back(std::move(info));
    return name;
  }

  std::string fresh(const std::string& name) const { return lang::fresh_name(program_, kernel_, name); }

  void set_masks(const std::string& tensor, const std::string& twin) {
    const auto asked = std::ranges::find_if(kernel_.schedule.masks,
                                            [&](const auto& m) { return m.tensor == tensor && is_automatic(m); });
    const lang::Schedule::Mask like = *asked;
    const std::string own = pattern_of(tensor);
    std::vector<std::string> masks{own};
    const TensorInfo info = *program_.tensor(own);
    if (info.shape.size() == 2)
      masks.push_back(add(info, fresh(own + "_t"), format::in_other_orders(info.format).front(), own));
    for (const std::string& mask : masks) kernel_.schedule.masks.push_back({tensor, mask, like.span, true});
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0205";
    note.span = like.span;
    note.message = tensor + " has the entries of " + own + ", which kernel " + twin + " finds before";
    diagnostics_.add(std::move(note));
  }

  /// Panels of a factor that is not symmetric are of both its triangles: one pattern of the two, which is closed, and
  /// the supernodes of the other one are the same.
  void join_triangles(lang::Kernel& twin, std::size_t one) {
    const lang::Schedule::Supernodes wanted = kernel_.schedule.supernodes[one];
    const auto how = contains(wanted_, wanted.tensor) ? find_elimination(program_, twin) : std::nullopt;
    if (!how || how->symmetric || how->parts.size() != 2) return;
    const std::string own = pattern_of(wanted.tensor);
    for (const auto& [tensor, pattern] : std::map(patterns_)) {
      if (pattern == own || !how->parts.contains(pattern)) continue;
      const auto joined = symmetrised(twin.equations, own, pattern);
      if (!joined || own_mask(tensor)) continue;
      next_ = 0;
      twin.equations.clear();
      for (const lang::Equation& equation : *joined) twin.equations.push_back(numbered(equation));
      others_[wanted.tensor] = {tensor, how->parts.at(pattern).diagonal};
      std::erase(wanted_, tensor);
      std::erase_if(program_.tensors, [&](const TensorInfo& info) { return info.name == pattern; });
      patterns_.erase(tensor);
      return;
    }
  }

  /// What the twin has to be, so that columns of the result are panels: the factor of a symmetric elimination from the
  /// first column on, whose fibers are its columns. Empty is reported.
  std::optional<Elimination> factor_of(const lang::Kernel& twin, const lang::Schedule::Supernodes& wanted) {
    const auto refuse = [&](const std::string& why, const std::string& note) {
      diagnostics_.error("E0158", wanted.span, "the supernodes of " + wanted.tensor + " cannot be panels: " + why, "")
          .notes.push_back({{}, note});
      return std::nullopt;
    };
    if (!contains(wanted_, wanted.tensor))
      return refuse("its mask is not one that the equations give", "write `mask " + wanted.tensor + " auto`");
    auto how = find_elimination(program_, twin);
    if (!how || !how->symmetric)
      return refuse("its equations are not those of an elimination",
                    "as of Cholesky's factorisation, LDL' or LU: each element has the products of all earlier ones");
    const Elimination::Part& part = how->parts.at(pattern_of(wanted.tensor));
    const Format& format = program_.tensor(wanted.tensor)->format;
    const bool lists = in_lists(format);
    const bool by_columns = lists && format::is_column_major(format);
    const auto other = others_.find(wanted.tensor);
    const bool across =
        other == others_.end() || lists_across(program_.tensor(other->second.first)->format, by_columns);
    if (!lists || !across || how->reversed || (by_columns != part.transposed) != part.lower || part.lower == part.upper)
      return refuse("it does not list the rows of each of its columns, from the first column on",
                    "a lower factor is stored in csc, an upper one in csr");
    return how;
  }

  /// The masks of such a result give way to one, with the zeros of its supernodes.
  void set_supernodes(const lang::Kernel& twin) {
    std::vector<lang::Schedule::Supernodes> all;
    for (const lang::Schedule::Supernodes& wanted : kernel_.schedule.supernodes) {
      const bool found = std::ranges::any_of(all, [&](const auto& one) { return one.tensor == wanted.tensor; });
      const auto how = found ? std::nullopt : factor_of(twin, wanted);
      if (!how) continue;
      const TensorInfo own = *program_.tensor(pattern_of(wanted.tensor));
      lang::Schedule::Supernodes one = wanted;
      one.partition = fresh(wanted.partition);
      while (fresh(one.updates()) != one.updates()) one.partition = fresh(one.partition + "_");
      about_supernodes(own, 1, one.partition, {own.name, What::firsts, wanted.relax, false});
      about_supernodes(own, 2, one.updates(), {own.name, What::updates, wanted.relax, false});
      all.push_back(in_panels(one, own, how->parts.at(own.name).diagonal));
      const auto other = others_.find(wanted.tensor);
      if (other == others_.end()) continue;
      one.tensor = other->second.first;
      all.push_back(in_panels(one, own, other->second.second));
    }
    kernel_.schedule.supernodes = std::move(all);
  }

  /// A pattern of so many dimensions, about the supernodes of `own`.
  void about_supernodes(TensorInfo own, int dimensions, const std::string& name, TensorInfo::Supernodes how) {
    own.shape.resize(static_cast<std::size_t>(dimensions));
    Format lists = Format::dense(dimensions);
    lists.levels.back() = {"compressed", {}};
    lists.pattern = true;
    add(own, name, lists, "");
    program_.tensors.back().supernodes = std::move(how);
  }

  /// Of one triangle: its mask has the entries of all panels, whose pattern is that of `own`, or its transpose.
  lang::Schedule::Supernodes in_panels(lang::Schedule::Supernodes wanted, const TensorInfo& own, bool diagonal) {
    const TensorInfo tensor = *program_.tensor(wanted.tensor);
    wanted.diagonal = diagonal;
    wanted.panels = add(tensor, fresh(wanted.tensor + "_panels"), pattern_format(tensor), "");
    program_.tensors.back().supernodes = {own.name, What::panels, wanted.relax, diagonal};
    std::erase_if(kernel_.schedule.masks, [&](const auto& mask) { return mask.tensor == wanted.tensor; });
    kernel_.schedule.masks.push_back({wanted.tensor, wanted.panels, wanted.span, true});
    return wanted;
  }

  lang::Program& program_;
  lang::Kernel& kernel_;
  text::Diagnostics& diagnostics_;
  std::vector<std::string> wanted_, needed_;     ///< results: to be masked, and all that have a twin
  std::map<std::string, std::string> patterns_;  ///< of results
  /// By a factor in panels: its other triangle, and whether that has a diagonal.
  std::map<std::string, std::pair<std::string, bool>> others_;
  std::vector<lang::Equation> written_, equations_;  ///< the kernel's, and the twin's
  int next_ = 0;
};

}  // namespace

lang::Program with_patterns(lang::Program program, text::Diagnostics& diagnostics) {
  std::vector<lang::Kernel> kernels;
  for (lang::Kernel kernel : program.kernels) {
    const bool asks = std::ranges::any_of(kernel.schedule.masks, is_automatic);
    if (auto twin = asks ? Twin(program, kernel, diagnostics).make() : std::nullopt)
      kernels.push_back(std::move(*twin));
    kernels.push_back(std::move(kernel));
  }
  program.kernels = std::move(kernels);
  return program;
}

}  // namespace trellis::symbolic
