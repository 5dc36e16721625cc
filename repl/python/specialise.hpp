#pragma once
// A program for operands of certain structures, in a session of its own: declarations are written for what the text
// does not declare, results get formats, everything is compiled. Names, sizes and addresses are no part of it.

#include <memory>
#include <optional>

#include "engine/session/session.hpp"
#include "repl/python/declare.hpp"
#include "repl/python/errors.hpp"
#include "repl/python/operand.hpp"
#include "repl/python/options.hpp"

namespace trellis::python {

/// Layouts of other libraries that no name of the language has: SciPy's diagonals go by columns where `dia` goes by
/// rows.
inline constexpr std::string_view own_layouts =
    "layout dia_j: (i, j) -> (j - i, j) {compressed, dense}\n"
    "layout dia_j_wide: (i, j) -> (j - i, j) {compressed(wide), dense}\n"
    "layout bcsr_wide(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, compressed(wide), dense, dense}\n";

/// A tensor that a call may bring: operands in their order, then results, which may begin with something.
struct Parameter {
  std::string name;
  bool required = true;
};

/// What the text alone says. Throws Refused when it cannot be read.
class Template {
 public:
  explicit Template(Options options);

  const Options& options() const { return options_; }
  const Undeclared& names() const { return names_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }

  /// The program with such operands, by parameter; null: none is there, and its keyword or the default says what it is.
  /// Results are dense or, out of what operands store, in a sparse format (engine/lang/gaps.hpp), unless a keyword or
  /// the text says otherwise. `overrides` are values of integer parameters. Throws Refused. Without the GIL.
  std::unique_ptr<session::Session> specialise(const std::vector<const Operand*>& operands,
                                               const lang::Overrides& overrides) const;

 private:
  using Attributes = std::map<std::string, std::string>;  ///< by result: what a declaration says of it
  struct Read {
    std::unique_ptr<session::Session> session;
    text::Diagnostics said;
  };
  Read read(const std::vector<const Operand*>& operands, const lang::Overrides& overrides,
            const Attributes& results) const;
  std::string declarations(const std::vector<const Operand*>& operands, const Attributes& results) const;
  std::string layouts(const std::vector<const Operand*>& operands) const;
  std::vector<Attributes> results(session::State& state, const std::vector<const Operand*>& operands) const;
  std::vector<Attributes> produced(const std::vector<const Operand*>& operands) const;

  Options options_;
  Undeclared names_;
  std::vector<Parameter> parameters_;
};

/// Whether the operand has the format that a keyword says, however wide its indices are.
bool is_stored_as(const Operand& operand, const std::string& attributes);

/// Gives sizes the values that the operands' shapes say; what disagrees is reported, with the program's own words.
void bind_shapes(session::State& state, const std::vector<Parameter>& parameters,
                 const std::vector<const Operand*>& operands, text::Diagnostics& diagnostics);

}  // namespace trellis::python
