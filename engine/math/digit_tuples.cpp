#include "engine/math/digit_tuples.hpp"

#include <algorithm>

#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::math {

namespace {

/// Variables and dimensions are cut alike; names of dimensions cannot be names of variables.
std::string node_of(const std::string& dimension) { return "[" + dimension + "]"; }

/// A digit of a variable itself, moved by nothing.
const std::string* variable_of(const Part& part) {
  if (!part.digit) return &part.name;
  const Index& of = *part.digit->of;
  const bool plain = of.constant == Affine(0) && of.parts.size() == 1 && of.parts[0].second == Affine(1);
  return plain && !of.parts[0].first.digit ? &of.parts[0].first.name : nullptr;
}

bool divides(const Affine& part, const Affine& whole) { return exact_quotient(whole, part).has_value(); }

/// Those that divide one another, rising; empty if some do not.
std::optional<std::vector<Affine>> chained(std::vector<Affine> cuts) {
  std::vector<Affine> chain;
  while (!cuts.empty()) {
    const auto least = std::ranges::find_if(cuts, [&](const Affine& one) {
      return std::ranges::all_of(cuts, [&](const Affine& other) { return divides(one, other); });
    });
    if (least == cuts.end()) return std::nullopt;
    chain.push_back(*least);
    cuts.erase(least);
  }
  return chain;
}

}  // namespace

void DigitTuples::add_variable(const std::string& variable, const Affine& span) {
  variables_[variable] = span;
  cut(variable, span);
}

int DigitTuples::add(const std::string& dimension, const Index& index) {
  const int access = static_cast<int>(any_.size());
  dimensions_.push_back(node_of(dimension));
  any_.push_back(index.constant != Affine(0));
  cut(dimensions_.back(), Affine(1));
  for (const auto& [part, factor] : index.parts) link(access, dimensions_.back(), part, factor);
  return access;
}

void DigitTuples::link(int access, const std::string& dimension, const Part& part, const Affine& factor) {
  const std::string* variable = variable_of(part);
  const auto known = variable ? variables_.find(*variable) : variables_.end();
  const Affine over = part.digit ? part.digit->over : Affine(1);
  const Affine span = part.digit ? part.digit->span : known == variables_.end() ? Affine(0) : known->second;
  const auto end = product(factor, span), above = product(over, span);
  if (known == variables_.end() || !never_negative(factor) || !end || !above) {
    any_[static_cast<std::size_t>(access)] = true;
    return;
  }
  links_.push_back({access, dimension, factor, *variable, over, span});
  for (const Affine& at : {factor, *end}) cut(dimension, at);
  for (const Affine& at : {over, *above}) cut(*variable, at);
}

bool DigitTuples::cut(const std::string& node, const std::optional<Affine>& at) {
  if (!at || contains(nodes_[node].cuts, *at)) return false;
  nodes_[node].cuts.push_back(*at);
  return true;
}

/// Cuts of one end, within the link, at the same places of the other.
bool DigitTuples::spread(const std::string& from, const Affine& base, const std::string& to, const Affine& other,
                         const Affine& span) {
  bool changed = false;
  const std::vector<Affine> cuts = nodes_[from].cuts;
  for (const Affine& at : cuts) {
    const auto above = exact_quotient(at, base);
    if (above && divides(*above, span)) changed |= cut(to, product(other, *above));
  }
  return changed;
}

void DigitTuples::solve() {
  // Each round divides some digit; that many rounds no program needs.
  constexpr int enough = 64;
  bool changed = true;
  for (int round = 0; changed && round < enough; ++round) {
    changed = false;
    for (const Link& l : links_) {
      changed |= spread(l.dimension, l.low, l.variable, l.over, l.span);
      changed |= spread(l.variable, l.over, l.dimension, l.low, l.span);
    }
  }
  for (auto& [name, node] : nodes_) {
    const auto chain = chained(node.cuts);
    node.chain = chain && !changed;
    if (node.chain) node.cuts = *chain;
  }
  for (const Link& l : links_)
    if (!nodes_[l.dimension].chain || !nodes_[l.variable].chain) any_[static_cast<std::size_t>(l.access)] = true;
  for (std::size_t k = 0; k < any_.size(); ++k)
    if (!is_whole(static_cast<int>(k))) any_[k] = true;
}

/// Do the access's parts lie behind each other, so that no two reach one digit?
bool DigitTuples::is_whole(int access) const {
  std::vector<const Link*> own;
  for (const Link& l : links_)
    if (l.access == access) own.push_back(&l);
  const auto before = [&](const Link* a, const Link* b) {
    const auto end = product(a->low, a->span);
    return end && divides(*end, b->low);
  };
  for (std::size_t a = 0; a < own.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!before(own[a], own[b]) && !before(own[b], own[a])) return false;
  return true;
}

std::optional<DigitTuples::Tuple> DigitTuples::tuple(int access) const {
  if (any_[static_cast<std::size_t>(access)]) return std::nullopt;
  const std::string& dimension = dimensions_[static_cast<std::size_t>(access)];
  const std::vector<Affine>& cuts = nodes_.at(dimension).cuts;
  Tuple result;
  for (std::size_t d = cuts.size(); --d > 0;) {
    const Affine &low = cuts[d - 1], &high = cuts[d];
    std::optional<Coordinate> at;
    for (const Link& l : links_) {
      const auto end = product(l.low, l.span);
      const auto above = exact_quotient(low, l.low);
      if (l.access != access || !above || !end || !divides(high, *end)) continue;
      const std::vector<Affine>& own = nodes_.at(l.variable).cuts;
      const auto found = std::ranges::find(own, product(l.over, *above).value_or(Affine(0)));
      if (found == own.end()) return std::nullopt;
      at = Coordinate{l.variable, static_cast<int>(own.end() - found) - 2};
    }
    result.push_back(at);
  }
  return result;
}

std::vector<Affine> DigitTuples::spans(const std::string& variable) const {
  const auto found = nodes_.find(variable);
  if (found == nodes_.end() || !found->second.chain) return {};
  const std::vector<Affine>& cuts = found->second.cuts;
  std::vector<Affine> result;
  for (std::size_t d = cuts.size(); --d > 0;) result.push_back(*exact_quotient(cuts[d], cuts[d - 1]));
  return result;
}

std::vector<Affine> DigitTuples::weights(const std::string& variable) const {
  const std::size_t digits = spans(variable).size();
  std::vector<Affine> result;
  for (std::size_t d = digits; d-- > 0;) result.push_back(nodes_.at(variable).cuts[d]);
  return result;
}

}  // namespace trellis::math
