// How long the indices are that shape operators bind and make. Accesses, the left side, constraints and the operators
// themselves are equations between sizes; one with a single unknown gives it, one without holds for all sizes, or for
// the values that they have, or is a mistake.

#include <algorithm>

#include "engine/lang/resolve/operator_numbers.hpp"
#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

namespace {

using math::Affine;
using Op = Shape::Op;

/// whole = product or sum of the parts and `rest`.
struct SizeEquation {
  syntax::Expr at;
  std::string name_of_operator;
  bool product = true;
  std::vector<syntax::Name> whole, parts;  ///< of `reshape`, the whole is a product as well
  Affine rest = 0;                         ///< added to a sum
  bool done = false;
};

class Measure {
 public:
  Measure(Resolution& resolution, const syntax::Expr& e, std::map<std::string, Affine> known,
          const std::vector<syntax::Constraint>& constraints, bool& sound, Measuring how)
      : resolution_(resolution),
        expr_(e),
        sizes_(std::move(known)),
        constraints_(constraints),
        sound_(sound),
        how_(how) {}

  void run() {
    find(expr_);
    if (operators_.empty()) return;
    for (const std::string& name : names_) take_range(name);
    solve();
    while (take_constraint()) solve();
    if (how_ == Measuring::reporting) report_open();
    for (const auto& [e, form] : operators_) keep(e, form);
  }

 private:
  // ---- what there is ----

  void find(const syntax::Expr& e) {
    for_each_child(e, [&](const syntax::Expr& child) { find(child); });
    const auto form = operator_at(resolution_, e);
    if (!form) return;
    operators_.emplace_back(e, *form);
    for (const std::vector<syntax::Name>* names : {&form->from, &form->to})
      for (const syntax::Name& name : *names) add_once(names_, name.text);
    add_equation(e, *form);
  }

  void add_equation(const syntax::Expr& e, const OperatorForm& form) {
    SizeEquation equation{e, std::string(name_of(form.op)), true, form.to, form.from};
    switch (form.op) {
      case Op::collapse:
      case Op::reshape: break;
      case Op::split: std::swap(equation.whole, equation.parts); break;
      case Op::roll:
      case Op::concat: equation.product = false; break;
      case Op::stack:
        equation.product = false;
        equation.rest = static_cast<std::int64_t>(form.parts.size());
        break;
      case Op::slice:
      case Op::pad: {
        const auto numbers = read_numbers(resolution_, form, how_, sound_);
        if (!numbers) return;
        equation.product = false;
        if (form.op == Op::pad) equation.rest = (*numbers)[0] + (*numbers)[1];
        else equation.parts.clear(), equation.rest = slice_length(*numbers);
      }
    }
    equations_.push_back(std::move(equation));
  }

  /// From the dimensions that it indexes alone.
  void take_range(const std::string& name) {
    if (sizes_.contains(name)) return;
    std::vector<Range> ranges;
    collect_ranges(resolution_, expr_, name, ranges, Operators::ignored);
    if (ranges.empty()) return;
    const Range* smallest = &ranges[0];
    for (const Range& other : ranges)
      if (const Affine excess = other.size - smallest->size; excess.is_constant() && excess.constant < 0)
        smallest = &other;
    sizes_.emplace(name, smallest->size);
    for (const Range& other : ranges) {
      const Affine excess = other.size - smallest->size;
      const bool margin = excess.is_constant() && !other.size.is_constant();
      if (!margin && !agree(other.size, smallest->size) && how_ == Measuring::reporting)
        fail("E0301", other.span, "index " + name + " has two sizes", to_string(other.size))
            .notes.push_back({smallest->span, to_string(smallest->size) + " here"});
    }
  }

  // ---- solving ----

  void solve() {
    bool progress = true;
    while (progress) {
      progress = false;
      for (SizeEquation& equation : equations_) progress = (!equation.done && solve(equation)) || progress;
    }
  }

  std::vector<std::string> unknown_in(const SizeEquation& equation) const {
    std::vector<std::string> unknown;
    for (const std::vector<syntax::Name>* side : {&equation.whole, &equation.parts})
      for (const syntax::Name& name : *side)
        if (!sizes_.contains(name.text)) unknown.push_back(name.text);
    return unknown;
  }

  bool solve(SizeEquation& equation) {
    const auto unknown = unknown_in(equation);
    if (unknown.size() > 1) return false;
    equation.done = true;
    const auto whole = made(equation.whole, true, 0), parts = made(equation.parts, equation.product, equation.rest);
    if (!whole || !parts) {
      if (how_ == Measuring::reporting)
        fail("E0303", equation.at->span, "this size is no sum of products of sizes")
            .notes.push_back({{}, "give the sizes values with param"});
      return false;
    }
    if (unknown.empty()) {
      compare(equation, *whole, *parts);
      return false;
    }
    const bool in_whole =
        std::ranges::any_of(equation.whole, [&](const syntax::Name& n) { return n.text == unknown[0]; });
    const Affine &other = in_whole ? *parts : *whole, &own = in_whole ? *whole : *parts;
    const bool alone = in_whole ? equation.whole.size() == 1 : false;
    if (alone) sizes_[unknown[0]] = other;
    else if (!in_whole && !equation.product) sizes_[unknown[0]] = other - own;
    else if (const auto quotient = divide(equation, unknown[0], other, own)) sizes_[unknown[0]] = *quotient;
    else return false;
    return true;
  }

  /// What the names with sizes make.
  std::optional<Affine> made(const std::vector<syntax::Name>& names, bool product, Affine rest) const {
    Affine result = product ? Affine(1) : std::move(rest);
    for (const syntax::Name& name : names) {
      const auto size = sizes_.find(name.text);
      if (size == sizes_.end()) continue;
      if (!product) {
        result = result + size->second;
        continue;
      }
      auto next = math::product(result, size->second);
      if (!next) next = number_product(result, size->second);
      if (!next) return std::nullopt;
      result = *next;
    }
    return result;
  }

  /// With values in the place of sizes.
  std::optional<Affine> number_product(const Affine& a, const Affine& b) const {
    const auto first = value_now(resolution_, a), second = value_now(resolution_, b);
    if (!first || !second) return std::nullopt;
    if (how_ == Measuring::reporting)
      assume_equal(resolution_, a, Affine(*first)), assume_equal(resolution_, b, Affine(*second));
    return Affine(*first * *second);
  }

  std::optional<Affine> divide(const SizeEquation& equation, const std::string& name, const Affine& whole,
                               const Affine& by) {
    if (const auto exact = math::exact_quotient(whole, by)) return exact;
    const auto first = value_now(resolution_, whole), second = value_now(resolution_, by);
    if (first && second && *second > 0 && *first % *second == 0) {
      if (how_ == Measuring::reporting) {
        if (!whole.is_constant()) assume_equal(resolution_, whole, Affine(*first));
        if (!by.is_constant()) assume_equal(resolution_, by, Affine(*second));
      }
      return Affine(*first / *second);
    }
    const bool open = !first && by.is_constant() && by.constant > 0 && whole.quotients.empty();
    if (open) {  // that it comes out even is a condition for later
      const math::Constraint even{Affine::mod(whole, by.constant), math::Relation::equal, Affine(0)};
      if (how_ == Measuring::reporting) add_once(resolution_.program.assumed, even);
      return Affine::div(whole, by.constant);
    }
    if (how_ != Measuring::reporting) return std::nullopt;
    if (first && second)
      fail("E0243", equation.at->span,
           to_string(whole) + value_text(whole, *first) + " elements do not fill rows of " + to_string(by) +
               value_text(by, *second))
          .notes.push_back(
              {{},
               "the size of " + name + " would be the quotient; slice or pad first, or choose a size that divides it"});
    else
      fail("E0302", equation.at->span,
           "the size of " + name + " is the quotient of " + to_string(whole) + " by " + to_string(by) +
               ", which only values tell")
          .notes.push_back({{}, "give them values with param, or declare a size as a product, as in tensor v(n*m)"});
    return std::nullopt;
  }

  static std::string value_text(const Affine& size, std::int64_t value) {
    return size.is_constant() ? "" : " = " + std::to_string(value);
  }

  bool agree(const Affine& a, const Affine& b) {
    if (a == b) return true;
    const auto first = value_now(resolution_, a), second = value_now(resolution_, b);
    if (first && second && *first != *second) return false;
    if ((a - b).is_constant()) return false;
    if (how_ == Measuring::reporting) assume_equal(resolution_, a, b);  // without values, a condition for later
    return true;
  }

  void compare(const SizeEquation& equation, const Affine& whole, const Affine& parts) {
    if (agree(whole, parts) || how_ != Measuring::reporting) return;
    std::string names;
    for (const syntax::Name& n : equation.whole) names += (names.empty() ? "" : " and ") + n.text;
    const auto first = value_now(resolution_, whole), second = value_now(resolution_, parts);
    const bool numbers = (whole - parts).is_constant();
    auto& d = fail(numbers ? "E0301" : "E0246", equation.at->span,
                   names + (equation.whole.size() > 1 ? " have " : " has ") + to_string(whole) +
                       (first ? value_text(whole, *first) : "") + " elements, but " + equation.name_of_operator +
                       (equation.name_of_operator == "split" ? " makes " : " takes ") + to_string(parts) +
                       (second ? value_text(parts, *second) : ""));
    d.notes.push_back({{},
                       numbers
                           ? "the sizes of both sides of `->` agree"
                           : "the program holds for sizes of which " + to_string(whole) + " = " + to_string(parts)});
  }

  // ---- constraints ----

  /// `j < 4` of a name that nothing else gives a size; what was renamed is called as it was written.
  bool take_constraint() {
    for (const std::string& name : names_) {
      if (sizes_.contains(name)) continue;
      const std::string written = written_name(resolution_, name);
      for (const syntax::Constraint& c : constraints_)
        for (std::size_t k = 0; k < c.relations.size(); ++k)
          if (const auto size = upper_bound(resolution_, c.sides[k], c.relations[k], c.sides[k + 1], written)) {
            sizes_[name] = *size;
            return true;
          }
    }
    return false;
  }

  // ---- results ----

  void report_open() {
    if (!sound_) return;
    for (const SizeEquation& equation : equations_) {
      std::vector<std::string> unknown = unknown_in(equation);
      for (std::string& name : unknown) name = written_name(resolution_, name);
      if (unknown.empty()) continue;
      std::string names;
      for (std::size_t k = 0; k < unknown.size(); ++k)
        names += (k == 0 ? "" : k + 1 == unknown.size() ? " and " : ", ") + unknown[k];
      const bool shared = unknown.size() > 1 && equation.whole.size() == 1 && sizes_.contains(equation.whole[0].text);
      fail("E0302", equation.at->span,
           shared ? "nothing says how " + names + " share " + equation.whole[0].text
                  : "nothing says how long " + names + (unknown.size() > 1 ? " are" : " is"))
          .notes.push_back({{}, "write it after ':', as in " + unknown.back() + " < 4"});
      return;
    }
  }

  /// Where problems are reported.
  text::Diagnostic& fail(const char* code, text::Span span, const std::string& message, const std::string& label = "") {
    sound_ = false;
    return resolution_.error(code, span, message, label);
  }

  void keep(const syntax::Expr& e, const OperatorForm& form) {
    MeasuredOperator measured{e, {}, {}, {}};
    const auto all = [&](const std::vector<syntax::Name>& names, std::vector<Affine>& into) {
      for (const syntax::Name& name : names) {
        if (!sizes_.contains(name.text)) return false;
        into.push_back(sizes_.at(name.text));
      }
      return true;
    };
    // What it makes may be known where what it binds is not.
    std::erase_if(resolution_.operators, [&](const MeasuredOperator& o) { return o.node.same(e); });
    if (!all(form.to, measured.to_sizes)) return;
    measured.complete = all(form.from, measured.from_sizes);
    if (!form.numbers.empty())
      if (auto numbers = read_numbers(resolution_, form, Measuring::trying, sound_)) measured.numbers = *numbers;
    if (form.op == Op::slice && measured.complete && measured.numbers.size() == 3 && how_ == Measuring::reporting)
      check_slice(resolution_, form, measured, sound_);
    if (form.op == Op::roll && measured.complete && measured.numbers.size() == 2)
      measured.numbers[1] = rolled(resolution_, measured.numbers[0], measured.from_sizes[0], how_);
    resolution_.operators.push_back(std::move(measured));
  }

  Resolution& resolution_;
  const syntax::Expr expr_;
  std::map<std::string, Affine> sizes_;
  const std::vector<syntax::Constraint>& constraints_;
  bool& sound_;
  Measuring how_;
  std::vector<std::pair<syntax::Expr, OperatorForm>> operators_;
  std::vector<std::string> names_;
  std::vector<SizeEquation> equations_;
};

}  // namespace

void measure_operators(Resolution& resolution, const syntax::Expr& e, std::map<std::string, Affine> known,
                       const std::vector<syntax::Constraint>& constraints, bool& sound, Measuring how) {
  Measure(resolution, e, std::move(known), constraints, sound, how).run();
}

void measure_operators(Resolution& resolution, Draft& draft, Measuring how) {
  std::map<std::string, Affine> known;
  const TensorInfo* info = resolution.shapeless.contains(draft.tensor) ? nullptr : resolution.tensor(draft.tensor);
  for (std::size_t d = 0; info && d < draft.left.size() && d < info->shape.size(); ++d)
    if (draft.left[d].alone) known.emplace(draft.left[d].name, info->shape[d]);
  const std::vector<syntax::Constraint> none;
  measure_operators(resolution, draft.right, std::move(known), draft.source ? draft.source->constraints : none,
                    draft.sound, how);
}

}  // namespace trellis::lang::resolving
