#include "engine/place/failure.hpp"

#include <algorithm>

#include "engine/place/instances.hpp"

namespace trellis::place {
namespace {

constexpr std::size_t most_others = 8;

/// Larger is better: an element that the user can name, the user's own names, and then depth.
std::array<int, 4> rank(const Attempt& a, const std::vector<Fragment>& fragments) {
  const bool named = a.writer >= 0 && !fragments[static_cast<std::size_t>(a.writer)].temporary;
  return {a.violation >= 0, named, !a.renamed, a.depth};
}

const Attempt* best_of(const std::vector<Attempt>& attempts, const std::vector<Fragment>& fragments) {
  const Attempt* best = nullptr;
  for (const Attempt& a : attempts)
    if (!best || rank(a, fragments) > rank(*best, fragments)) best = &a;
  return best;
}

std::vector<std::string> unlisted(const Search& search, const Fragments& fragments) {
  std::vector<std::string> result;
  for (int f : search.failed) {
    for (const std::string& v : fragments.fragments[static_cast<std::size_t>(f)].domain.variables) {
      bool listed = std::any_of(search.naming.order.begin(), search.naming.order.end(), [&](const auto& l) { return l.name == v; });
      if (!listed && std::find(result.begin(), result.end(), v) == result.end()) result.push_back(v);
    }
  }
  return result;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
  return out;
}

/// With the loop reversed another component fails, at the same loop: it is needed both ways.
std::optional<Search> opposed(Dependences& dependences, const Search& search, lang::Order order, const std::string& loop) {
  auto at = std::find_if(order.begin(), order.end(), [&](const auto& l) { return l.name == loop; });
  if (at == order.end()) return std::nullopt;
  at->descending = !at->descending;
  Search reversed = place::search(dependences, order, nullptr);
  if (reversed.success || reversed.failed == search.failed) return std::nullopt;
  bool same_loop = std::any_of(reversed.attempts.begin(), reversed.attempts.end(), [&](const Attempt& a) { return a.loop == loop; });
  return same_loop ? std::optional(std::move(reversed)) : std::nullopt;
}

std::string name_result(const std::vector<int>& component, const std::vector<Fragment>& fragments) {
  for (int f : component)
    if (!fragments[static_cast<std::size_t>(f)].temporary) return fragments[static_cast<std::size_t>(f)].write.tensor;
  return fragments[static_cast<std::size_t>(component[0])].name;
}

}  // namespace

Failure explain(const Analysis& analysis, const Search& search, const lang::Order& order) {
  Dependences& dependences = *analysis.dependences;
  const auto& fragments = analysis.fragments.fragments;
  Failure result;
  const Attempt* best = best_of(search.attempts, fragments);
  if (best && best->violation >= 0) {
    result.reader = best->reader;
    result.writer = best->writer;
    result.loop = best->loop;
    if (auto instance = smallest_instance(dependences, best->violation, best->writer, best->reader)) result.instance = *instance;
    const Fragment& reader = fragments[static_cast<std::size_t>(best->reader)];
    const Fragment& writer = fragments[static_cast<std::size_t>(best->writer)];
    const Read* read = read_at(reader, writer.write.tensor, result.instance);
    result.read_span = read ? read->span : reader.span;
    result.write_span = analysis.kernel.equations[static_cast<std::size_t>(writer.equation)].left->span;
    result.reason = "reads " + (read ? lang::to_string(Expr({read->access, {}, {}})) : writer.write.tensor) + " before it is computed";
    std::vector<decltype(Attempt::renaming)> seen = {best->renaming};
    for (const Attempt& a : search.attempts) {
      if (a.violation < 0 || result.others.size() >= most_others || std::find(seen.begin(), seen.end(), a.renaming) != seen.end()) continue;
      seen.push_back(a.renaming);
      if (auto other = smallest_instance(dependences, a.violation, a.writer, a.reader)) result.others.push_back(*other);
    }
  }
  if (const auto missing = unlisted(search, analysis.fragments); !missing.empty()) {
    result.kind = Failure::Kind::unlisted;
    result.reason = "lists no loop for " + joined(missing) + ", and no other loop can take " + (missing.size() > 1 ? "their" : "its") + " place";
  } else if (auto other = opposed(dependences, search, order, result.loop)) {
    result.kind = Failure::Kind::direction;
    const bool down = std::any_of(order.begin(), order.end(), [&](const auto& l) { return l.name == result.loop && l.descending; });
    result.reason = "needs loop " + result.loop + " both ways: " + name_result(search.failed, fragments) + (down ? " upwards, " : " downwards, ") +
                    name_result(other->failed, fragments) + (down ? " downwards" : " upwards") + "; give one of them another name";
  }
  if (result.reason.empty()) result.reason = "leaves " + name_result(search.failed, fragments) + " without a loop nest";
  return result;
}

}  // namespace trellis::place
