#include "engine/coiterate/roles.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/coiterate/support.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using Role = Lattice::Role;

/// Cheaper found than walked past.
bool quickly_located(const format::Facts& facts) {
  return facts.locate == format::Locate::hash || facts.locate == format::Locate::direct ||
         facts.locate == format::Locate::one;
}

bool nothing_left(Algebra algebra, const std::vector<int>& gone) {
  for (const int literal : gone) algebra = algebra.with(literal, false);
  return algebra.is_nowhere();
}

class Roles {
 public:
  Roles(Lattice& lattice, const Surroundings& around) : lattice_(lattice), around_(around) {}

  void choose() {
    leads_ = lattice_.algebra.literals();
    if (!nothing_left(lattice_.algebra, leads_)) {
      leads_.clear();
      if (lattice_.everywhere.empty())
        lattice_.everywhere = "there is something to do where none of them stores anything";
    }
    // Negated ones lead nowhere; then unordered ones, then those that are found at once.
    drop("only says where nothing is to do",
         [&](int l) { return lattice_.algebra.negates(l) && lattice_.algebra.with(l, true).is_nowhere(); });
    drop("is stored in no order", [&](int l) { return !facts(l).ordered; });
    drop("is found at once where others lead", [&](int l) { return quickly_located(facts(l)); });
    drop("is bisected for, as `find` says", [&](int l) { return searched(l); });
    drop("would be walked from its start again in each iteration around", [&](int l) { return restarts(l); });
    give_up_where_order_matters();
    const bool parallel = lattice_.for_().execution == loop::For::Execution::parallel;
    if (parallel && leads_.size() > 1) everywhere("a parallel loop walks one operand at most");
    if (parallel && !leads_.empty() && appends() && !counts_by_entry())
      everywhere("threads count ahead what they append at each coordinate");
    for (std::size_t l = 0; l < lattice_.operands.size(); ++l) assign(static_cast<int>(l), parallel);
    if (!parallel) walk_along_regions();
  }

 private:
  const format::Facts& facts(int l) const { return lattice_.operands[static_cast<std::size_t>(l)].literal.stored(); }

  bool restarts(int l) const {
    return lattice_.operands[static_cast<std::size_t>(l)].literal.restarts && facts(l).locate == format::Locate::binary;
  }

  bool searched(int l) const { return lattice_.operands[static_cast<std::size_t>(l)].literal.searched; }

  void drop(const char* why, const std::function<bool(int)>& which) {
    for (std::size_t k = 0; k < leads_.size();) {
      std::vector<int> fewer = leads_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (which(leads_[k]) && !fewer.empty() && nothing_left(lattice_.algebra, fewer)) {
        lattice_.operands[static_cast<std::size_t>(leads_[k])].why = why;
        leads_ = fewer;
      } else {
        ++k;
      }
    }
  }

  void everywhere(std::string why) {
    leads_.clear();
    lattice_.everywhere = std::move(why);
  }

  /// Each entry is at a coordinate of its own, at which threads can count.
  bool counts_by_entry() const {
    if (leads_.size() != 1 || lattice_.for_().descending) return false;
    const access::Sequence& sequence = lattice_.operands[static_cast<std::size_t>(leads_[0])].literal.sequence;
    const format::Facts& lead = facts(leads_[0]);
    return lead.unique && lead.points() && lead.locate != format::Locate::one && !sequence.is_product() &&
           sequence.inverse.stride == 1 && sequence.inverse.stretch == 1;
  }

  bool appends() const {
    const std::set<std::string> written = written_in(lattice_.for_().body);
    return std::ranges::any_of(around_.results, [&](const std::string& name) { return written.contains(name); });
  }

  void give_up_where_order_matters() {
    const loop::For& f = lattice_.for_();
    const auto grows = [](const Lattice::Operand& o) { return o.literal.grows; };
    const auto regions = [](const Lattice::Operand& o) { return o.literal.sequence.has_regions(); };
    if (std::ranges::any_of(lattice_.operands, grows) && std::ranges::any_of(lattice_.operands, regions))
      return everywhere("what grows meanwhile is not met by regions");
    const bool any_order = f.kind == loop::For::Kind::forall && !appends();
    for (const int l : leads_) {
      if (facts(l).ordered || (leads_.size() == 1 && any_order)) continue;
      const std::string& name = lattice_.operands[static_cast<std::size_t>(l)].literal.name;
      return everywhere(name + " is stored in no order, which " +
                        (leads_.size() > 1 ? "cannot be merged with others"
                         : appends()       ? "a result that is appended to needs"
                                           : "this loop needs"));
    }
  }

  void assign(int l, bool parallel) {
    Lattice::Operand& operand = lattice_.operands[static_cast<std::size_t>(l)];
    if (contains(leads_, l)) {
      operand.role = Role::leads;
      return;
    }
    if (operand.why.empty() && !leads_.empty()) operand.why = "does not decide where there is something to do";
    // Beside a lead that jumps about, nothing can move along.
    const bool in_order = std::all_of(leads_.begin(), leads_.end(), [&](int lead) { return facts(lead).ordered; });
    const bool found_sooner = quickly_located(facts(l)) || ((restarts(l) || searched(l)) && !leads_.empty());
    const bool walkable = !parallel && in_order && facts(l).ordered && !found_sooner && !operand.literal.temporary;
    operand.role = walkable ? Role::follows : Role::located;
  }

  /// Looked up at each coordinate, the only region of a level would make an iteration of each, where the loop has one
  /// for all coordinates along which nothing changes.
  void walk_along_regions() {
    const auto is_only_region = [&](const Lattice::Operand& operand) {
      return operand.role == Role::located && operand.literal.stored().locate == format::Locate::one &&
             !operand.literal.temporary;
    };
    const auto goes_by_regions = [&](const Lattice::Operand& operand) {
      const bool decides =
          leads_.empty() ? operand.role == Role::follows || is_only_region(operand) : operand.role == Role::leads;
      return decides && operand.literal.sequence.has_regions();
    };
    const bool in_order = std::ranges::all_of(leads_, [&](int lead) { return facts(lead).ordered; });
    if (!in_order || std::ranges::none_of(lattice_.operands, goes_by_regions)) return;
    for (Lattice::Operand& operand : lattice_.operands)
      if (is_only_region(operand)) operand.role = Role::follows;
  }

  Lattice& lattice_;
  const Surroundings& around_;
  std::vector<int> leads_;
};

}  // namespace

void choose_roles(Lattice& lattice, const Surroundings& around) { Roles(lattice, around).choose(); }

}  // namespace trellis::coiterate
