#include "engine/place/certificate.hpp"

#include <algorithm>

#include "engine/place/late_pairs.hpp"

namespace trellis::place {
namespace {

/// Each variable is exactly one loop, and the statement stands in the body of the innermost.
bool runs_once(const Tree& tree, const Fragment& f) {
  const Site& site = tree.site(f.id);
  std::vector<int> picks = site.picks;
  std::sort(picks.begin(), picks.end());
  if (!site.placed || picks.size() != f.domain.variables.size()) return false;
  for (std::size_t v = 0; v < picks.size(); ++v)
    if (picks[v] != static_cast<int>(v)) return false;
  const std::vector<Child>* body = &tree.root;
  for (int loop : site.loops) {
    if (std::ranges::count(*body, Child{Child::Kind::loop, loop}) != 1) return false;
    body = &tree.loop(loop).body;
  }
  return std::ranges::count(*body, Child{Child::Kind::statement, f.id}) == 1;
}

/// How the terms of its floating sum come in another order than `reduced` says; empty: they do not.
std::string reassociation(const Tree& tree, const Fragment& f) {
  const bool adds = f.op == format::ReduceOp::sum || f.op == format::ReduceOp::prod;
  if (!adds || !format::is_floating(f.value->type)) return "";
  const Site& site = tree.site(f.id);
  const auto first = static_cast<int>(f.domain.variables.size() - f.reduced.size());
  int outside = -1;
  for (std::size_t k = 0; k < site.loops.size(); ++k) {
    const int pick = site.picks[k];
    if (pick < first) continue;
    const auto variable = [&](int number) { return f.domain.variables[static_cast<std::size_t>(number)]; };
    if (tree.loop(site.loops[k]).name.descending) return "with " + variable(pick) + " descending";
    if (pick < outside) return "with " + variable(outside) + " outside " + variable(pick);
    outside = pick;
  }
  return "";
}

/// Does an update of a part come before one of another part whose terms are earlier?
bool parts_change_places(const Tree& tree, Dependences& dependences, const Fragment& f) {
  const bool adds = f.op == format::ReduceOp::sum || f.op == format::ReduceOp::prod;
  if (!adds || !format::is_floating(f.value->type)) return false;
  const auto& all = dependences.fragments();
  for (const int earlier : parts_of(all, f)) {
    if (earlier == f.id) continue;
    const Fragment& g = all.fragments[static_cast<std::size_t>(earlier)];
    const auto place = [](const Fragment& of, const std::string& v) {
      return static_cast<int>(std::ranges::find(of.domain.variables, v) - of.domain.variables.begin());
    };
    auto same = dependences.pairs(Dependences::Kind::update, g.id, f.id, {});
    for (const std::string& v : f.reduced) {
      if (lang::tile_of(v)) continue;
      const Dependences::Pair here{place(g, v), place(f, v)};
      const auto before = dependences.where(same, g.id, here, math::Relation::less);
      if (!late_pairs(tree, dependences, g.id, f.id, before).empty()) return true;
      same = dependences.where(same, g.id, here, math::Relation::equal);
    }
  }
  return false;
}

}  // namespace

std::string reassociated_in_words(const lang::Kernel& kernel, const Fragment& f, const std::string& how) {
  const bool sum = f.op != format::ReduceOp::prod;
  std::string over;
  for (const std::string& variable : f.reduced)
    if (!lang::tile_of(variable)) over += (over.empty() ? "" : ", ") + variable;
  return std::string("the ") + (sum ? "sum" : "product") + " over " + over + " in " +
         kernel.equations[static_cast<std::size_t>(f.equation)].access().tensor + " is " +
         (sum ? "added up" : "multiplied") + " in another order, " + how + ": reassociated";
}

std::variant<Certificate, std::string> certify(const Tree& tree, Dependences& dependences,
                                               const std::vector<Initialiser>& initialisers, const Analysis& analysis,
                                               const BufferPlan& buffers) {
  Certificate certificate;
  const auto& fragments = dependences.fragments().fragments;
  for (const Fragment& f : fragments) {
    for (const int reader : dependences.readers_of(f.id)) {
      const Fragment& g = fragments[static_cast<std::size_t>(reader)];
      if (!dependences.depends(f.id, g.id)) continue;
      if (!late_pairs(tree, dependences, f.id, g.id, dependences.pairs(Dependences::Kind::flow, f.id, g.id, {}))
               .empty())
        return g.name + " reads what " + f.name + " writes later";
      ++certificate.dependences;
    }
    if (!runs_once(tree, f)) return f.name + " does not run each instance once";
    ++certificate.instances;
    std::string how = reassociation(tree, f);
    if (how.empty() && parts_change_places(tree, dependences, f)) how = "tile by tile";
    if (!how.empty()) certificate.reassociated.push_back({f.id, reassociated_in_words(analysis.kernel, f, how)});
  }
  for (const Initialiser& i : initialisers) {
    const std::string& name = fragments[static_cast<std::size_t>(i.fragment)].name;
    for (const int part : i.parts) {
      if (i.depth > free_depth(tree, fragments[static_cast<std::size_t>(part)]) ||
          agreeing_depth(tree, dependences, i.fragment, part) < i.depth)
        return name + " is initialised again between its updates";
      if (!initialises_in_time(tree, dependences, part, i.depth)) return name + " is read before it is initialised";
      ++certificate.dependences;
    }
  }
  if (auto broken = verify_buffers(analysis, tree, initialisers, buffers, certificate.dependences)) return *broken;
  // What is asked of tiles is asked of all partitions (place/partitions.hpp).
  certificate.sizes = lang::proven_sizes(analysis.program) + (analysis.tiles.empty() ? "" : " and all tiles");
  if (analysis.for_all_sizes) {
    const Analysis& general = *analysis.for_all_sizes;
    const auto proof = certify(tree, *general.dependences, initialisers, general, buffers);
    if (const auto* holds = std::get_if<Certificate>(&proof))
      certificate.sizes = holds->sizes + ", with " + lang::assumed_sizes(analysis.program) + " in the loops";
  }
  return certificate;
}

}  // namespace trellis::place
