#pragma once
// The inside of `read`: a parser by recursive descent over lines of tokens, with the names that are known where it
// stands. Declarations are in read.cpp, statements in read_stmt.cpp, loops in read_loops.cpp, expressions and positions
// in read_expr.cpp.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/flow/read_lines.hpp"

namespace trellis::flow {

/// What a name in scope is.
struct Known {
  format::ScalarType type = format::ScalarType::i64;
  bool position = false;  ///< of an entry: alone in brackets it is the place of an element, not a coordinate
};

/// An expression whose literals may still wait for the type that their place gives them.
struct Pending {
  std::optional<format::ScalarType> own;  ///< as `own_type`
  std::function<Expr(format::ScalarType)> as;
};

class Reader {
 public:
  explicit Reader(std::vector<Line> lines) : lines_(std::move(lines)) {}
  Flow flow();

 private:
  // Tokens of the line.
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool is(std::string_view text, std::size_t ahead = 0) const;
  bool accept(std::string_view text);
  bool accept_all(std::initializer_list<std::string_view> words);
  void expect(std::string_view text);
  std::string name(const char* what);
  std::int64_t number(const char* what);
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_expecting(const std::string& what) const;

  // Lines: each is read to its end, then `next` goes on.
  const Line& line() const { return lines_[at_]; }
  bool over() const { return at_ >= lines_.size(); }
  void next();

  // Declarations.
  bool declaration();
  Tensor tensor(Tensor::Storage storage);
  Level level();
  void function();
  Tensor scalar();
  const Tensor& known_tensor(const std::string& name) const;
  const Tensor* find_tensor(const std::string& name) const;

  // Statements.
  Stmt body();             ///< of the line before: all lines deeper than it, which ends here
  Stmt block(int indent);  ///< lines of that indentation
  Stmt stmt();
  bool begins_assignment() const;
  Stmt assignment();
  Stmt exchange();
  Stmt if_or_test();
  std::optional<Stmt> otherwise(int indent);
  Stmt locate();
  Stmt tabulate();
  Stmt insert();
  Stmt let();
  Stmt append(bool counted);
  Stmt scatter();
  /// With these names in scope as well.
  Stmt with(const std::map<std::string, Known>& names, const std::function<Stmt()>& inside);

  // Loops.
  Stmt loop();
  Stmt coiterate();
  template <class Loops>
  void range(Loops& loop);
  template <class Loops>
  void sharing(Loops& loop);
  template <class Loops>
  bool attribute(Loops& loop);
  bool loop_attribute(Loop& loop, bool& counts);
  bool walk_attribute(Coiterate& c);
  Cursor cursor(const std::string& variable);
  void cursor_place(Cursor& cursor);
  math::DigitMap digit_map(const std::string& tensor, int& level);
  void cursor_coordinate(Cursor& cursor, const std::string& variable);
  bool cursor_attribute(Cursor& cursor);
  Cursor::Bound bound();
  Ahead ahead();
  Coiterate::Point point(Coiterate& c, std::map<std::string, Known> names);
  int cursor_of(const Coiterate& c);

  // Expressions.
  Expr expr(format::ScalarType wanted = format::ScalarType::i64);
  Expr condition() { return expr(); }
  Pending select();
  Pending binary(int least);
  Pending unary();
  Pending primary();
  Pending literal(const std::string& sign);
  Pending named();
  Pending parenthesised();
  Pending applied(const std::string& callee);
  Pending element_value(const std::string& tensor);
  bool at_stored() const;  ///< of a cursor's coordinate, the part after its offset

  // Positions.
  struct Bracket;
  std::vector<Bracket> brackets();
  Position position(const std::string& tensor, int levels);
  Position below(const std::string& tensor, int level);
  int level_of(const std::string& tensor);  ///< `.2`
  std::string place(int& level, Position& parent);

  std::vector<Line> lines_;
  std::size_t at_ = 0, token_ = 0;
  Flow flow_;
  std::vector<Tensor> locals_;  ///< of the function that is read
  std::map<std::string, Known> names_;
};

}  // namespace trellis::flow
