#pragma once
// An expression in the language's syntax: for people, and for lowering (docs/design/arrays.md#lowering).

#include <map>
#include <set>
#include <string>

#include "engine/lang/syntax.hpp"
#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// What fields are called: i, j, k, l, m, n, p, q, then i1, …, in the order in which they are asked for.
class FieldNames {
 public:
  /// `taken`: names of tensors.
  explicit FieldNames(std::set<std::string> taken = {}) : taken_(std::move(taken)) {}
  const std::string& operator()(const Field& field);

 private:
  std::set<std::string> taken_;
  std::map<std::int64_t, std::string> names_;
  int next_ = 0;
};

lang::syntax::Expr name_syntax(const std::string& name);
lang::syntax::Expr number_syntax(std::int64_t number);
/// As a literal, with its sign. Not-a-number is written `inf - inf`.
lang::syntax::Expr literal_syntax(const format::Value& value);
/// `name(fields)`, or the name alone.
lang::syntax::Expr access_syntax(const std::string& name, const std::vector<Field>& fields, FieldNames& names);
lang::syntax::Expr to_syntax(const Expr& expr, FieldNames& names);

/// "t(j) = sum(k)(B(j,k) * v(k))", and "k j" of fields.
std::string to_string(const Query& query, FieldNames& names);
std::string to_string(const std::vector<Field>& fields, FieldNames& names);

/// Names of the tables in it.
std::set<std::string> tables_of(const Expr& expr);

}  // namespace trellis::lazy
