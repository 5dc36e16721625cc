#include "engine/coiterate/algebra.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace trellis::coiterate {

/// Makes a diagram out of others, without nodes that are equal or decide nothing.
class Algebra::Builder {
 public:
  enum class Op { both, either };

  /// Of the parts below two nodes.
  Next combine(const Algebra& a, Next x, const Algebra& b, Next y, Op op) {
    const Next decides = op == Op::both ? no : yes;
    if (x == decides || y == decides) return decides;
    if (x < first_node && y < first_node) return x;  // the neutral end, both
    if (const auto known = combined_.find({x, y}); known != combined_.end()) return known->second;
    if (overflows()) return yes;
    const int left = x < first_node ? none : a.at(x).literal, right = y < first_node ? none : b.at(y).literal;
    const int first = std::min(left, right);
    const auto side = [&](bool present) {
      return combine(a, left == first ? next(a.at(x), present) : x, b, right == first ? next(b.at(y), present) : y, op);
    };
    const Next absent = side(false), present = side(true);
    return combined_[{x, y}] = node(first, absent, present);
  }

  /// Of the part below a node, where the literal is settled.
  Next settle(const Algebra& of, Next x, int literal, bool present) {
    if (x < first_node || of.at(x).literal > literal) return x < first_node ? x : copy(of, x);
    if (of.at(x).literal == literal) return copy(of, next(of.at(x), present));
    if (const auto known = combined_.find({x, 0}); known != combined_.end()) return known->second;
    const Next left = settle(of, of.at(x).absent, literal, present);
    const Next right = settle(of, of.at(x).present, literal, present);
    return combined_[{x, 0}] = node(of.at(x).literal, left, right);
  }

  /// What the walk from the root reaches, in its order.
  Algebra made(Next root) {
    if (overflows()) return everywhere();
    std::vector<Node> reached;
    std::map<Next, Next> number;
    const auto visit = [&](const auto& self, Next x) -> Next {
      if (x < first_node) return x;
      if (const auto known = number.find(x); known != number.end()) return known->second;
      const Node here = nodes_[static_cast<std::size_t>(x - first_node)];
      const Next absent = self(self, here.absent), present = self(self, here.present);
      reached.push_back({here.literal, absent, present});
      return number[x] = static_cast<Next>(reached.size()) - 1 + first_node;
    };
    const Next last = visit(visit, root);
    return reached.size() > most_nodes ? everywhere() : Algebra(std::move(reached), last);
  }

 private:
  static constexpr int none = 1 << 30;  ///< behind all literals
  static constexpr std::size_t most_made = 16 * most_nodes;

  static Next next(const Node& node, bool present) { return present ? node.present : node.absent; }
  bool overflows() const { return combined_.size() > most_made; }

  Next node(int literal, Next absent, Next present) {
    if (absent == present) return absent;
    const auto [known, fresh] = known_.emplace(Node{literal, absent, present}, 0);
    if (fresh) {
      nodes_.push_back(known->first);
      known->second = static_cast<Next>(nodes_.size()) - 1 + first_node;
    }
    return known->second;
  }

  Next copy(const Algebra& of, Next x) {
    if (x < first_node) return x;
    if (const auto known = copied_.find(x); known != copied_.end()) return known->second;
    const Next absent = copy(of, of.at(x).absent), present = copy(of, of.at(x).present);
    return copied_[x] = node(of.at(x).literal, absent, present);
  }

  std::vector<Node> nodes_;
  std::map<Node, Next> known_;
  std::map<std::pair<Next, Next>, Next> combined_;
  std::map<Next, Next> copied_;
};

Algebra::Algebra(std::vector<Node> nodes, Next root) : nodes_(std::move(nodes)), root_(root) {
  for (const Node& node : nodes_) literals_.push_back(node.literal);
  std::ranges::sort(literals_);
  literals_.erase(std::ranges::unique(literals_).begin(), literals_.end());
}

bool Algebra::depends_on(int literal) const { return std::ranges::binary_search(literals_, literal); }

double Algebra::cases() const {
  // Of a node: of subsets of the literals from its own on.
  const auto rank = [&](Next x) {
    return x < first_node ? std::ssize(literals_) : std::ranges::lower_bound(literals_, at(x).literal) - literals_.begin();
  };
  std::vector<double> held{0, 1};
  const auto from = [&](Next x, std::ptrdiff_t above) {
    double count = held[static_cast<std::size_t>(x)];
    for (std::ptrdiff_t skipped = above; skipped < rank(x); ++skipped) count *= 2;
    return count;
  };
  for (const Node& node : nodes_) {
    const std::ptrdiff_t own = std::ranges::lower_bound(literals_, node.literal) - literals_.begin();
    held.push_back(from(node.absent, own + 1) + from(node.present, own + 1));
  }
  return from(root_, 0);
}

Algebra Algebra::with(int literal, bool present) const {
  if (!depends_on(literal)) return *this;
  Builder builder;
  return builder.made(builder.settle(*this, root_, literal, present));
}

Algebra Algebra::operator&(const Algebra& other) const {
  Builder builder;
  return builder.made(builder.combine(*this, root_, other, other.root_, Builder::Op::both));
}

Algebra Algebra::operator|(const Algebra& other) const {
  Builder builder;
  return builder.made(builder.combine(*this, root_, other, other.root_, Builder::Op::either));
}

Algebra Algebra::operator!() const {
  const auto other = [](Next x) { return x < first_node ? Next{yes - x} : x; };
  std::vector<Node> nodes = nodes_;
  for (Node& node : nodes) node = {node.literal, other(node.absent), other(node.present)};
  return Algebra(std::move(nodes), other(root_));
}

bool Algebra::negates(int literal) const {
  if (!depends_on(literal)) return false;
  const Algebra absent = with(literal, false), present = with(literal, true);
  return !(absent & !present).is_nowhere();
}

namespace {

using Term = Cover::Term;

Algebra algebra_of(const Term& term) {
  Algebra all = Algebra::everywhere();
  for (const auto& [literal, present] : term)
    all = all & (present ? Algebra::literal(literal) : !Algebra::literal(literal));
  return all;
}

bool within(const Algebra& part, const Algebra& whole) { return (part & !whole).is_nowhere(); }

/// A term of the function that holds at the given row, with literals left out as long as it stays one.
Term shorten(Term term, const Algebra& whole) {
  // Absences first: they read worst.
  std::ranges::stable_sort(term, {}, &Term::value_type::second);
  for (std::size_t k = 0; k < term.size();) {
    Term shorter = term;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(k));
    if (within(algebra_of(shorter), whole)) term = shorter;
    else ++k;
  }
  std::ranges::sort(term);
  return term;
}

/// Some row at which the function holds.
Term some_row(Algebra algebra) {
  Term term;
  for (const int literal : std::vector<int>(algebra.literals())) {
    const bool present = algebra.with(literal, false).is_nowhere();
    term.emplace_back(literal, present);
    algebra = algebra.with(literal, present);
  }
  return term;
}

}  // namespace

Cover cover(const Algebra& algebra, std::size_t most_terms) {
  Cover found;
  Algebra rest = algebra;
  while (!rest.is_nowhere() && found.terms.size() < most_terms) {
    found.terms.push_back(shorten(some_row(rest), algebra));
    rest = rest & !algebra_of(found.terms.back());
  }
  found.whole = rest.is_nowhere();
  std::ranges::sort(found.terms);
  return found;
}

std::string to_string(const Algebra& algebra, const std::vector<std::string>& names) {
  if (algebra.is_everywhere()) return "U";
  if (algebra.is_nowhere()) return "∅";
  constexpr std::size_t most_terms = 64;
  const Cover found = cover(algebra, most_terms);
  std::string text;
  for (const Term& term : found.terms) {
    std::string part;
    for (const auto& [literal, present] : term)
      part += (part.empty() ? "" : " ∩ ") + std::string(present ? "" : "¬") + names.at(static_cast<std::size_t>(literal));
    text += (text.empty() ? "" : " ∪ ") + part;
  }
  return found.whole ? text : text + " ∪ …";
}

}  // namespace trellis::coiterate
