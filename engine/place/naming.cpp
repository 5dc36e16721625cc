#include "engine/place/naming.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "engine/place/bounds.hpp"
#include "engine/place/components.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

std::vector<std::string> extents(const Fragments& fragments, const Naming& naming, int name) {
  std::vector<std::string> result;
  for (const Fragment& f : fragments.fragments) {
    for (std::size_t k = 0; k < f.domain.variables.size(); ++k) {
      if (naming.native[static_cast<std::size_t>(f.id)][k] != name) continue;
      const std::string extent = extent_of(f, static_cast<int>(k));
      if (!extent.empty()) result.push_back(extent);
    }
  }
  return result;
}

/// The numbers as one, the greatest or the least of them, and what is named each once.
std::vector<math::Affine> tightest(const std::vector<math::Affine>& bounds, bool greatest) {
  std::optional<std::int64_t> number;
  std::vector<math::Affine> result;
  for (const math::Affine& bound : bounds) {
    if (!bound.is_constant()) add_once(result, bound);
    else
      number = !number    ? bound.constant
               : greatest ? std::max(*number, bound.constant)
                          : std::min(*number, bound.constant);
  }
  if (number) result.emplace_back(*number);
  return result;
}

std::string text_of(const std::vector<math::Affine>& bounds, bool greatest) {
  if (bounds.size() == 1) return to_string(bounds.front());
  std::string text = greatest ? "max(" : "min(";
  for (std::size_t i = 0; i < bounds.size(); ++i) text += (i > 0 ? ", " : "") + to_string(bounds[i]);
  return text + ")";
}

/// Without the bounds that other indices give.
Bounds own_bounds(const Fragment& fragment, const std::string& index) {
  return bounds_of(index, fragment.domain.constraints,
                   [&](const std::string& name) { return !contains(fragment.domain.variables, name); });
}

bool meet(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& x) { return contains(b, x); });
}

/// Tries one name for another.
class Coalescer {
 public:
  Coalescer(Naming naming, Dependences& dependences) : naming_(std::move(naming)), fragments_(dependences.fragments()) {
    component_.resize(fragments_.fragments.size());
    for (const auto& c : components(dependences.dependents())) {
      for (int f : c) component_[static_cast<std::size_t>(f)] = c;
    }
  }

  bool may_become(int from, int to) const {
    if (!naming_.is_listed(to) || naming_.position(to) >= naming_.position(from)) return false;
    auto descending = [&](int n) { return naming_.order[static_cast<std::size_t>(n)].descending; };
    if (naming_.is_listed(from) && descending(from) != descending(to)) return false;
    std::vector<int> users = users_of(from);
    if (users.empty() || users_of(to).empty()) return false;
    for (int f : users) {
      for (int name : names_around(f)) {
        if (name == to ||
            (naming_.position(to) < naming_.position(name) && naming_.position(name) < naming_.position(from)))
          return false;
      }
    }
    return !naming_.is_listed(from) || meet(extents(fragments_, naming_, from), extents(fragments_, naming_, to));
  }

  void rename(int from, int to) {
    for (auto& names : naming_.native) std::replace(names.begin(), names.end(), from, to);
  }

  const Naming& naming() const { return naming_; }

  std::vector<int> users_of(int name) const {
    std::vector<int> result;
    for (const Fragment& f : fragments_.fragments)
      if (naming_.uses(f.id, name)) result.push_back(f.id);
    return result;
  }

 private:
  std::set<int> names_around(int fragment) const {
    std::set<int> result;
    for (int g : component_[static_cast<std::size_t>(fragment)]) {
      const auto& names = naming_.native[static_cast<std::size_t>(g)];
      result.insert(names.begin(), names.end());
    }
    return result;
  }

  Naming naming_;
  const Fragments& fragments_;
  std::vector<std::vector<int>> component_;  ///< of each fragment
};

}  // namespace

std::vector<std::string> digit_names(const std::string& variable) {
  const auto tile = lang::tile_of(variable);
  if (!tile) return {variable};
  std::vector<std::string> names;
  std::istringstream parts(tile->variable);
  for (std::string part; std::getline(parts, part, ',');) names.push_back(lang::tile_text(part, tile->size));
  return names;
}

bool is_of_kind(const std::string& variable, const std::string& loop) {
  const auto a = lang::tile_of(variable), b = lang::tile_of(loop);
  return a && b ? a->size == b->size : !a && !b;
}

std::string extent_of(const Fragment& fragment, int variable) {
  const auto& variables = fragment.domain.variables;
  const std::string& own = variables[static_cast<std::size_t>(variable)];
  const auto tile = std::ranges::find(fragment.tiles, own, &Tile::digit);
  if (tile != fragment.tiles.end()) {
    const auto coordinate = std::ranges::find(variables, tile->coordinates.front()) - variables.begin();
    return lang::tile_text(extent_of(fragment, static_cast<int>(coordinate)), tile->size);
  }
  auto size = [&](const std::string& n) { return !contains(variables, n); };
  // The first upper bound in sizes alone: ranges from dimensions come before what the user wrote.
  Bounds bounds = bounds_of(variables[static_cast<std::size_t>(variable)], fragment.domain.constraints, size);
  return bounds.highs.empty() ? "" : math::to_string(bounds.highs[0]);
}

std::string Naming::text(int name) const {
  return name < listed ? order[static_cast<std::size_t>(name)].name : others[static_cast<std::size_t>(name - listed)];
}

bool Naming::uses(int fragment, int name) const { return contains(native[static_cast<std::size_t>(fragment)], name); }

std::optional<IndexRange> range_of_index(const Fragments& fragments, const std::string& index) {
  std::vector<math::Affine> lows, highs;
  for (const Fragment& fragment : fragments.fragments) {
    if (!contains(fragment.domain.variables, index)) continue;
    const Bounds bounds = own_bounds(fragment, index);
    const auto low = tightest(bounds.lows, true), high = tightest(bounds.highs, false);
    if (low.empty() || high.empty()) return std::nullopt;
    // A hull of `max`s would be hard to read: the first one stands for all.
    if (low.size() > 1 || high.size() > 1) return IndexRange{text_of(low, true), text_of(high, false)};
    lows.push_back(low.front()), highs.push_back(high.front());
  }
  if (lows.empty()) return std::nullopt;
  return IndexRange{text_of(tightest(lows, false), false), text_of(tightest(highs, true), true)};
}

lang::Order used_names(const lang::Kernel& kernel, const lang::Order& order) {
  const std::vector<std::string> variables = kernel.variables();
  lang::Order result;
  for (const lang::LoopName& l : order) {
    if (contains(variables, lang::variable_of(l.name))) result.push_back(l);
  }
  return result;
}

Naming own_names(const Fragments& fragments, const lang::Order& order) {
  Naming naming;
  for (const lang::LoopName& l : order) {
    bool repeated =
        std::any_of(naming.order.begin(), naming.order.end(), [&](const auto& o) { return o.name == l.name; });
    if (!repeated) naming.order.push_back(l);
  }
  for (const std::string& name : fragments.inner_names) naming.order.push_back({name, false});
  naming.listed = static_cast<int>(naming.order.size());
  auto number = [&](const std::string& name) {
    for (int k = 0; k < naming.listed; ++k)
      if (naming.order[static_cast<std::size_t>(k)].name == name) return k;
    auto at = std::find(naming.others.begin(), naming.others.end(), name);
    if (at == naming.others.end()) at = naming.others.insert(at, name);
    return naming.listed + static_cast<int>(at - naming.others.begin());
  };
  for (const Fragment& f : fragments.fragments) {
    naming.native.emplace_back();
    for (const std::string& v : f.domain.variables) {
      // Equal tiles are one loop, under the outermost of their names.
      int outermost = -1;
      for (const std::string& name : digit_names(v))
        if (const int one = number(name); outermost < 0 || one < outermost) outermost = one;
      naming.native.back().push_back(outermost);
    }
  }
  return naming;
}

Naming coalesced(const Naming& own, Dependences& dependences, std::vector<Event>* events) {
  Coalescer coalescer(own, dependences);
  const int names = own.listed + static_cast<int>(own.others.size());
  for (int from = 0; from < names; ++from) {
    for (int to = 0; to < own.listed; ++to) {
      if (!coalescer.may_become(from, to)) continue;
      const std::vector<int> users = coalescer.users_of(from);
      coalescer.rename(from, to);
      if (events)
        events->push_back({Event::Kind::coalesce, 0, users, own.text(to), own.text(from) + " becomes " + own.text(to)});
      break;
    }
  }
  return coalescer.naming();
}

}  // namespace trellis::place
