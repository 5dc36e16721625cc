#pragma once
// The loops of a factor by supernodes (by_supernodes.hpp), out of what one iteration did for a column.

#include <map>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/column_end.hpp"
#include "engine/flow/fresh_names.hpp"
#include "engine/flow/left_looking.hpp"

namespace trellis::flow {

class Panels {
 public:
  /// `firsts`: a pattern of one dimension, which has the first column of each supernode.
  Panels(Flow& flow, const LeftLooking& of, std::string firsts, making::Maker maker);

  /// In the place of the loop over columns, whose body is `body`.
  Stmt all(const Stmt& body);

 private:
  /// Rows and columns of a block: 24 vectors of 8 hold its sums.
  static constexpr int rows_in_block = 24, columns_in_block = 8;
  /// Of finished panels with many columns, so many at a time are copied, rows of a block side by side.
  static constexpr int columns_packed = 256;
  /// Where columns of finished ones are: the k-th has its row number x at `shift + x` behind where it would begin if
  /// it had all rows of the first.
  struct Source {
    Expr first;  ///< column
    Expr count;  ///< of columns
    Expr shift;
  };

  std::string temporary(const std::string& wish, format::ScalarType type, std::vector<Expr> sizes);
  /// One for each wish: loops that are not inside each other share it.
  const std::string& variable(const std::string& wish);
  Expr begin(const Expr& column) const;
  Expr row(const Expr& entry) const;
  Expr at(const std::string& tensor, const Expr& index) const;
  Stmt put(const std::string& tensor, const Expr& index, const Expr& value) const;
  Expr product(const Source& from, const std::string& k, const Expr& row, const Expr& column) const;
  Expr in_factor(const std::string& position) const;
  Expr in_tile(const Expr& column, const Expr& row) const;
  Expr given(const Expr& column, const Expr& row) const;
  Expr fits(const Source& from, const Expr& rows) const;

  void find_end(const Stmt& body);
  Stmt waits_from_here();
  Stmt panel(const Expr& f, const Expr& end);
  Stmt begins(const Expr& f, const Expr& end);
  Stmt updates(const Expr& f, const Expr& end);
  Stmt update(const Expr& d, const Expr& f);
  Stmt in_blocks(const Source& from, const Expr& f, int wide, bool packed = false);
  Stmt in_parts(const Source& from, const Expr& f);
  Stmt packs(const Source& from, const Expr& i);
  Stmt one_by_one(const Source& from, const Expr& f);
  std::vector<Stmt> tile_sums(const Source& from, const Expr& i, const Expr& j, int wide, bool packed);
  Stmt factorised(const Expr& f, const Expr& end);
  Stmt by_columns_before(const Expr& f, const Expr& j, const Expr& columns);
  Stmt in_turn(const Expr& f, const Expr& j, const Expr& columns, const Expr& limit);
  Stmt finished(const Expr& to, const Expr& q, const Expr& own, const Expr& limit);
  Expr final_value(const Expr& q, const Expr& row, const Expr& sum) const;
  Stmt takes_operand(const Expr& f, const Expr& j, const Expr& columns);
  Stmt below_corner(const Expr& f, const Expr& j, const Expr& corner);
  Stmt begins_to_wait(const Expr& f, const Expr& end);

  Flow& flow_;
  const LeftLooking& of_;
  const std::string firsts_;
  const making::Maker make_;
  FreshNames names_;
  std::map<std::string, std::string> variables_;
  const format::ScalarType type_;
  Stmt rest_;  ///< what is left of an iteration for a column
  std::optional<ColumnEnd> end_;
  std::vector<std::string> kept_;
  std::string given_;
  std::string place_, rel_, waits_, after_, next_, last_, sums_, tile_, packed_, waiting_, joint_;
  std::string rows_, entry_, all_;  ///< variables: of a panel, of an update
};

}  // namespace trellis::flow
