#pragma once
// Physical plans of one query: for each logical plan in what formats it keeps what it reduces early, in what order each
// kernel's loops run, which operands are laid out anew before (docs/design/arrays.md#plans). All of it is costed; what
// is asked for becomes queries.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/lazy/contraction.hpp"
#include "engine/lazy/nest_cost.hpp"
#include "engine/lazy/seen.hpp"
#include "engine/lazy/structure.hpp"

namespace trellis::lazy {

/// How something is kept: fields in the order in which they are stored.
struct Form {
  Writes writes = Writes::dense;
  std::vector<int> fields;
  auto operator<=>(const Form&) const = default;
};

/// A logical plan with the cheapest choices for it.
struct Candidate {
  double cycles = 0;
  std::optional<double> compiled = {};  ///< cycles of its kernels, where it was compared as compiled
  int result = 0;                       ///< the step that makes the result
  bool nested = false;                  ///< its one early reduction is computed inside of the kernel that reads it
  std::map<int, Form> forms = {};       ///< that are settled: of steps that are equal
  std::map<int, int> twins = {};        ///< steps that are equal to another one, which is computed for both
};

/// A query of a plan, with what is expected of it.
struct PlannedQuery {
  Query query;
  double cycles = 0;
  Statistics stored;    ///< by its result
  std::string copy_of;  ///< the table that it lays out anew; else empty
  std::string of = {};  ///< `canonical` of what it computes; of a copy nothing
  /// By loop and table: its entries that one run of the loop walks, on average.
  std::map<Field, std::map<std::string, double>> walked = {};
};

/// Names that nothing else has.
using FreshName = std::function<std::string()>;

class QueryPlans {
 public:
  /// `formats`, `counted`: of all tables that the query reads. `seen`: of its steps, what runs have found.
  QueryPlans(Query query, const Formats& formats, const CountedTables& counted, Exactness allowed, Memory memory,
             const Seen& seen);

  /// The cheapest first.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  /// Puts one of them first.
  void prefer(std::size_t candidate);
  void set_compiled(std::size_t candidate, double cycles) { candidates_[candidate].compiled = cycles; }
  bool greedy() const { return logical_.greedy; }
  /// Does the cheapest one round where the query as it is written does not?
  bool associates() const;
  /// How many kernels were costed, each in all orders of its loops.
  std::size_t costed() const { return kernels_.size(); }
  std::vector<PlannedQuery> queries_of(const Candidate& candidate, const FreshName& fresh);
  /// "R(i) = sum(j)(A(i,j) * sum(k)(B(j,k) * v(k)))": what is kept stands in its place.
  std::string outline_of(const Candidate& candidate);
  /// What the query's own result stores.
  Statistics expected();

 private:
  struct Factor {
    Expr expr;
    Source source;
    std::vector<Expr> tables;  ///< of each part
    bool opaque = false;       ///< the engine orders the loops around it
  };
  /// The cheapest way to make a step in a form.
  struct Choice {
    double cycles = 0;           ///< of the kernel, and of all that it reads as well
    std::vector<Form> operands;  ///< of those that are steps, in order
  };

  int number_of(const Field& field) const;
  FieldSet set_of(const Fields& fields) const;
  std::vector<int> numbers_in(FieldSet set) const;
  void add_factor(const Expr& expr);
  void find_logical_plans();
  /// What is known of them by number.
  void forget_steps();
  void find_candidates();

  const Step& step(int number) const { return logical_.steps[static_cast<std::size_t>(number)]; }
  int factor_count() const { return static_cast<int>(factors_.size()); }
  std::vector<int> operand_steps(int step) const;
  /// All that it needs, itself last.
  void collect_below(int step, std::vector<int>& into) const;
  bool is_opaque(int step) const;
  bool may_be_sparse(int step);
  std::vector<Form> forms_of(int step, const Candidate& candidate);
  Form result_form() const;
  NestCost& nest_of(int step, const std::vector<Form>& operands);
  const Source& source_of(int step, const Form& form);
  const OrderCost& kernel(int step, const Form& form, const std::vector<Form>& operands);
  Choice choice(int step, const Form& form, const Candidate& candidate);
  /// In equal_steps.cpp, as what it asks for.
  void settle_equal_steps(Candidate& candidate);
  /// Of the two loop nests that one kernel has: a row of the early reduction, and what reads it.
  struct Nested {
    OrderCost row, result;
    double clearing = 0;
    double cycles() const { return row.cycles + clearing + result.cycles; }
  };
  std::optional<Nested> nested(int result);
  /// With this loop around both; empty where sums must be added up in another order.
  std::optional<Nested> nested_in_rows(int result, int reduced, int outermost);
  Expr expr_of(int step);
  /// Its fields in the order of a name that equal steps have in common.
  const std::vector<int>& canonical_fields(int step);
  const std::string& canonical_name(int step);
  Form form_of_twin(int step, const Form& form, int twin);

  Statistics stored_in(const Table& table) const;
  /// Of what a factor stores, what one of its tables does.
  double share_of(int operand, std::size_t part) const;
  /// Each once, from the left to the right.
  static std::vector<Expr> tables_in(const Expr& expr);

  friend class Writing;

  Query query_;
  Formats formats_;
  CountedTables counted_;
  Memory memory_;
  Seen seen_;
  Contraction contraction_;
  Sums sums_;
  Fields fields_;
  std::vector<Factor> factors_;
  LogicalPlans logical_;
  std::vector<Candidate> candidates_;
  std::map<std::pair<int, std::vector<bool>>, NestCost> nests_;  ///< by step, and which of its operand steps are sparse
  std::map<std::tuple<int, Form, std::vector<Form>>, OrderCost> kernels_;
  std::map<std::pair<int, Form>, Choice> choices_;
  std::map<std::pair<int, bool>, Source> sources_;  ///< by step, and whether it is dense
  std::map<int, Expr> exprs_;
  std::map<int, std::pair<std::string, std::vector<int>>> canonical_;
};

}  // namespace trellis::lazy
