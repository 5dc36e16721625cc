#pragma once
// The loops of a factor by supernodes (by_supernodes.hpp), out of what one iteration did for a column.

#include <map>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/column_end.hpp"
#include "engine/flow/fresh_names.hpp"
#include "engine/flow/left_looking.hpp"
#include "engine/lang/schedule.hpp"

namespace trellis::flow {

class Panels {
 public:
  /// `supernodes`: `partition` has the first column of each, `updates` those that update it.
  Panels(Flow& flow, const LeftLooking& of, const lang::Schedule::Supernodes& supernodes, making::Maker maker);

  /// In the place of the loop over columns, whose body is `body`.
  Stmt all(const Stmt& body);

 private:
  /// Rows and columns of a block: 24 vectors of 8 hold its sums.
  static constexpr int rows_in_block = 24, columns_in_block = 8;
  /// Rows of a block where there are fewer, and the least for which one is worth it.
  static constexpr int fewest_rows = 8;
  struct Block {
    int rows, columns;
  };
  /// Of finished panels with many columns, so many at a time are copied, rows of a block side by side.
  static constexpr int columns_packed = 256;
  /// Columns of a finished panel, whose rows are numbered from `shift` of those of the first on.
  struct Source {
    Expr first;  ///< column
    Expr count;  ///< of columns
    Expr shift;
  };
  /// What is made for a side of the factor.
  struct Part {
    const LeftLooking::Side* side;
    std::optional<ColumnEnd> end = {};
    std::vector<std::string> kept = {};
    std::string given = {};
    bool own = false;  ///< `sums_` has what is added up on the diagonal, by this side's terms

    int beside() const { return side->diagonal ? 0 : 1; }      ///< rows of a column that are not stored
    int below() const { return side->sums_diagonal ? 0 : 1; }  ///< rows of a column without a sum in the factor
  };

  std::string temporary(const std::string& wish, format::ScalarType type, std::vector<Expr> sizes);
  /// One for each wish: loops that are not inside each other share it.
  const std::string& variable(const std::string& wish);
  const Part& across(const Part& part) const;
  Expr begin(const Part& part, const Expr& column) const;
  Expr begin(const Expr& column) const { return begin(parts_[structure_], column); }
  Expr row(const Expr& entry) const;
  Expr row_of(const Expr& f, const Expr& number) const;
  Expr at(const std::string& tensor, const Expr& index) const;
  Stmt put(const std::string& tensor, const Expr& index, const Expr& value) const;
  /// Where column `number` of the panel from f on would have the panel's row 0.
  Expr column(const Part& part, const Expr& f, const Expr& number) const;
  Stmt with_bases(const Part& part, const Source& from, const std::string& k, Stmt body);
  Expr product(const Part& part, const Source& from, const std::string& k, const Expr& row, const Expr& column) const;
  Expr in_factor(const Part& part, const std::string& position) const;
  const std::string& tile_of(Block size) const { return size.rows == fewest_rows ? small_tile_ : tile_; }
  Expr in_tile(Block size, const Expr& column, const Expr& row) const;
  Expr given(const Part& part, const Expr& column, const Expr& row) const;

  Expr first_of(const Expr& number) const;
  std::vector<Stmt> declared(const std::vector<std::string>& arrays) const;
  /// Walks what the operand stores in a column, from the diagonal or below it: `each` for its rows `i`.
  Stmt along_operand(const Part& part, const Expr& column, const std::string& i, Stmt each);

  void find_ends(const Stmt& body);
  Stmt places_begin();
  Stmt places_of_operands(const Expr& f, const Expr& end);
  Stmt panel(const Expr& s, const Expr& f, const Expr& end);
  Stmt begins(const Expr& f, const Expr& end);
  Stmt updates(const std::string& s, const Expr& f, const Expr& end);
  Stmt finds_first_row(const Expr& d, const Expr& below, const Expr& f);
  Stmt update(const Expr& d, const Expr& behind, const Expr& f);
  Stmt in_blocks(const Part& part, const Source& from, const Expr& f, Block size, bool packed = false);
  Stmt in_parts(const Part& part, const Source& from, const Expr& f);
  Stmt packs(const Part& part, const Source& from, const Expr& i, const Expr& rows);
  Stmt one_by_one(const Part& part, const Source& from, const Expr& f);
  std::vector<Stmt> tile_sums(const Part& part, const Source& from, const Expr& i, const Expr& j, Block size,
                              bool packed);
  Stmt strip_at(const Expr& begin, const Expr& count, int rows, const Stmt& body);
  Stmt factorised(const Expr& f, const Expr& end);
  Stmt by_columns_before(const Part& part, const Expr& f, const Expr& j, const Expr& columns);
  Stmt by_columns_before(const Part& part, const Expr& f, const Expr& j, const Expr& columns, Block size);
  Stmt adds_row(const Part& part, const Source& from, const std::string& k, const Expr& f, const Expr& c,
                const Expr& limit);
  Stmt in_turn(const Expr& f, const Expr& j, const Expr& columns, const Expr& limit);
  Stmt by_those_of_the_block(const Part& part, const Expr& f, const Expr& j, const Expr& c, const Expr& limit);
  Stmt finished(const Expr& f, const Expr& c, const Expr& q, const Expr& limit);
  Expr final_value(const Part& part, const Expr& q, const Expr& row, const Expr& sum) const;
  Stmt takes_operand(const Part& part, const Expr& f, const Expr& j, const Expr& columns);
  Stmt below_corner(const Part& part, const Expr& f, const Expr& j, const Expr& corner);

  Flow& flow_;
  const LeftLooking& of_;
  const std::string firsts_, updates_;
  const making::Maker make_;
  FreshNames names_;
  std::map<std::string, std::string> variables_;
  const format::ScalarType type_;
  std::vector<Part> parts_;
  std::size_t structure_ = 0;  ///< the part whose columns say which rows a panel has, with the diagonal if there is one
  Stmt rest_;                  ///< what is left of an iteration for a column
  std::string place_, rel_, sums_, tile_, small_tile_, packed_, from_, to_, joint_;
  std::string rows_, entry_, all_;  ///< variables: of a panel, of an update
};

}  // namespace trellis::flow
