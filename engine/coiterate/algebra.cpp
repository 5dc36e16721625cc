#include "engine/coiterate/algebra.hpp"

#include <algorithm>

#include "engine/coiterate/cover.hpp"

namespace trellis::coiterate {

bool Algebra::depends_on(int literal) const { return std::binary_search(literals_.begin(), literals_.end(), literal); }

// The row of `literals`, which hold all of this function's own.
bool Algebra::at(const std::vector<int>& literals, std::size_t row) const {
  std::size_t own = 0;
  for (std::size_t k = 0; k < literals_.size(); ++k) {
    const auto bit =
        static_cast<std::size_t>(std::lower_bound(literals.begin(), literals.end(), literals_[k]) - literals.begin());
    own |= (row >> bit & 1) << k;
  }
  return table_[own];
}

Algebra Algebra::with(int literal, bool present) const {
  const auto found = std::lower_bound(literals_.begin(), literals_.end(), literal);
  if (found == literals_.end() || *found != literal) return *this;
  const auto bit = static_cast<std::size_t>(found - literals_.begin());
  std::vector<int> literals = literals_;
  literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(bit));
  std::vector<bool> table(table_.size() / 2);
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::size_t low = row & ((std::size_t{1} << bit) - 1);
    table[row] = table_[(row >> bit) << (bit + 1) | static_cast<std::size_t>(present) << bit | low];
  }
  return Algebra(std::move(literals), std::move(table)).normal();
}

Algebra Algebra::normal() const {
  Algebra current = *this;
  for (const int literal : literals_) {
    const auto bit = static_cast<std::size_t>(
        std::lower_bound(current.literals_.begin(), current.literals_.end(), literal) - current.literals_.begin());
    bool matters = false;
    for (std::size_t row = 0; row < current.table_.size() && !matters; ++row)
      matters = current.table_[row] != current.table_[row ^ std::size_t{1} << bit];
    if (matters) continue;
    std::vector<bool> table(current.table_.size() / 2);
    for (std::size_t row = 0; row < table.size(); ++row)
      table[row] = current.table_[(row >> bit) << (bit + 1) | (row & ((std::size_t{1} << bit) - 1))];
    current.literals_.erase(current.literals_.begin() + static_cast<std::ptrdiff_t>(bit));
    current.table_ = std::move(table);
  }
  return current;
}

Algebra Algebra::combine(const Algebra& a, const Algebra& b, const std::function<bool(bool, bool)>& op) {
  std::vector<int> literals;
  std::set_union(a.literals_.begin(), a.literals_.end(), b.literals_.begin(), b.literals_.end(),
                 std::back_inserter(literals));
  if (literals.size() > static_cast<std::size_t>(most_literals)) return everywhere();
  std::vector<bool> table(std::size_t{1} << literals.size());
  for (std::size_t row = 0; row < table.size(); ++row) table[row] = op(a.at(literals, row), b.at(literals, row));
  return Algebra(std::move(literals), std::move(table)).normal();
}

Algebra Algebra::operator&(const Algebra& other) const {
  if (is_nowhere() || other.is_nowhere()) return nowhere();
  return combine(*this, other, [](bool x, bool y) { return x && y; });
}

Algebra Algebra::operator|(const Algebra& other) const {
  if (is_everywhere() || other.is_everywhere()) return everywhere();
  return combine(*this, other, [](bool x, bool y) { return x || y; });
}

Algebra Algebra::operator!() const {
  Algebra result = *this;
  result.table_.flip();
  return result;
}

bool Algebra::negates(int literal) const {
  if (!depends_on(literal)) return false;
  const Algebra absent = with(literal, false), present = with(literal, true);
  return !(absent & !present).is_nowhere();
}

std::string to_string(const Algebra& algebra, const std::vector<std::string>& names) {
  if (algebra.is_everywhere()) return "U";
  if (algebra.is_nowhere()) return "∅";
  constexpr std::size_t most_terms = 64;
  const Cover found = cover(algebra, most_terms);
  std::string text;
  for (const Cover::Term& term : found.terms) {
    std::string part;
    for (const auto& [literal, present] : term)
      part +=
          (part.empty() ? "" : " ∩ ") + std::string(present ? "" : "¬") + names.at(static_cast<std::size_t>(literal));
    text += (text.empty() ? "" : " ∪ ") + part;
  }
  return found.whole ? text : text + " ∪ …";
}

}  // namespace trellis::coiterate
