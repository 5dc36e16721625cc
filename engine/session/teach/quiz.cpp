#include "engine/session/teach/quiz.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "engine/session/command/ask.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/program/documents.hpp"
#include "engine/session/replay/record.hpp"
#include "engine/session/replay/replays.hpp"
#include "engine/session/reply/text.hpp"
#include "engine/session/running/kernel_orders.hpp"

namespace trellis::session {
namespace {

using Posed = std::optional<QuizQuestion>;
constexpr std::size_t most_choices = 4;

/// Choices that depend on the question's number alone (SplitMix64).
class Chance {
 public:
  explicit Chance(int number) : state_(static_cast<std::uint64_t>(number)) {}
  std::size_t below(std::size_t count) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>((z ^ (z >> 31)) % count);
  }

 private:
  std::uint64_t state_;
};

/// The equations, or the loops, as they are understood.
std::string program_of(State& state, const lang::Kernel& kernel) {
  return output_of(ask(state, (kernel.loops ? "show loops " : "show equations ") + kernel.name));
}

/// Some of the words, and the right one among them, in no order.
void choose(QuizQuestion& question, const std::string& right, std::vector<std::string> others, Chance& chance) {
  std::erase(others, right);
  while (others.size() + 1 > most_choices)
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(chance.below(others.size())));
  question.right = chance.below(others.size() + 1);
  others.insert(others.begin() + static_cast<std::ptrdiff_t>(question.right), right);
  question.choices = std::move(others);
}

void add_once(std::vector<std::string>& all, const std::string& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// Of equations the certificate says what was proven.
std::string reason_of_legal(const place::Analysis* analysis, const lang::Order& order) {
  place::Placement placement = analysis ? place::place(*analysis, order) : place::Placement(place::Rejected());
  const auto* placed = std::get_if<place::Placed>(&placement);
  if (!placed) return "is legal, proven from the loops as they were written";
  const int count = placed->certificate.dependences;
  return "is legal, proven " + placed->certificate.sizes + ": " +
         (count == 0 ? "no iteration needs another"
                     : "every read comes after its write (" + std::to_string(count) +
                           (count == 1 ? " dependence)" : " dependences)"));
}

std::string reason_of_illegal(const text::Diagnostic& why) {
  std::string reason = why.message;
  for (const std::string& more : {why.instance_text, why.extent})
    if (!more.empty()) reason += "\n" + more;
  return reason;
}

/// Legal and illegal orders in turn, as far as there are both.
Posed ask_about_order(State& state, const lang::Kernel& kernel, Chance& chance) {
  text::Diagnostics ignored;
  const auto kernel_orders = KernelOrders::of(state, kernel, ignored);
  if (!kernel_orders) return std::nullopt;
  const lang::Order given = kernel_orders->present();
  const explore::Judge judge = kernel_orders->judge();
  constexpr std::size_t most_tried = 12;
  std::vector<lang::Order> orders;
  explore::walk_orders(given, given.size() < 3 ? explore::Directions::both : explore::Directions::ascending,
                       [&](const lang::Order& order, int distance) {
                         if (distance > 0) orders.push_back(order);
                         return orders.size() < 2 * most_tried;
                       });
  if (orders.empty()) return std::nullopt;
  const auto first = orders.begin() + static_cast<std::ptrdiff_t>(chance.below(orders.size()));
  std::rotate(orders.begin(), first, orders.end());
  orders.resize(std::min(orders.size(), most_tried));
  const bool wanted = chance.below(2) == 0;
  auto chosen = std::ranges::find_if(orders, [&](const lang::Order& order) { return judge.is_legal(order) == wanted; });
  const bool legal = chosen == orders.end() ? !wanted : wanted;
  if (chosen == orders.end()) chosen = orders.begin();
  const std::string name = "order " + lang::to_string(*chosen);
  QuizQuestion question{
      "order",         {}, program_of(state, kernel), "may the loops run in the " + name + "?", {"yes", "no"},
      legal ? 0u : 1u, {}};
  const auto analysis = kernel.loops ? nullptr : state.analysis(kernel, ignored);
  question.reason = legal ? name + " " + reason_of_legal(analysis.get(), *chosen)
                          : reason_of_illegal(kernel_orders->to_diagnostic(kernel_orders->why(*chosen), {}, {}));
  return question;
}

std::string element_written(const explore::Trace::Touch& touch) {
  return text::element_text(touch.tensor, touch.index);
}

Posed ask_about_execution(State& state, const lang::Kernel& kernel, Chance& chance) {
  constexpr std::size_t most_seen = 500;
  text::Diagnostics ignored;
  auto recorded = record(state, kernel, most_seen, kernel.span, ignored);
  if (!recorded) return std::nullopt;
  const auto execution = std::make_shared<const Recorded>(std::move(*recorded));
  const auto& steps = execution->trace.steps;
  const auto counts = [&](std::size_t k) { return steps[k].write && !steps[k].write->index.empty(); };
  std::vector<std::size_t> candidates;
  for (std::size_t k = 1; k < std::min<std::size_t>(steps.size(), 60); ++k)
    if (counts(k)) candidates.push_back(k);
  if (candidates.empty()) return std::nullopt;
  const std::size_t at = candidates[chance.below(candidates.size())];
  // What is written shortly before and behind misleads best.
  std::vector<std::string> others;
  for (std::size_t away = 1; away < steps.size() && others.size() <= most_choices; ++away)
    for (const std::size_t k : {at + away, at - away})
      if (k < steps.size() && counts(k)) add_once(others, element_written(*steps[k].write));
  const std::string right = element_written(*steps[at].write);
  if (std::ranges::count(others, right) == static_cast<std::ptrdiff_t>(others.size())) return std::nullopt;
  Stepped stepped{"execution", kernel.name, at, steps.size(), execution->trace.complete};
  stepped.execution = execution;
  QuizQuestion question{"execution", {}, text_of(stepped), "which element does the next statement write?", {}, 0, {}};
  choose(question, right, std::move(others), chance);
  ++stepped.at;
  question.reason = without_line_end(text_of(stepped));
  return question;
}

Posed ask_about_placement(State& state, const lang::Kernel& kernel, Chance& chance) {
  text::Diagnostics ignored;
  auto replayed = kernel.loops ? std::nullopt : replayed_placement(state, kernel, kernel.span, ignored);
  if (!replayed) return std::nullopt;
  const auto placement = std::make_shared<const ReplayedPlacement>(std::move(*replayed));
  const auto& fragments = placement->analysis->fragments.fragments;
  struct Moment {
    std::size_t from, to;   ///< events: behind the place before, up to this one
    std::vector<int> left;  ///< that had no place yet
  };
  std::vector<Moment> moments;
  std::set<int> placed;
  std::size_t from = 0;
  for (std::size_t k = 0; k < placement->events.size(); ++k) {
    const place::Event& event = placement->events[k];
    if (event.kind == place::Event::Kind::undo)
      for (const int f : event.fragments) placed.erase(f);
    if (event.kind != place::Event::Kind::place || event.fragments.empty()) continue;
    Moment moment{from, k, {}};
    for (const place::Fragment& f : fragments)
      if (!placed.contains(f.id)) moment.left.push_back(f.id);
    if (moment.left.size() > event.fragments.size()) moments.push_back(std::move(moment));
    placed.insert(event.fragments.begin(), event.fragments.end());
    from = k + 1;
  }
  if (moments.empty()) return std::nullopt;
  const Moment& moment = moments[chance.below(moments.size())];
  const std::vector<int>& wanted = placement->events[moment.to].fragments;
  std::string right;
  std::vector<std::string> others;
  for (const place::Fragment& f : fragments) {
    if (std::ranges::find(wanted, f.id) != wanted.end()) right += (right.empty() ? "" : " and ") + f.name;
    else if (std::ranges::find(moment.left, f.id) != moment.left.end()) add_once(others, f.name);
  }
  Stepped stepped{"placement", kernel.name, moment.from, placement->events.size()};
  stepped.placement = placement;
  QuizQuestion question{"placement",
                        {},
                        output_of(ask(state, "show fragments " + kernel.name)) + text_of(stepped),
                        "which of these gets its place next?",
                        {},
                        0,
                        {}};
  choose(question, right, std::move(others), chance);
  stepped.at = moment.to + 1;
  question.reason = without_line_end(text_of(stepped));
  return question;
}

Posed ask_about_lattice(State& state, const lang::Kernel& kernel, Chance& chance) {
  text::Diagnostics ignored;
  auto replayed = replayed_lattices(state, kernel, kernel.span, ignored);
  if (!replayed) return std::nullopt;
  const auto lattices = std::make_shared<const ReplayedLattices>(std::move(*replayed));
  const auto& steps = lattices->trace.steps;
  std::vector<std::size_t> candidates;
  for (std::size_t k = 1; k < steps.size(); ++k)
    if (!steps[k].does.empty() && steps[k].lattice == steps[k - 1].lattice && steps[k].around == steps[k - 1].around)
      candidates.push_back(k);
  if (candidates.empty()) return std::nullopt;
  const std::size_t at = candidates[chance.below(candidates.size())];
  std::vector<std::string> others;
  for (const explore::LatticeStep& step : steps)
    if (step.lattice == steps[at].lattice && !step.does.empty()) add_once(others, step.does);
  if (others.size() < 2) return std::nullopt;
  Stepped stepped{"lattice", kernel.name, at, steps.size(), lattices->trace.complete};
  stepped.lattices = lattices;
  QuizQuestion question{
      "lattice", {}, program_of(state, kernel) + text_of(stepped), "what is done at the next coordinate?", {}, 0, {}};
  choose(question, steps[at].does, std::move(others), chance);
  ++stepped.at;
  question.reason = without_line_end(text_of(stepped));
  return question;
}

/// About one of the program's kernels; empty when there is nothing to ask.
Posed ask_about_program(State& state, int number) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  if (!program) return std::nullopt;
  constexpr Posed (*kinds[])(State&, const lang::Kernel&, Chance&) = {ask_about_order, ask_about_execution,
                                                                      ask_about_placement, ask_about_lattice};
  const std::vector<lang::Kernel> kernels = program->kernels;
  const auto turn = static_cast<std::size_t>(number - 1);
  // An execution has the most to ask about, so it stands in for the others.
  for (const std::size_t kind :
       {turn % std::size(kinds), std::size_t{1}, std::size_t{0}, std::size_t{2}, std::size_t{3}})
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const lang::Kernel& kernel = kernels[(turn / std::size(kinds) + k) % kernels.size()];
      Chance chance(number);
      if (auto question = kinds[kind](state, kernel, chance)) {
        question->about = "kernel " + kernel.name;
        return question;
      }
    }
  return std::nullopt;
}

/// Different ones for each kind, and small enough to be drawn.
QuizQuestion ask_about_example(int number) {
  static const std::vector<std::string_view> names = {"cholesky",         "fibonacci", "viterbi", "sparse_sum",
                                                      "needleman_wunsch", "matmul",    "lu",      "and_not"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string_view name = names[(static_cast<std::size_t>(number - 1) + k) % names.size()];
    const auto example = std::ranges::find(example_programs, name, &Example::name);
    if (example == example_programs.end()) continue;
    State state({});
    text::Diagnostics ignored;
    carry_out_all(state, std::string(name), std::string(example->text), ignored);
    if (auto question = ask_about_program(state, number)) {
      question->about = "the example " + std::string(name);
      return std::move(*question);
    }
  }
  assert(false && "an example has an order to ask about");
  return {};
}

}  // namespace

QuizQuestion make_question(State& state, int number) {
  const Offer offer = state.offer;  // looking for questions offers nothing
  auto question = ask_about_program(state, number);
  state.offer = offer;
  return question ? std::move(*question) : ask_about_example(number);
}

std::optional<std::size_t> choice_of(const QuizQuestion& question, const std::string& answer) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), number);
  if (error == std::errc() && end == answer.data() + answer.size())
    return number >= 1 && number <= question.choices.size() ? std::optional(number - 1) : std::nullopt;
  const auto bare = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  const auto found = std::ranges::find(question.choices, bare(answer), bare);
  return found == question.choices.end() ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(found - question.choices.begin()));
}

}  // namespace trellis::session
