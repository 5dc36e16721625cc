#include "engine/place/reads_apart.hpp"

#include <algorithm>

#include "engine/place/bounds.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Domain;
using Names = std::vector<std::string>;

class Apart {
 public:
  Apart(const lang::Program& program, math::Solver& solver, const Fragments& fragments, const Names& tiled)
      : program_(program), solver_(solver), fragments_(fragments), tiled_(tiled) {}

  std::optional<Fragments> run() {
    result_.temporaries = fragments_.temporaries;
    result_.inner_names = fragments_.inner_names;
    for (const Fragment& f : fragments_.fragments) {
      Fragment kept = f;
      for (std::size_t k = 0; k < f.reads.size(); ++k)
        if (is_few(f, f.reads[k])) take_out(kept, f.reads[k].access);
      add(std::move(kept));
    }
    return found_ ? std::optional(std::move(result_)) : std::nullopt;
  }

 private:
  void add(Fragment f) {
    f.id = static_cast<int>(result_.fragments.size());
    result_.fragments.push_back(std::move(f));
  }

  /// Of an earlier step of what the fragment computes, and at an index that counts the steps in tiles.
  bool is_few(const Fragment& f, const Read& read) const {
    if (f.kind != Fragment::Kind::equation || f.op || !f.write.step || !read.access.step ||
        read.access.tensor != f.write.tensor)
      return false;
    return std::ranges::any_of(tiled_, [&](const std::string& v) {
      if (!contains(f.domain.variables, v) || !f.write_index[0].mentions(v)) return false;
      const auto counts = [&](const std::optional<Affine>& index) { return index && index->mentions(v); };
      return std::ranges::all_of(read.index, [](const auto& i) { return i.has_value(); }) &&
             std::any_of(read.index.begin() + 1, read.index.end(), counts);
    });
  }

  void take_out(Fragment& f, const lang::Access& access) {
    Domain all = f.domain;
    Names used;
    for (const Read& read : f.reads) {
      if (!(read.access == access)) continue;
      if (!read.guards.empty()) return;  // of what is not read everywhere the elements are not known by these
      for (const std::string& v : f.domain.variables)
        if (std::ranges::any_of(read.index, [&](const auto& i) { return i->mentions(v); })) add_once(used, v);
    }
    if (used.empty() || used.size() == f.domain.variables.size()) return;
    const std::vector<Domain> seen = solver_.project(all, used);
    if (seen.size() != 1) return;
    const auto table = table_of(access, used, seen[0], f);
    if (!table) return;
    Fragment g;
    g.name = "keep_" + table->name;
    g.equation = f.equation;
    g.origin = f.origin;
    g.span = f.span;
    g.domain = seen[0];
    g.domain.variables = used;
    g.around = g.domain;
    g.write = {table->name, {}, {}};
    for (const std::string& v : used) {
      g.write.indices.push_back(lang::variable(v));
      g.write_index.push_back(Affine::name(v));
    }
    g.value = Expr({access, program_.tensor(access.tensor)->type, f.span});
    for (const Read& read : f.reads)
      if (read.access == access) g.reads = {read};
    g.temporary = true;
    replace(f, access, g);
    add(std::move(g));
    result_.temporaries.push_back(*table);
    found_ = true;
  }

  std::optional<lang::TensorInfo> table_of(const lang::Access& access, const Names& used, const Domain& elements,
                                           const Fragment& f) const {
    lang::TensorInfo info = *program_.tensor(access.tensor);
    info.name = free_name("old_" + access.tensor);
    info.kind = lang::TensorInfo::Kind::temporary;
    info.span = f.span;
    info.shape.clear();
    const auto size = [&](const std::string& n) { return !contains(f.domain.variables, n); };
    for (const std::string& v : used) {
      const Bounds bounds = bounds_of(v, elements.constraints, size);
      const bool known =
          std::ranges::any_of(bounds.lows, [](const Affine& low) { return low.is_constant() && low.constant >= 0; });
      if (!known || bounds.highs.empty()) return std::nullopt;
      info.shape.push_back(bounds.highs[0]);
    }
    info.format = format::Format::dense(static_cast<int>(info.shape.size()));
    return info;
  }

  std::string free_name(std::string name) const {
    const auto taken = [&] {
      return program_.tensor(name) || program_.parameter(name) ||
             std::ranges::any_of(result_.temporaries, [&](const auto& t) { return t.name == name; });
    };
    while (taken()) name += "_";
    return name;
  }

  static void replace(Fragment& f, const lang::Access& access, const Fragment& by) {
    f.value = instead(f.value, access, by);
    for (Read& read : f.reads) {
      if (!(read.access == access)) continue;
      read.access = by.write;
      read.index.clear();
      for (const Affine& index : by.write_index) read.index.emplace_back(index);
    }
  }
  static Expr instead(const Expr& e, const lang::Access& access, const Fragment& by) {
    if (const auto* a = e.as<lang::Access>(); a && *a == access)
      return Expr({by.write, e->type, e->span}, e.origin(), e.id());
    return lang::map_children(e, [&](const Expr& child) { return instead(child, access, by); });
  }

  const lang::Program& program_;
  math::Solver& solver_;
  const Fragments& fragments_;
  const Names& tiled_;
  Fragments result_;
  bool found_ = false;
};

}  // namespace

std::optional<Fragments> reads_apart(const lang::Program& program, math::Solver& solver, const Fragments& fragments,
                                     const std::vector<std::string>& tiled) {
  return Apart(program, solver, fragments, tiled).run();
}

bool keeps_reads(const Fragment& f) { return f.temporary && !f.op && f.kind == Fragment::Kind::equation; }

}  // namespace trellis::place
