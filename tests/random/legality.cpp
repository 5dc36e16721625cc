#include "tests/random/legality.hpp"

#include <algorithm>
#include <functional>

#include "engine/place/naming.hpp"

namespace trellis::randomised {
namespace {

using Live = std::map<std::pair<int, int>, std::vector<Pair>>;

constexpr int unlisted = 1 << 20;

/// Position of each variable's own name in the order.
std::vector<std::vector<int>> positions(const Instances& instances, const lang::Order& order) {
  std::vector<std::vector<int>> result;
  for (const Piece& piece : instances.pieces) {
    std::vector<int>& places = result.emplace_back();
    for (const std::string& variable : piece.variables) {
      const auto names = place::digit_names(variable);  // a tile of several variables goes by the outermost
      auto found = std::find_if(order.begin(), order.end(), [&](const lang::LoopName& l) {
        return std::find(names.begin(), names.end(), l.name) != names.end();
      });
      places.push_back(found == order.end() ? unlisted : static_cast<int>(found - order.begin()));
    }
  }
  return result;
}

class Search {
 public:
  Search(const Instances& instances, const lang::Order& order)
      : instances_(instances), order_(order), own_(positions(instances, order)) {
    for (std::size_t p = 0; p < own_.size(); ++p) {
      remaining_.emplace_back(own_[p].size());
      for (std::size_t v = 0; v < own_[p].size(); ++v) remaining_[p][v] = static_cast<int>(v);
    }
  }

  bool body(const std::vector<int>& pieces, const Live& live, int next) {
    for (const std::vector<int>& component : components(pieces, live)) {
      Live inside;
      for (const auto& [edge, pairs] : live) {
        if (contains(component, edge.first) && contains(component, edge.second)) inside.insert({edge, pairs});
      }
      if (!place(component, inside, next)) return false;
    }
    return true;
  }

 private:
  static bool contains(const std::vector<int>& pieces, int piece) {
    return std::find(pieces.begin(), pieces.end(), piece) != pieces.end();
  }

  static std::vector<std::vector<int>> components(const std::vector<int>& pieces, const Live& live) {
    std::map<int, std::vector<int>> reach;
    for (int start : pieces) {
      std::vector<int>& seen = reach[start];
      seen.push_back(start);
      for (std::size_t k = 0; k < seen.size(); ++k) {
        for (const auto& [edge, pairs] : live) {
          if (edge.first == seen[k] && contains(pieces, edge.second) && !contains(seen, edge.second)) {
            seen.push_back(edge.second);
          }
        }
      }
    }
    std::vector<std::vector<int>> result;
    for (int a : pieces) {
      auto mine = std::find_if(result.begin(), result.end(), [&](const std::vector<int>& c) {
        return contains(reach[a], c.front()) && contains(reach[c.front()], a);
      });
      if (mine == result.end()) result.push_back({a});
      else mine->push_back(a);
    }
    return result;
  }

  bool place(const std::vector<int>& component, const Live& live, int next) {
    if (live.empty()) return has_names(component.front(), next);
    for (int loop = next; loop < std::ssize(order_); ++loop) {
      if (enter(component, live, loop, 0)) return true;
    }
    return false;
  }

  /// Can the remaining variables be mapped, one to one, to names from `next` on?
  bool has_names(int piece, int next) {
    if (remaining_[piece].empty()) return true;
    for (int loop = next; loop < std::ssize(order_); ++loop) {
      for (int variable : candidates(piece, loop)) {
        take(piece, variable);
        bool fits = has_names(piece, loop + 1);
        give_back(piece, variable);
        if (fits) return true;
      }
    }
    return false;
  }

  /// Variables that may run over this loop so that all others can still get their own name or an earlier one.
  std::vector<int> candidates(int piece, int loop) const {
    std::vector<int> result;
    for (int variable : remaining_[piece]) {
      bool fits = own_[piece][variable] >= loop &&
                  place::is_of_kind(instances_.pieces[piece].variables[variable], order_[loop].name);
      for (int other : remaining_[piece]) fits = fits && (other == variable || own_[piece][other] > loop);
      if (fits) result.push_back(variable);
    }
    return result;
  }

  void take(int piece, int variable) { std::erase(remaining_[piece], variable); }
  void give_back(int piece, int variable) { remaining_[piece].push_back(variable); }

  /// Chooses a variable for each piece from the `chosen`-th on, then runs the loop.
  bool enter(const std::vector<int>& component, const Live& live, int loop, std::size_t chosen) {
    if (chosen == component.size()) return run(component, live, loop);
    int piece = component[chosen];
    for (int variable : candidates(piece, loop)) {
      pick_[piece] = variable;
      take(piece, variable);
      bool works = enter(component, live, loop, chosen + 1);
      give_back(piece, variable);
      if (works) return true;
    }
    return false;
  }

  bool run(const std::vector<int>& component, const Live& live, int loop) {
    Live left;
    for (const auto& [edge, pairs] : live) {
      std::size_t from = pick_[edge.first], to = pick_[edge.second];
      for (const Pair& pair : pairs) {
        std::int64_t written = pair.first[from], read = pair.second[to];
        if (order_[loop].descending ? written < read : written > read) return false;
        if (written == read) left[edge].push_back(pair);
      }
    }
    std::map<int, int> picks = pick_;
    bool works = body(component, left, loop + 1);
    pick_ = picks;
    return works;
  }

  const Instances& instances_;
  const lang::Order& order_;
  std::vector<std::vector<int>> own_;
  std::vector<std::vector<int>> remaining_;
  std::map<int, int> pick_;
};

/// Where a leaf stands: child numbers and loops alternate, ending with a child number.
struct Path {
  std::vector<int> child;
  std::vector<int> loop;
  std::vector<int> variable;  ///< of the piece, for each loop
};
using Tree = std::map<int, Path>;

class Enumeration {
 public:
  Enumeration(const Instances& instances, const lang::Order& order)
      : instances_(instances), order_(order), own_(positions(instances, order)) {}

  bool run() {
    std::vector<int> all;
    for (int p = 0; p < std::ssize(instances_.pieces); ++p) all.push_back(p);
    return body(all, 0, 0, [&] { return respected(); });
  }

 private:
  using Then = std::function<bool()>;

  /// Fills one body with `pieces` in every way, then goes on with the rest of the tree.
  bool body(const std::vector<int>& pieces, int child, int next, const Then& then) {
    if (pieces.empty()) return then();
    for (unsigned subset = 1; subset < (1u << pieces.size()); ++subset) {
      std::vector<int> here, rest;
      for (std::size_t k = 0; k < pieces.size(); ++k) (subset >> k & 1 ? here : rest).push_back(pieces[k]);
      Then others = [&] { return body(rest, child + 1, next, then); };
      for (int p : here) tree_[p].child.push_back(child);
      bool found = here.size() == 1 && is_mapped(here[0]) && others();
      for (int loop = next; !found && loop < std::ssize(order_); ++loop) found = fill(here, 0, loop, others);
      for (int p : here) tree_[p].child.pop_back();
      if (found) return true;
    }
    return false;
  }

  bool is_mapped(int piece) { return tree_[piece].variable.size() == instances_.pieces[piece].variables.size(); }

  bool fill(const std::vector<int>& pieces, std::size_t k, int loop, const Then& then) {
    if (k == pieces.size()) return body(pieces, 0, loop + 1, then);
    Path& path = tree_[pieces[k]];
    for (int v = 0; v < std::ssize(own_[pieces[k]]); ++v) {
      if (own_[pieces[k]][v] < loop ||
          std::find(path.variable.begin(), path.variable.end(), v) != path.variable.end()) {
        continue;
      }
      path.loop.push_back(loop);
      path.variable.push_back(v);
      bool found = fill(pieces, k + 1, loop, then);
      path.loop.pop_back();
      path.variable.pop_back();
      if (found) return true;
    }
    return false;
  }

  bool respected() const {
    for (const auto& [edge, pairs] : instances_.dependences) {
      for (const Pair& pair : pairs) {
        if (!runs_before(tree_.at(edge.first), pair.first, tree_.at(edge.second), pair.second)) return false;
      }
    }
    return true;
  }

  bool runs_before(const Path& a, const Point& x, const Path& b, const Point& y) const {
    for (std::size_t depth = 0;; ++depth) {
      if (a.child[depth] != b.child[depth]) return a.child[depth] < b.child[depth];
      if (depth == a.loop.size()) return false;
      std::int64_t u = x[a.variable[depth]], v = y[b.variable[depth]];
      if (u != v) return order_[a.loop[depth]].descending ? u > v : u < v;
    }
  }

  const Instances& instances_;
  const lang::Order& order_;
  std::vector<std::vector<int>> own_;
  Tree tree_;
};

}  // namespace

bool is_legal(const Instances& instances, const lang::Order& order) {
  std::vector<int> all;
  for (int p = 0; p < std::ssize(instances.pieces); ++p) all.push_back(p);
  return Search(instances, order).body(all, instances.dependences, 0);
}

bool exists_tree(const Instances& instances, const lang::Order& order) { return Enumeration(instances, order).run(); }

}  // namespace trellis::randomised
