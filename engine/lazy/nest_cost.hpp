#pragma once
// What a query costs in each order of its loops, counted rather than lowered: how often each loop is entered, what is
// walked in it, what its body touches, how the result grows (docs/design/arrays.md#costs). How often depends on the set
// of fields outside of a loop, not on their order: 2^d counts serve d! orders. What things cost stands in
// cost/machine.hpp.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/lazy/logical.hpp"
#include "engine/lazy/stats.hpp"

namespace trellis::lazy {

/// How an array lies in memory: its fields, outermost first, by number, and which of its levels have gaps.
struct Storage {
  struct Level {
    int field;
    bool sparse;
    bool operator==(const Level&) const = default;
  };
  std::vector<Level> levels;
  bool dense() const;
  bool operator==(const Storage&) const = default;

  static Storage dense_of(const std::vector<int>& fields);
  /// Of rank 1 compressed, of rank 2 as csr, else as csf.
  static Storage sparse_of(const std::vector<int>& fields);
};

/// A factor of the product that the loops compute.
struct Source {
  std::vector<Storage> parts;  ///< several of a sum
  Statistics stored;           ///< where it is not its fill
  FieldSet fields = 0;
  bool full = false;   ///< restricts no loop
  int same_as = -1;    ///< an earlier source with the same entries at the same fields: it counts once
  double entries = 0;  ///< of all parts, to be copied
  /// What `stored` is at some of its fields, the others reduced: found once for all kernels that read it.
  std::shared_ptr<std::map<FieldSet, Statistics>> projections = std::make_shared<std::map<FieldSet, Statistics>>();
};

struct OrderCost {
  double cycles = 0;
  std::vector<int> order;    ///< fields, outermost first
  std::vector<bool> copied;  ///< sources that are laid out anew before, as this order walks them
};

enum class Writes { dense, sparse, row };  ///< row: of a nested reduction, a row at a time
enum class Memory { of_this_process, of_a_child };

/// reassociated: a reduction takes what it adds up in any order. as_written: in that of its fields, as what it makes
/// would be rounded differently otherwise.
enum class Sums { reassociated, as_written };

/// Cycles to touch dense memory of a result for the first time.
double first_touch(double bytes, Memory memory);

class NestCost {
 public:
  /// `fields`: the contraction's, by number. `sums`: may loops over `over` change places?
  NestCost(const Fields& fields, std::vector<Source> sources, FieldSet kept, FieldSet over, Memory memory, Sums sums);

  /// The cheapest order whose first loops are `first`: every sparse source is walked as it is stored, or as its copy
  /// is. `result`: its fields as they are stored.
  OrderCost cheapest(const std::vector<int>& result, Writes writes, const std::vector<int>& first = {});
  double cycles(const std::vector<int>& order, const std::vector<bool>& copied, const std::vector<int>& result,
                Writes writes);

  /// To clear a workspace of these fields, which loops in the order read a row at a time: where they come by, if they
  /// walk entries there, else all of it.
  double clearing(const std::vector<int>& fields, const OrderCost& reader);

  /// By loop and source: its entries that one run of the loop walks, on average; 0 where it is no cursor.
  std::vector<std::vector<double>> walked(const std::vector<int>& order, const std::vector<bool>& copied);

  /// That source is stored like this.
  void store(std::size_t source, Storage storage) { sources_[source].parts = {std::move(storage)}; }
  /// What it makes.
  const Statistics& result();
  /// That it makes so many entries, as a run has found.
  void correct(double entries) { result_ = scaled(result(), entries); }
  /// Sparse sources that this order does not walk as they are stored.
  std::vector<bool> against_storage(const std::vector<int>& order) const;
  FieldSet all_fields() const { return kept_ | over_; }

 private:
  bool is_allowed(const std::vector<int>& order) const;
  double size(int field) const { return static_cast<double>(fields_[static_cast<std::size_t>(field)].size); }
  double volume(FieldSet set) const;
  double joined(FieldSet before, int lead, int field);
  const Statistics& projected(int source, FieldSet onto);
  bool leads(const Source& source, bool copied, int field, const std::vector<int>& order) const;
  double loops(const std::vector<int>& order, const std::vector<bool>& copied, double& iterations, double& steps);
  double body(const std::vector<int>& order, bool& plain) const;
  void write(const std::vector<int>& order, const std::vector<int>& result, Writes writes, double& update,
             double& total);

  Fields fields_;
  std::vector<Source> sources_;
  FieldSet kept_, over_;
  Memory memory_;
  Sums sums_;
  std::map<std::pair<std::pair<FieldSet, int>, int>, double> joins_;
  std::optional<Statistics> result_;
};

}  // namespace trellis::lazy
