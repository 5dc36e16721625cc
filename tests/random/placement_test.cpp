// Placement against brute force: definitions are refused exactly when they are wrong, orders are accepted exactly when
// some loop tree serves them, and the instance of every rejection is real.
#include <doctest/doctest.h>

#include "engine/check/reference.hpp"
#include "engine/place/place.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/legality.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

Sizes sizes_of(const text::Instance& instance, const lang::Program& program) {
  Sizes sizes = sizes_between(program, 1, 1).front();
  for (const auto& [name, value] : instance.sizes) sizes[name] = value;
  return sizes;
}

/// Some orders and definitions only go wrong at sizes beyond those that are tried at first.
Instances expand_larger(const Case& program, const std::optional<text::Instance>& instance) {
  std::vector<Sizes> sizes = sizes_between(program.program, 5, 7);
  if (instance) sizes.push_back(sizes_of(*instance, program.program));
  return expand(program.program, program.kernel(), sizes);
}

std::string describe(const text::Instance& instance) {
  std::string text = instance.read + "(";
  for (std::int64_t coordinate : instance.element) text += " " + std::to_string(coordinate);
  text += " ) read at";
  for (const auto& [name, value] : instance.at) text += " " + name + "=" + std::to_string(value);
  text += ", written at";
  for (const auto& [name, value] : instance.written_at) text += " " + name + "=" + std::to_string(value);
  text += ", for";
  for (const auto& [name, value] : instance.sizes) text += " " + name + "=" + std::to_string(value);
  return text;
}

std::string dispute_about_order(const Case& program, const place::Analysis& analysis, const lang::Order& order,
                                const Instances& instances) {
  const bool accepted = place::is_legal(analysis, order);
  place::Placement placement = place::place(analysis, order);
  auto* rejected = std::get_if<place::Rejected>(&placement);
  if (accepted == (rejected != nullptr)) return "is_legal and place disagree";
  const bool expected = is_legal(instances, order);
  if (accepted) return expected ? "" : "accepted, but no loop tree serves it";
  const place::Failure& failure = rejected->failure;
  const text::Instance& instance = failure.instance;
  if (expected && is_legal(expand_larger(program, instance), order)) return "refused, but a loop tree serves it";
  // Too few names for the variables: there is no iteration to show.
  if (failure.kind == place::Failure::Kind::unlisted && order.size() < program.kernel().variables().size()) return "";
  if (!check::confirms(program.program, program.kernel(), instance))
    return "refused with an instance that is not real: " + describe(instance);
  return "";
}

/// Empty when placement and brute force agree about the program and these orders.
std::string dispute(const std::string& source, const std::vector<lang::Order>& orders) {
  auto program = read_case(source);
  if (!program) return "";
  auto sizes = sizes_between(program->program, 0, program->kernel().variables().size() <= 3 ? 5 : 4);
  Instances instances = expand(program->program, program->kernel(), sizes);
  text::Diagnostics diagnostics;
  auto analysis = place::analyse(program->program, program->kernel(), diagnostics);
  if (!analysis) {
    if (!instances.problem.empty()) return "";
    std::optional<text::Instance> instance;
    std::string why;
    for (const text::Diagnostic& d : diagnostics.all()) {
      if (d.severity != text::Severity::error) continue;
      if (!instance) instance = d.instance;
      why += "; " + d.message;
    }
    return expand_larger(*program, instance).problem.empty() ? "well defined, but refused" + why : "";
  }
  if (!instances.problem.empty())
    return instances.problem + " at " + to_string(instances.problem_sizes) + " was not noticed";
  for (lang::Order order : orders) {
    auto names = program->kernel().variables();
    std::erase_if(
        order, [&](const lang::LoopName& l) { return std::find(names.begin(), names.end(), l.name) == names.end(); });
    // What an order leaves out goes innermost.
    order = place::completed(*analysis, order);
    std::string found = dispute_about_order(*program, *analysis, order, instances);
    if (!found.empty()) return "order " + lang::to_string(order) + ": " + found;
  }
  return "";
}

std::vector<lang::Order> some_orders(Dice& dice, const std::vector<std::string>& names) {
  std::vector<lang::Order> orders = all_orders(names, Directions::ascending);
  while (orders.size() > 12) orders.erase(orders.begin() + dice.below(static_cast<int>(orders.size())));
  for (int extra = 0; extra < 4; ++extra) orders.push_back(random_order(dice, names));
  return orders;
}

TEST_CASE("random programs: an order is accepted exactly when brute force finds a loop tree for it") {
  const std::uint64_t seed = first_seed(1);
  const int wanted = randomised::wanted(900);
  int well_defined = 0, readable = 0, attempts = 0;
  for (std::uint64_t number = seed; well_defined < wanted && attempts < 40 * wanted; ++number, ++attempts) {
    Dice dice(number);
    Draft draft = generate(dice);
    auto program = read_case(to_string(draft));
    if (!program) continue;
    ++readable;
    std::vector<lang::Order> orders = some_orders(dice, program->kernel().variables());
    std::string found = dispute(program->source, orders);
    well_defined += expand(program->program, program->kernel(), sizes_between(program->program, 2, 3)).problem.empty();
    if (found.empty()) continue;
    Draft small = shrink(draft, [&](const Draft& d) { return !dispute(to_string(d), orders).empty(); });
    FAIL_CHECK("seed ", number, "\n", to_string(small), dispute(to_string(small), orders));
  }
  CHECK(well_defined == wanted);
  CHECK(readable * 10 >= attempts * 8);
}

}  // namespace
}  // namespace trellis::randomised
