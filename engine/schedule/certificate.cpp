#include "engine/schedule/certificate.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

/// A statement of the new nest and the statement of the old one whose instances it runs.
struct Image {
  const Site* now;
  std::size_t then;
  std::vector<Affine> values;  ///< of the old variables, in the new ones
};

/// Of a point's sizes, those that decide about it.
void add_size(const Domain& domain, const std::pair<std::string, std::int64_t>& size, math::Assignment& into) {
  if (std::ranges::any_of(domain.constraints, [&](const Constraint& c) { return c.mentions(size.first); }))
    into.push_back(size);
}

class Certifier {
 public:
  Certifier(const Nest& before, const loop::Stmt& after, const Moves& moves, math::Solver& solver)
      : before_(before), after_(sites(after)), solver_(solver) {
    for (const Site& site : after_) add_image(site, moves);
  }

  std::variant<Certificate, Violation, Broken> run() {
    Certificate certificate;
    if (!broken_.empty()) return Broken{broken_};
    for (std::size_t s = 0; s < before_.sites.size(); ++s) {
      if (auto wrong = runs_once(s)) return Broken{*wrong};
      ++certificate.statements;
    }
    for (const Dependence& d : before_.dependences) {
      if (d.commutes) note_reassociated(certificate, d);
      if (d.commutes) continue;
      if (auto violation = violated(d)) return *violation;
      ++certificate.dependences;
    }
    return certificate;
  }

 private:
  // Updates that commute may come in any order, but floating numbers round in another one differently.
  void note_reassociated(Certificate& certificate, const Dependence& d) {
    if (!rounds_by_order(d) || contains(certificate.reassociating, before_.sites[d.sink].statement)) return;
    bool late = false;
    for_each_late(d, [&](const Image&, const Image&, const Domain&) { return late = true, false; });
    if (late) add_reassociated(certificate, before_, d);
  }

  void add_image(const Site& site, const Moves& moves) {
    const auto at = std::ranges::find_if(
        before_.sites, [&](const Site& s) { return s.statement == site.statement && s.part == site.part; });
    if (at == before_.sites.end()) {
      broken_ = "a statement that the nest before does not have";
      return;
    }
    Image image{&site, static_cast<std::size_t>(at - before_.sites.begin()), {}};
    const auto move = moves.find(site.statement);
    for (const std::string& v : at->domain.variables)
      image.values.push_back(value_of(v, move == moves.end() ? Move{} : move->second));
    images_.push_back(std::move(image));
  }

  static Affine value_of(const std::string& variable, const Move& move) {
    const auto at = move.find(variable);
    return at == move.end() ? Affine::name(variable) : at->second;
  }

  const Site& old(const Image& image) const { return before_.sites[image.then]; }

  std::map<std::string, Affine> values(const Image& image, bool mark) const {
    const auto marks = marking(image.now->domain.variables);
    std::map<std::string, Affine> result;
    const auto& variables = old(image).domain.variables;
    for (std::size_t v = 0; v < variables.size(); ++v)
      result.emplace(mark ? marked(variables[v]) : variables[v],
                     mark ? image.values[v].substitute(marks) : image.values[v]);
    return result;
  }

  std::optional<std::string> runs_once(std::size_t s) {
    const Site& site = before_.sites[s];
    std::vector<Domain> covered;
    for (const Image& image : images_) {
      if (image.then != s) continue;
      if (auto wrong = runs_an_instance(image)) return wrong;
      for (const Image& other : images_)
        if (other.then == s && meets(image, other))
          return "an instance of statement " + std::to_string(site.statement) + " runs twice";
      covered.push_back(image_of(image));
    }
    if (!solver_.covers(covered, site.domain))
      return "an instance of statement " + std::to_string(site.statement) + " does not run";
    return std::nullopt;
  }

  // What it runs is an instance, and what it shares with others it shared before.
  std::optional<std::string> runs_an_instance(const Image& image) {
    const Site& site = old(image);
    const auto map = values(image, false);
    if (!solver_.implies_all(image.now->domain, site.domain.substitute(map).constraints))
      return "statement " + std::to_string(site.statement) + " runs where it did not";
    for (std::size_t k = 0; k < site.touches.size(); ++k) {
      const Touch &then = site.touches[k], &now = image.now->touches[std::min(k, image.now->touches.size() - 1)];
      if (image.now->touches.size() != site.touches.size() || !same_element(image, then, now, map))
        return "statement " + std::to_string(site.statement) + " touches something else";
      if (!keeps_scope(image, then, now))
        return "statement " + std::to_string(site.statement) + " shares a temporary with others than before";
    }
    return std::nullopt;
  }

  bool same_element(const Image& image, const Touch& then, const Touch& now, const std::map<std::string, Affine>& map) {
    bool same = then.tensor == now.tensor && then.kind == now.kind && then.op == now.op &&
                then.index.size() == now.index.size();
    for (std::size_t d = 0; same && d < then.index.size(); ++d) {
      same = then.index[d].has_value() == now.index[d].has_value() &&
             (!then.index[d] || solver_.equal(image.now->domain, then.index[d]->substitute(map), *now.index[d]));
    }
    return same;
  }

  // Those iterations that have a tensor of their own are the same: they determine each other.
  bool keeps_scope(const Image& image, const Touch& then, const Touch& now) {
    Domain two = both(image.now->domain, image.now->domain);
    const auto agree = [&](Domain known, const std::vector<Constraint>& equal, const std::vector<Constraint>& follow) {
      known.constraints.insert(known.constraints.end(), equal.begin(), equal.end());
      return solver_.implies_all(known, follow);
    };
    const auto first = values(image, true), second = values(image, false);
    std::vector<Constraint> before, after;
    for (std::size_t k = 0; k < then.shared; ++k) {
      const std::string& v = old(image).loops[k].variable;
      before.push_back({first.at(marked(v)), Relation::equal, second.at(v)});
    }
    for (std::size_t k = 0; k < now.shared; ++k) {
      const std::string& v = image.now->loops[k].variable;
      after.push_back({Affine::name(marked(v)), Relation::equal, Affine::name(v)});
    }
    return (then.scope < 0) == (now.scope < 0) &&
           (before == after || (agree(two, before, after) && agree(two, after, before)));
  }

  bool meets(const Image& a, const Image& b) {
    Domain pairs = both(a.now->domain, b.now->domain);
    const auto first = values(a, true), second = values(b, false);
    for (const std::string& v : old(a).domain.variables)
      pairs.constraints.push_back({first.at(marked(v)), Relation::equal, second.at(v)});
    if (a.now != b.now) return !solver_.is_empty(pairs);
    // They are apart at the first loop in which they differ.
    math::Relations relations(solver_);
    math::Relations::Id alike = relations.add({pairs});
    const auto n = static_cast<int>(a.now->domain.variables.size());  // those of the first, then those of the second
    for (int v = 0; v < n; ++v) {
      if (!relations.is_empty(relations.restrict(alike, v, Relation::not_equal, n + v))) return true;
      alike = relations.restrict(alike, v, Relation::equal, n + v);
    }
    return false;
  }

  // The old instances that it runs: the old variables, with the new ones marked and projected away.
  Domain image_of(const Image& image) {
    const auto marks = marking(image.now->domain.variables);
    Domain result = image.now->domain.substitute(marks);
    for (const std::string& v : image.now->domain.variables) result.variables.push_back(marked(v));
    std::erase_if(result.variables, [](const std::string& v) { return v.back() != '\''; });
    const auto& variables = old(image).domain.variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
      result.variables.push_back(variables[v]);
      result.constraints.push_back({Affine::name(variables[v]), Relation::equal, image.values[v].substitute(marks)});
    }
    return result;
  }

  std::optional<Violation> violated(const Dependence& d) {
    std::optional<Violation> found;
    std::vector<Domain> all;
    for_each_late(d, [&](const Image& a, const Image& b, Domain wrong) {
      consider(found, d, a, b, wrong);
      all.push_back(std::move(wrong));
      return true;
    });
    if (found) found->pairs = std::move(all);
    return found;
  }

  // Pairs of the dependence that run the wrong way round, while `visit` goes on.
  template <class Visit>
  void for_each_late(const Dependence& d, Visit&& visit) {
    for (const Image& a : images_) {
      if (a.then != d.source) continue;
      for (const Image& b : images_) {
        if (b.then != d.sink) continue;
        auto map = values(a, true);
        map.merge(values(b, false));
        Domain pairs = both(a.now->domain, b.now->domain);
        for (const Constraint& c : d.pairs.constraints) pairs.constraints.push_back(c.substitute(map));
        math::Relations relations(solver_);
        const math::Relations::Id moved = relations.add({pairs});
        for (const Before& late : runs_after(*a.now, *b.now)) {
          if (relations.is_empty(restricted(relations, moved, pairs.variables, late))) continue;
          Domain wrong = pairs;
          wrong.constraints.insert(wrong.constraints.end(), late.constraints.begin(), late.constraints.end());
          if (!visit(a, b, std::move(wrong))) return;
        }
      }
    }
  }

  // The smallest sizes win.
  void consider(std::optional<Violation>& found, const Dependence& d, const Image& a, const Image& b,
                const Domain& wrong) {
    Domain named = wrong;
    auto map = values(a, true);
    map.merge(values(b, false));
    for (auto& [name, value] : map) {
      if (std::ranges::find(named.variables, name) != named.variables.end()) continue;
      named.variables.push_back(name);
      named.constraints.push_back({Affine::name(name), Relation::equal, value});
    }
    const auto point = solver_.smallest(named);
    if (!point) return;
    const auto value = [&](const std::string& name) -> std::optional<std::int64_t> {
      const auto at = std::ranges::find(*point, name, &std::pair<std::string, std::int64_t>::first);
      return at == point->end() ? std::nullopt : std::optional(at->second);
    };
    Violation next{d, {}, {}, {}, {}};
    for (const auto& entry : *point)
      if (std::ranges::find(named.variables, entry.first) == named.variables.end()) add_size(named, entry, next.sizes);
    const auto& sources = before_.sites[d.source].domain.variables;
    for (const std::string& v : sources) next.source.emplace_back(v, map.at(marked(v)).evaluate(value).value_or(0));
    for (const std::string& v : before_.sites[d.sink].domain.variables)
      next.sink.emplace_back(v, map.at(v).evaluate(value).value_or(0));
    if (!found || next.sizes < found->sizes) found = std::move(next);
  }

  const Nest& before_;
  std::vector<Site> after_;
  std::vector<Image> images_;
  math::Solver& solver_;
  std::string broken_;
};

}  // namespace

std::variant<Certificate, Violation, Broken> certify(const Nest& before, const loop::Stmt& after, const Moves& moves,
                                                     math::Solver& solver) {
  return Certifier(before, after, moves, solver).run();
}

bool rounds_by_order(const Dependence& d) {
  const bool adds = d.first.op == format::ReduceOp::sum || d.first.op == format::ReduceOp::prod;
  return d.commutes && adds && d.first.floating;
}

void add_reassociated(Certificate& certificate, const Nest& before, const Dependence& d) {
  add_once(certificate.reassociating, before.sites[d.sink].statement);
  add_once(certificate.reassociated, d.first.tensor);
}

Violation smallest(const Nest& nest, const Dependence& dependence, const Domain& pairs, math::Solver& solver) {
  Violation result{dependence, {}, {}, {}, {}};
  const auto point = solver.smallest(pairs);
  if (!point) return result;
  const std::size_t sources = nest.sites[dependence.source].domain.variables.size();
  const std::size_t sinks = nest.sites[dependence.sink].domain.variables.size();
  const std::size_t sizes = point->size() - sources - sinks;
  for (std::size_t k = 0; k < point->size(); ++k) {
    auto [name, value] = (*point)[k];
    if (k < sizes) add_size(pairs, {name, value}, result.sizes);
    else if (k < sizes + sources) result.source.emplace_back(name.substr(0, name.size() - 1), value);
    else result.sink.emplace_back(name, value);
  }
  return result;
}

}  // namespace trellis::schedule
