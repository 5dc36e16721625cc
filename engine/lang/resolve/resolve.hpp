#pragma once
// What the steps of `resolve` share. A file becomes drafts, one per equation, still in syntax; each step checks
// and completes them, and the last one turns the sound ones into typed equations. Steps report every problem that
// they find; what depends on something already reported stays silent.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::lang::resolving {

/// An index of a left side: a variable or nothing, plus parameters and a constant.
struct LeftIndex {
  enum class Kind { variable, parameter, constant } kind = Kind::constant;
  std::string name;  ///< of the variable
  std::int64_t offset = 0;
  math::Affine rest = {};  ///< parameters
  bool alone = false;      ///< written as a bare variable
  text::Span span;
  math::Affine form() const;
};

struct Draft {
  const syntax::Equation* source = nullptr;
  text::Span span;
  std::string tensor;
  text::Span left_span;
  std::vector<LeftIndex> left;
  std::optional<LeftIndex> step;       ///< the left side's superscript
  std::vector<std::string> variables;  ///< of the left side, the timestep first, then in order of appearance
  syntax::Expr right;                  ///< with Einstein's sums written out
  bool sound = true;                   ///< nothing was reported about it yet
  bool alone = false;                  ///< an expression that was written without a left side
  bool whole_left = false;             ///< a declared tensor without its indices: not reported yet
};

struct KernelDraft {
  std::string name;
  text::Span span;
  std::vector<Draft> equations;
  std::vector<const syntax::Loops*> loops;
  std::vector<const syntax::Command*> schedule;
  struct Until {
    const syntax::Until* source = nullptr;
    text::Span span;
  };
  std::vector<Until> untils = {};
  std::vector<Timesteps> timesteps = {};  ///< of the tensors that have a superscript on some left side
  std::map<std::string, math::Affine> timestep_sizes = {};  ///< one past the last value of each timestep variable
  bool has_steps(const std::string& tensor) const;
};

/// An index that was written as a slice, and how many values it gives to its variable.
struct Slice {
  syntax::Expr index;  ///< what it became, recognised by its handle
  std::string variable;
  math::Affine length;
};

/// A shape operator, and the sizes of what it binds and makes, as far as they are known (operators.hpp).
struct MeasuredOperator {
  syntax::Expr node;  ///< recognised by its handle
  std::vector<math::Affine> from_sizes, to_sizes;
  std::vector<math::Affine> numbers;  ///< as in lang::Shape
  bool complete = false;              ///< `from_sizes` are known, too
};

/// A `def` as it was written, and what reading it found.
struct DefinitionInfo {
  const syntax::Definition* source = nullptr;
  bool sound = true;                        ///< nothing was reported about it yet
  const syntax::Clause* general = nullptr;  ///< the clause whose operands are all names
  const syntax::Expr* space = nullptr;      ///< at which operands' entries it is applied, if it says so
  std::vector<std::string> applies = {};    ///< other functions
  std::shared_ptr<const syntax::Definition> written_out = {};  ///< owns `source` when functions in it were written out
  text::Origin origin = {};                                    ///< the statement
};

/// The state of one resolution.
struct Resolution {
  Program program;  ///< parameters and tensors; kernels come last
  text::Diagnostics& diagnostics;
  const Overrides& overrides;
  std::vector<KernelDraft> kernels;
  std::vector<const syntax::Command*> loose_schedule;  ///< schedule commands outside of kernels
  std::set<std::string> poisoned;                      ///< names whose own declaration or definition was reported
  std::set<std::string> shapeless;                     ///< implicit results whose shape is not known yet
  std::vector<Slice> slices = {};
  std::map<std::string, DefinitionInfo> definitions = {};
  mutable std::map<std::string, format::ScalarType> result_types =
      {};                                                         ///< of functions' instances, as far as asked for
  std::set<std::string> failed_instances = {};                    ///< of functions: what was wrong has been reported
  std::map<std::string, const syntax::LayoutDecl*> layouts = {};  ///< of the file
  std::vector<const syntax::Command*> format_commands = {};       ///< wherever they stand
  std::optional<syntax::Equation> value = {};                     ///< that an expression alone became
  std::vector<MeasuredOperator> operators = {};
  std::map<std::string, std::string> renamed =
      {};              ///< names that operators bind, and what they were before they were told apart
  bool tries = false;  ///< a fix: its own messages, which nobody sees, need none
  std::unordered_map<std::string, std::size_t> places = {};  ///< of the first tensors, so many, by name
  std::size_t placed = 0;
  int first_number = 0;  ///< of each kernel's nodes: more than 0 when its first equations are known already

  /// A copy to try things with, whose messages go elsewhere.
  Resolution trial(text::Diagnostics& unseen) const {
    return {program, unseen, overrides, {}, {}, poisoned, shapeless};
  }
  /// To read sizes and bounds with, in which tensors have no place: a program may have many.
  Resolution sizes_trial(text::Diagnostics& unseen) const {
    Resolution copy{{}, unseen, overrides, {}, {}, poisoned, {}};
    copy.program.parameters = program.parameters;
    copy.program.assumed = program.assumed;
    return copy;
  }
  /// A copy with the equations and functions as well, up to the next step.
  Resolution whole_trial(text::Diagnostics& unseen) const {
    Resolution copy{program, unseen, overrides, kernels, {}, poisoned, shapeless, slices, definitions};
    copy.layouts = layouts;
    copy.value = value;
    copy.renamed = renamed;
    copy.tries = true;
    return copy;
  }

  TensorInfo* tensor(const std::string& name);
  const TensorInfo* tensor(const std::string& name) const;
  /// From here on the tensors that there are now are found at once. They stay where they are, with their names.
  void find_tensors_by_name();
  bool is_parameter(const std::string& name) const { return program.parameter(name) != nullptr; }
  /// Whether the name stands for a parameter, a tensor or a function.
  bool has_meaning(const std::string& name) const {
    return is_parameter(name) || tensor(name) || definitions.contains(name);
  }
  /// A name that stands for a scalar tensor.
  bool is_scalar(const std::string& name) const;
  /// The result of the expression alone.
  bool is_value(const std::string& name) const;
  text::Diagnostic& error(std::string code, text::Span span, std::string message, std::string label = {}) {
    return diagnostics.error(std::move(code), span, std::move(message), std::move(label));
  }
};

/// All of them.
void take_steps(Resolution& resolution, const syntax::File& file, const std::optional<syntax::Expr>& value);

// ---- the steps, in the order in which they run ---------------------------------------------------------------

/// Declares parameters and tensors, opens kernels and collects their equations and schedule commands. `value`: of an
/// expression alone, which uses parameters too.
void declare(Resolution& resolution, const syntax::File& file, const std::optional<syntax::Expr>& value);
/// Was the name free when this declaration came?
enum class Freshness { fresh, taken };
/// Checks a tensor's shape and attributes, and adds it when its name is fresh. Names in its shape become sizes.
void declare_tensor(Resolution& resolution, const syntax::TensorDecl& declaration, Freshness freshness);
/// Reads left sides; undeclared ones become implicit results without a shape.
void read_left_sides(Resolution& resolution);
/// The expression becomes the one equation of a kernel of its own, the last one: `A(0:3, 1)` is `value(i) = A(i(0:3),
/// 1)`.
void add_value(Resolution& resolution, const syntax::Expr& value);
/// Reports equations in which tensors stand without indices (E0203) or arrays as in other languages (E0240), and writes
/// out what may be meant.
void check_array_notation(Resolution& resolution);
/// Reports indices with a parameter's name that were meant to run: E0218 where nothing is there, W0205 where it is one
/// element.
void check_parameter_indices(Resolution& resolution);
/// From left sides to typed equations: the two before, and the next six.
void resolve_equations(Resolution& resolution);
/// Writes out Einstein's sums; reports names that are both reduced and free.
void write_out_sums(Resolution& resolution);
/// Undeclared left sides of loop programs become implicit results without a shape.
void read_loop_results(Resolution& resolution);
/// Finds the shapes and element types of implicit results, dense as they are until formats are chosen.
void infer_results(Resolution& resolution);
/// Notes quotients of integers where the result was given no type, or takes the quotient as a floating number (N0206).
void hint_at_rounding(Resolution& resolution);
/// Lays tensors out as `format` commands say, with levels as wide as sizes need.
void apply_formats(Resolution& resolution);
/// Finds the tensors with timesteps, how many steps there are, and superscripts that are missing or out of place.
void find_timesteps(Resolution& resolution);
/// Types, ranges and constraints: fills `program.kernels`.
void build_equations(Resolution& resolution);
/// The same for loop programs.
void build_loops(Resolution& resolution);
/// Makes undeclared results sparse of which some element need not be stored.
void choose_formats(Resolution& resolution);
/// Notes the undeclared results, and how they are stored.
void announce(const Resolution& resolution);
/// Orders and parallel loops, masks, workspaces and marches.
void resolve_schedules(Resolution& resolution);
/// Has it steps, none of which is defined late by its number? Else E0347, where all equations are there, or E0162.
bool may_be_narrow(Resolution& resolution, const Kernel& kernel, bool complete, const syntax::Word& tensor);
/// Which tensors each kernel may find something in: what commands fill, and what earlier kernels leave.
void find_inherited(Resolution& resolution, const syntax::File& file);

// ---- what several steps use ----------------------------------------------------------------------------------

/// Value of a literal token. Integers keep their 64 bits; `real` is set for all.
struct NumberValue {
  bool integral = false;
  bool overflow = false;        ///< does not fit 64 bits
  std::uint64_t magnitude = 0;  ///< if integral
  double real = 0;
};
NumberValue number_value(const std::string& spelling);
/// pi and e; empty for other names.
std::optional<double> constant_called(std::string_view name);
/// Whether the name is one of these, and the program gives it no meaning of its own.
bool is_constant(const Resolution& resolution, const std::string& name);
/// The expression with these in place of their names, unless the name is an index in it or stands `around` it.
syntax::Expr write_out_constants(const Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const syntax::Expr& expr);
/// What is written here instead of a name that other languages have; "" for other names.
std::string_view written_instead(std::string_view name);
/// The literal (perhaps negated) in `type`; reports what does not fit.
std::optional<format::Value> literal_value(Resolution& resolution, const syntax::Expr& literal,
                                           format::ScalarType type);

/// The expression as an affine form in parameters and `variables`; reports what is not.
std::optional<math::Affine> affine_of(Resolution& resolution, const syntax::Expr& expr,
                                      const std::vector<std::string>& variables, const char* what);
/// E0303 about a reduction's condition that no affine constraint says, and what does.
void report_restriction(Resolution& resolution, text::Span span);
/// A form in parameters, as they have values now; what is concluded from it holds for these alone (`assume_equal`,
/// `assume_no_more`).
std::optional<std::int64_t> value_now(const Resolution& resolution, const math::Affine& size);
/// What is proven of the program is for sizes of which this holds.
void assume_equal(Resolution& resolution, const math::Affine& a, const math::Affine& b);
void assume_no_more(Resolution& resolution, const math::Affine& less, const math::Affine& more);
/// What a quasi-affine form may divide by: a positive constant, or the value of parameters, which is assumed from then
/// on.
std::optional<std::int64_t> constant_divisor(Resolution& resolution, const math::Affine& divisor);

/// Makes the format of a tensor, whose other properties are known, what these attributes say. Those that say nothing
/// about storage are skipped; of what makes no sense nothing is taken.
void read_format(Resolution& resolution, TensorInfo& info, const std::vector<syntax::Attribute>& attributes);
/// Checks what a layout says without numbers for its parameters.
void declare_layout(Resolution& resolution, const syntax::LayoutDecl& layout);
/// The layout of that name: the file's, or one of the standard library (layouts.cpp); null when there is none.
const syntax::LayoutDecl* layout_named(const Resolution& resolution, const std::string& name);
/// All of their names.
std::vector<std::string> layout_names(const Resolution& resolution);
/// The format that a layout is with these parameters, for a tensor whose shape is known. Reports what is wrong.
std::optional<format::Format> read_layout(Resolution& resolution, const syntax::LayoutDecl& layout,
                                          const syntax::NamedAttribute& use, const TensorInfo& tensor);
/// One level of a format. Reports what is wrong.
std::optional<format::Level> read_level(Resolution& resolution, const syntax::LevelSpec& spec);
/// Levels along dimensions that need 64 bits get them, as far as sizes are known here.
void widen_levels(Resolution& resolution, TensorInfo& info);
/// `ranks p q`: the dimensions of their grid.
void declare_ranks(Resolution& resolution, const syntax::RanksDecl& ranks, text::Span span);
/// Whether there is such a dimension of ranks; E0327 when there is none.
bool is_ranks(Resolution& resolution, const syntax::Name& name);
/// `over (p, :)`: how the tensor, whose shape is known, is cut.
void read_over(Resolution& resolution, TensorInfo& info, const syntax::OverAttribute& over);
/// `mask`, `march` and `workspace`, into the kernel's schedule; false when it is another command. `complete`: all
/// equations of the kernel are resolved, so that what they use is known.
bool read_storage_command(Resolution& resolution, Kernel& kernel, bool complete, const syntax::Command& command);
/// X_mask for each declared X of a `mask X auto`, so that other kernels may read it; symbolic/with_patterns.hpp lays it
/// out.
void declare_patterns(Resolution& resolution);
/// E0201: a schedule command names something that is no tensor.
void report_no_tensor(Resolution& resolution, const syntax::Name& name);

/// Checks the text of every `def`.
void read_definitions(Resolution& resolution);
/// The expression with applications of `def f(x) = e` written out. `sound` becomes false when that fails.
/// The names in `around` are those that what it binds must not take.
syntax::Expr write_out_functions(Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const syntax::Expr& expr, bool& sound);
/// The same for the clauses of a definition.
syntax::Definition write_out_functions(Resolution& resolution, const syntax::Definition& definition, bool& sound);
/// E0224: a function of the user with the wrong number of arguments.
void report_arity(Resolution& resolution, const syntax::Reference& r, const syntax::Definition& definition);
/// The instance of a function with clauses at these types, its number in `program.functions`; empty when something was
/// reported.
std::optional<std::size_t> instantiate(Resolution& resolution, const std::string& name,
                                       const std::vector<format::ScalarType>& types, text::Span applied);

/// The instance of a function that reduces values of this type, as in `gcd(k)(e)`; empty when something was reported.
std::optional<std::string> reducing(Resolution& resolution, const syntax::Expr& e, const syntax::Reference& r,
                                    format::ScalarType type);

/// The expression with its slices as affine indices, which are remembered in `slices`. `sound` becomes false when one
/// is wrong.
syntax::Expr write_out_slices(Resolution& resolution, const syntax::Expr& expr, bool& sound);

/// Size of the dimension that `name` indexes alone or by a slice, or that an operator makes, and where.
struct Range {
  math::Affine size;
  text::Span span;
  std::string tensor;  ///< empty: a slice or an operator
  int dimension = 0;
};
/// Every place in `expr` where `name` indexes a dimension of known size alone.
enum class Operators { counted, ignored };  ///< whether what shape operators make counts
void collect_ranges(const Resolution& resolution, const syntax::Expr& expr, const std::string& name,
                    std::vector<Range>& into, Operators operators = Operators::counted);
/// Sizes that are neither equal nor close: an error, unless the user's own constraints say how far the variable ranges.
enum class TwoSizes { refused, constrained };
/// The range of a variable: of sizes that differ by a constant the smallest. Sizes that agree as numbers only become an
/// assumption of the program; two different ones are reported (E0301).
std::optional<Range> common_range(Resolution& resolution, const std::string& name, const std::vector<Range>& ranges,
                                  bool& sound, TwoSizes two = TwoSizes::refused, const Draft* draft = nullptr);

/// A link of a constraint, and where the chain stands that it is of.
struct WrittenLink {
  math::Constraint constraint;
  text::Span span;
};
/// W0215 where the link lets the variable be one past its range, and so leaves nothing out: `i <= n` of x(n).
void warn_if_beyond(Resolution& resolution, const Draft& draft, const WrittenLink& link, const std::string& name,
                    const Range& range);

/// Bounds that the left side sets to its variables and parameters, beyond what their ranges already give.
std::vector<math::Constraint> left_bounds(const Resolution& resolution, const Draft& draft,
                                          const std::map<std::string, math::Affine>& sizes);
/// The size that a link of a constraint gives to a name as an exclusive upper bound in parameters, if it is one.
std::optional<math::Affine> upper_bound(const Resolution& resolution, const syntax::Expr& left, math::Relation relation,
                                        const syntax::Expr& right, const std::string& name);
/// One past the largest value that the constraints of an equation alone give to a variable, if they say so plainly.
std::optional<math::Affine> bounded_extent(const Resolution& resolution, const Draft& draft,
                                           const std::string& variable);
bool bounds_below(const math::Constraint& constraint, const std::string& name);
bool bounds_above(const math::Constraint& constraint, const std::string& name);

/// The equation with its functions and slices written out; its left side is not read yet.
Draft draft_of(Resolution& resolution, const syntax::Equation& equation, text::Span span);
void read_left_side(Resolution& resolution, Draft& draft);
/// The draft's equation with `from` replaced by `to` on its right side.
syntax::Equation rewritten(const Draft& draft, const syntax::Expr& from, const syntax::Expr& to);
/// An equation that stands in the draft's place, as a person writes it: of an expression alone its right side.
std::string to_text(const Draft& draft, const syntax::Equation& equation);
/// Adds a fix: this equation in place of the draft's. Not twice, and not of an expression alone when the equation's
/// left side has indices, which no expression says.
void offer(const Draft& draft, const syntax::Equation& equation, const std::string& remark,
           text::Diagnostic& diagnostic);
/// The same, if nothing is wrong then where the draft stands.
void offer_instead(const Resolution& resolution, const Draft& draft, const syntax::Equation& equation,
                   const std::string& remark, text::Diagnostic& diagnostic);
/// Adds a fix: the equation with an index in place of the name, which stands for something else, if that resolves.
void offer_another_name(const Resolution& resolution, const Draft& draft, const std::string& name,
                        text::Diagnostic& diagnostic);

}  // namespace trellis::lang::resolving
