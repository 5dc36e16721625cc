#include "engine/distribute/renumber.hpp"

#include <algorithm>
#include <map>

#include "engine/format/level.hpp"
#include "engine/tensor/renumber.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using lang::Expr;
using loop::Stmt;
using math::Affine;

/// Where a row's number matters, and why.
struct Matters {
  text::Span span;
  std::string what;  ///< "`x(i-1)`"
  std::string why;
};

/// What the loops do with numbers of rows: each index into a dimension of the size has to be the variable of a loop
/// over all of them, which is used for nothing else.
class Uses {
 public:
  Uses(const Nest& nest, const lang::Program& program, Affine size)
      : nest_(nest), program_(program), size_(std::move(size)) {
    visit(nest.loops);
  }

  /// The first place at which it matters; empty: each numbering will do.
  std::optional<Matters> matters() const {
    if (direct_) return direct_;
    for (const auto& [id, access] : rows_) {
      if (const auto other = otherwise_.find(id); other != otherwise_.end())
        return Matters{other->second->span, "`" + lang::to_string(other->second) + "`",
                       "it asks for the number of a row of " + lang::to_string(access)};
      if (auto found = partly(id, access)) return found;
    }
    if (auto found = one_behind_the_other()) return found;
    return of_storage();
  }

  /// What has such rows.
  std::vector<std::string> tensors() const {
    std::vector<std::string> names;
    for (const auto& [name, info] : renumbered_) names.push_back(name);
    return names;
  }

  /// Sums of floating numbers over rows.
  std::vector<std::string> sums() const {
    std::vector<std::string> names;
    for (const schedule::Dependence& d : nest_.analysed.dependences)
      if (d.commutes && d.first.floating && is_row_loop(d)) add_once(names, d.first.tensor);
    return names;
  }

 private:
  void visit(const Stmt& s) {
    if (const auto* f = s.as<loop::For>()) {
      const auto outside = loops_;
      value(f->low), value(f->high);
      loops_[f->variable] = s.id();
      visit(f->body);
      if (f->until) value(*f->until);
      loops_ = outside;
      return;
    }
    if (const auto* declare = s.as<loop::Declare>()) declared_[declare->tensor.name] = declare->tensor;
    const auto outside = declared_;
    loop::for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [&](const Expr& e) { value(e); });
    if (s.as<loop::Block>()) declared_ = outside;
  }

  const lang::TensorInfo* info_of(const std::string& name) const {
    const auto found = declared_.find(name);
    return found != declared_.end() ? &found->second : program_.tensor(name);
  }

  void value(const Expr& e) {
    if (const auto* access = e.as<lang::Access>()) return element(e, *access);
    const auto* v = e.as<lang::Variable>();
    const auto loop = v ? loops_.find(v->name) : loops_.end();
    if (loop != loops_.end()) otherwise_.try_emplace(loop->second, around_.value_or(e));
    const auto outside = around_;
    if (!v && !e.as<lang::Cast>()) around_ = e;
    lang::for_each_child(e, [&](const Expr& child) { value(child); });
    around_ = outside;
  }

  void element(const Expr& e, const lang::Access& access) {
    const lang::TensorInfo* info = info_of(access.tensor);
    const auto outside = around_;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const Expr& index = access.indices[d];
      const bool row = info && d < info->shape.size() && info->shape[d] == size_;
      const auto* v = index.as<lang::Variable>();
      const auto loop = row && v ? loops_.find(v->name) : loops_.end();
      if (loop != loops_.end()) {
        rows_.try_emplace(loop->second, e);
        renumbered_.emplace(info->name, *info);
        continue;
      }
      if (row && !direct_)
        direct_ = Matters{e->span, "`" + lang::to_string(e) + "`",
                          lang::affine(index) && !lang::free_variables(index).empty()
                              ? "what lies next to a row is another row in another numbering"
                              : "it is another row in another numbering"};
      around_ = e;
      value(index);
      around_ = outside;
    }
    if (access.step) value(*access.step);
  }

  std::optional<Matters> partly(int id, const Expr& access) const {
    const auto* f = nest_.statements.at(id).as<loop::For>();
    const auto low = lang::affine(f->low), high = lang::affine(f->high);
    if (low == Affine(0) && high == size_ && !f->until) return std::nullopt;
    return Matters{access->span, "`" + lang::to_string(access) + "`",
                   "the loop over " + f->variable + " does not come by all rows, " + whole()};
  }

  std::string whole() const { return "0:" + math::to_string(size_); }

  bool is_row_loop(const schedule::Dependence& d) const {
    const schedule::Around* around = nest_.analysed.carrier(d);
    return around && rows_.contains(nest_.number_of(*around));
  }

  std::optional<Matters> one_behind_the_other() const {
    for (const schedule::Dependence& d : nest_.analysed.dependences)
      if (!d.commutes && is_row_loop(d)) {
        const Stmt& at = nest_.statements.at(nest_.sites()[d.sink].statement);
        return Matters{at->span, "the loop over `" + nest_.analysed.carrier(d)->variable + "`",
                       "its iterations depend on each other by " + d.first.tensor + ", so their order matters"};
      }
    return std::nullopt;
  }

  std::optional<Matters> of_storage() const {
    for (const auto& [name, info] : renumbered_) {
      if (info.promises.sorted || info.promises.decreasing)
        return Matters{info.span, "`" + name + "`", "its values are promised to be sorted by rows"};
      if (info.supernodes) return Matters{info.span, "`" + name + "`", "supernodes are neighbouring columns"};
      if (info.format.layout) return Matters{info.span, "`" + name + "`", "its layout puts neighbouring rows together"};
      for (std::size_t level = 0; level < info.format.levels.size(); ++level) {
        const format::Facts facts = format::facts(info.format.levels[level]);
        if (facts.bounded || (!facts.points() && !facts.dense()))
          return Matters{info.span, "`" + name + "`",
                         "its level " + format::to_string(info.format.levels[level]) +
                             " has no room for entries in another numbering"};
      }
    }
    return std::nullopt;
  }

  const Nest& nest_;
  const lang::Program& program_;
  const Affine size_;
  std::map<std::string, int> loops_;  ///< around, by variable
  std::map<std::string, lang::TensorInfo> declared_;
  std::optional<Expr> around_;  ///< the innermost expression within which a variable stands
  std::map<int, Expr> rows_;    ///< loops whose variable is a row's number, with an element of it
  std::map<int, Expr> otherwise_;
  std::map<std::string, lang::TensorInfo> renumbered_;
  std::optional<Matters> direct_;
};

using Distribution = lang::Schedule::Distribution;

text::Diagnostic& refuse(const Distribution& asked, const std::string& message, text::Diagnostics& diagnostics) {
  return diagnostics.error("E0165", asked.by_span.known() ? asked.by_span : asked.span, message, "");
}

/// The size that the loop's rows have, if A is a matrix over it.
std::optional<Affine> size_of(const Plan& plan, const Nest& nest, const Distribution& asked,
                              const lang::Program& program, text::Diagnostics& diagnostics) {
  const lang::TensorInfo* matrix = program.tensor(asked.by);
  const std::string no = "rows cannot be numbered by parts of " + asked.by + ": ";
  if (!matrix || matrix->shape.size() != 2 || matrix->format.all_dense()) {
    refuse(asked, no + "it is no sparse matrix", diagnostics)
        .notes.push_back({{}, "as in `tensor A(n, n): csr`; its entries are the edges of the graph"});
    return std::nullopt;
  }
  if (matrix->shape[0] != matrix->shape[1]) {
    refuse(asked, no + "it is not square", diagnostics)
        .notes.push_back(
            {matrix->span, math::to_string(matrix->shape[0]) + " by " + math::to_string(matrix->shape[1])});
    return std::nullopt;
  }
  for (const auto& [statement, deal] : plan.dealt) {
    const auto* f = nest.statements.at(statement).as<loop::For>();
    const Partition& p = plan.partitions[static_cast<std::size_t>(deal.partition)];
    if (f->variable == asked.loop && p.ranks == asked.ranks && p.base + Affine(p.extra) == matrix->shape[0])
      return matrix->shape[0];
  }
  refuse(asked, no + asked.loop + " does not run over its rows", diagnostics)
      .notes.push_back({matrix->span, "there are " + math::to_string(matrix->shape[0])});
  return std::nullopt;
}

}  // namespace

bool find_renumbered(Plan& plan, const Nest& nest, const lang::Kernel& kernel, const lang::Program& program,
                     text::Diagnostics& diagnostics) {
  for (const Distribution& asked : kernel.schedule.distributions) {
    if (!asked.parts) continue;
    const auto size = size_of(plan, nest, asked, program, diagnostics);
    if (!size) return false;
    const auto other = std::ranges::find(plan.renumbered, *size, &Renumbered::size);
    if (other != plan.renumbered.end()) {
      if (other->by == asked.by && other->ranks == asked.ranks) continue;
      refuse(asked, "the rows of 0:" + math::to_string(*size) + " are numbered by parts of " + other->by + " already",
             diagnostics);
      return false;
    }
    const Uses uses(nest, program, *size);
    if (const auto why = uses.matters()) {
      text::Diagnostic& d =
          refuse(asked, "rows cannot be numbered by parts of " + asked.by + ", as their numbers matter", diagnostics);
      d.notes.push_back({why->span, why->what + ": " + why->why});
      d.notes.push_back(
          {{}, "this keeps the numbers: `distribute " + asked.loop + " over " + asked.ranks + " by " + asked.by + "`"});
      return false;
    }
    plan.renumbered.push_back({asked.ranks, asked.by, *size, uses.tensors(), uses.sums()});
  }
  return true;
}

std::vector<const std::vector<std::int64_t>*> numbers_along(const Plan& plan, const Cuts& cuts,
                                                            const lang::TensorInfo& info, Into into) {
  std::vector<const std::vector<std::int64_t>*> along(info.shape.size(), nullptr);
  for (std::size_t k = 0; k < cuts.numberings.size(); ++k) {
    const Numbering* numbering = cuts.numberings[k].get();
    const Renumbered& r = plan.renumbered[k];
    if (!numbering || std::ranges::find(r.tensors, info.name) == r.tensors.end()) continue;
    for (std::size_t d = 0; d < along.size(); ++d)
      if (info.shape[d] == r.size) along[d] = into == Into::ranks ? &numbering->to : &numbering->from;
  }
  return along;
}

std::optional<tensor::Tensor> renumbered(const Plan& plan, const Cuts& cuts, const lang::TensorInfo& info,
                                         const tensor::Tensor& tensor, Into into) {
  return tensor::renumbered(tensor, numbers_along(plan, cuts, info, into));
}

}  // namespace trellis::distribute
