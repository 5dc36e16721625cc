#include "engine/lang/resolve/operator_numbers.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"

namespace trellis::lang::resolving {

using math::Affine;
using Op = Shape::Op;

namespace {

bool is_negative(const Affine& a) { return a.is_constant() && a.constant < 0; }

/// What is wrong with the numbers, which are affine: where, what, and a remark on either.
struct Fault {
  text::Span span;
  const char* message;
  const char* label = "";
  const char* note = "";
};

std::optional<Fault> fault_in(const OperatorForm& form, const std::vector<Affine>& numbers) {
  if (form.op == Op::slice && (!numbers[2].is_constant() || numbers[2].constant == 0))
    return Fault{form.numbers[2]->span, "a slice's step must be a constant other than 0"};
  if (form.op == Op::pad && std::ranges::any_of(numbers, is_negative))
    return Fault{form.numbers[0]->span, "pad adds elements; it takes none away", "both numbers are 0 or more",
                 "slice takes elements away"};
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Affine>> read_numbers(Resolution& resolution, const OperatorForm& form, Measuring how,
                                                bool& sound) {
  const bool reporting = how == Measuring::reporting;
  text::Diagnostics unseen;
  Resolution trial = resolution.sizes_trial(unseen);
  std::vector<Affine> numbers;
  for (const syntax::Expr& e : form.numbers) {
    const auto number = affine_of(reporting ? resolution : trial, e, {},
                                  form.op == Op::slice ? "a slice's end or step" : "how far this goes");
    if (!number) {
      sound = sound && !reporting;
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  if (form.op == Op::slice && numbers.size() == 2) numbers.push_back(1);
  if (form.op == Op::roll) numbers.push_back(numbers[0]);
  const auto fault = fault_in(form, numbers);
  if (!fault) return numbers;
  if (!reporting) return std::nullopt;
  sound = false;
  text::Diagnostic& d = resolution.error("E0247", fault->span, fault->message, fault->label);
  if (*fault->note) d.notes.push_back({{}, fault->note});
  return std::nullopt;
}

Affine slice_length(const std::vector<Affine>& numbers) {
  const std::int64_t step = numbers[2].constant, size = step < 0 ? -step : step;
  const Affine span = step < 0 ? numbers[0] - numbers[1] : numbers[1] - numbers[0];
  const Affine length = size == 1 ? span : Affine::div(span + Affine(size - 1), size);
  return is_negative(length) ? Affine(0) : length;
}

Affine rolled(Resolution& resolution, const Affine& c, const Affine& n, Measuring how) {
  const bool reporting = how == Measuring::reporting;
  const auto by = value_now(resolution, c), size = value_now(resolution, n);
  if (!by || !size) {
    if (reporting && !c.is_constant()) assume_no_more(resolution, 0, c);
    if (reporting) assume_no_more(resolution, is_negative(c) ? -c : c, n);
    return is_negative(c) ? c + n : c;
  }
  const Affine remainder(*size == 0 ? 0 : ((*by % *size) + *size) % *size);
  if (c.is_constant() && n.is_constant()) return remainder;
  if (0 <= *by && *by <= *size) {
    if (reporting) assume_no_more(resolution, c, n);
    if (reporting && !c.is_constant()) assume_no_more(resolution, 0, c);
    return c;
  }
  if (*by < 0 && -*by <= *size) {
    if (reporting) assume_no_more(resolution, -c, n);
    if (reporting && !c.is_constant()) assume_no_more(resolution, c, 0);
    return c + n;
  }
  if (reporting) assume_equal(resolution, n, Affine(*size));
  if (reporting && !c.is_constant()) assume_equal(resolution, c, Affine(*by));
  return remainder;
}

void check_slice(Resolution& resolution, const OperatorForm& form, const MeasuredOperator& slice, bool& sound) {
  const auto count = value_now(resolution, slice.to_sizes[0]), size = value_now(resolution, slice.from_sizes[0]);
  const auto low = value_now(resolution, slice.numbers[0]);
  if (!sound || !count || !size || !low || *count <= 0) return;
  const std::int64_t last = *low + (*count - 1) * slice.numbers[2].constant;
  if (std::min(*low, last) >= 0 && std::max(*low, last) < *size) return;
  sound = false;
  resolution
      .error("E0244", text::cover(form.numbers[0]->span, form.numbers.back()->span),
             to_string(slice.numbers[0]) + ":" + to_string(slice.numbers[1]) + " leaves " + to_string(form.parts[0]) +
                 ", which has " + std::to_string(*size) + (*size == 1 ? " element" : " elements"))
      .notes.push_back({{}, "the second number is exclusive; pad adds elements around it"});
}

}  // namespace trellis::lang::resolving
