#include "engine/session/report/orders.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/explore/evaluate.hpp"
#include "engine/session/command/ask.hpp"
#include "engine/session/report/stages.hpp"
#include "engine/session/report/variant.hpp"
#include "engine/session/running/in_time.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {
namespace {

using view::Json;

constexpr std::size_t most_explained = 24;
constexpr std::size_t most_shown = 23;  // with the kernel's own, as many as four loops have

/// What names mean in an instance: its loops, its sizes, else the program's parameters.
explore::Names known_names(State& state, const lang::Program& program, const text::Instance& instance) {
  explore::Names names;
  for (const text::Point* point : {&instance.at, &instance.sizes}) names.insert(point->begin(), point->end());
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name); value && !p.real) names.emplace(p.name, value->as_integer());
  return names;
}

std::optional<tensor::Index> evaluated(const std::vector<lang::Expr>& indices, const explore::Names& names) {
  tensor::Index out;
  for (const lang::Expr& index : indices)
    if (const auto value = explore::evaluate(index, names)) out.push_back(*value);
    else return std::nullopt;
  return out;
}

bool reads(const lang::Expr& expr, const text::Instance& instance, const explore::Names& names) {
  const auto* access = expr.as<lang::Access>();
  bool found = access && access->tensor == instance.read && evaluated(access->indices, names) == instance.element;
  lang::for_each_child(expr, [&](const lang::Expr& child) { found = found || reads(child, instance, names); });
  return found;
}

/// Of a loop program: where the statement that reads the element writes to, when that is an element of the same tensor.
std::optional<tensor::Index> written_by_reader(const loop::Stmt& nest, const text::Instance& instance,
                                               const explore::Names& names) {
  std::optional<tensor::Index> found;
  loop::for_each(nest, [&](const loop::Stmt& statement) {
    const auto* assign = statement.as<loop::Assign>();
    const auto* target = assign ? assign->target.as<lang::Access>() : nullptr;
    if (!found && target && target->tensor == instance.read && reads(assign->value, instance, names))
      found = evaluated(target->indices, names);
  });
  return found;
}

/// Of equations: the element of the same tensor that the reading fragment's equation defines.
std::optional<tensor::Index> defined_by_reader(const place::Analysis& analysis, const explore::Why& why,
                                               const explore::Names& names) {
  if (!why.failure || why.failure->reader < 0) return std::nullopt;
  const auto value = [&](const std::string& name) {
    const auto known = names.find(name);
    return known == names.end() ? std::nullopt : std::optional(known->second);
  };
  const auto& fragments = analysis.fragments.fragments;
  const int equation = fragments[static_cast<std::size_t>(why.failure->reader)].equation;
  std::optional<tensor::Index> found;
  for (const place::Fragment& f : fragments) {
    if (f.equation != equation || f.temporary || f.write.tensor != why.instance.read) continue;
    tensor::Index index;
    for (const math::Affine& one : f.write_index)
      if (const auto at = one.evaluate(value)) index.push_back(*at);
    if (index.size() == why.instance.element.size()) found = index;
  }
  return found;
}

/// What an order is asked about: the analysis of equations, the loops of a loop program.
struct AskedOrder {
  const lang::Program& program;
  std::shared_ptr<const place::Analysis> analysis;
  std::shared_ptr<const Compilation> loops;
};

Json grid_of(State& state, const AskedOrder& asked, const explore::Why& why) {
  const text::Instance& instance = why.instance;
  const lang::TensorInfo* info = asked.program.tensor(instance.read);
  if (!info || instance.element.empty() || info->shape.size() > 2) return nullptr;
  const explore::Names names = known_names(state, asked.program, instance);
  Json json{{"tensor", instance.read}, {"shape", Json::array()}, {"reads", instance.element}};
  for (const math::Affine& size : info->shape) {
    const auto extent = size.evaluate(
        [&](const std::string& name) { return names.contains(name) ? std::optional(names.at(name)) : std::nullopt; });
    if (!extent) return nullptr;
    json["shape"].push_back(*extent);
  }
  const auto computes = asked.loops      ? written_by_reader(asked.loops->loops, instance, names)
                        : asked.analysis ? defined_by_reader(*asked.analysis, why, names)
                                         : std::nullopt;
  if (computes) json["computes"] = *computes;
  return json;
}

Json other_json(State& state, const lang::Kernel& kernel, const explore::Verdict& verdict) {
  const std::string order = lang::to_string(verdict.order);
  Json one{{"order_text", order},
           {"cost", verdict.cost ? view::to_json(*verdict.cost) : Json(nullptr)},
           {"median_ms", verdict.median_ms ? view::to_json(*verdict.median_ms) : Json(nullptr)}};
  one.update(variant_json(state, kernel, "order " + order));
  return one;
}

}  // namespace

Json refused_json(State& state, const lang::Kernel& kernel, const Reply& orders) {
  Json list = Json::array();
  const auto* listed = std::get_if<OrdersListed>(&orders.result);
  if (!listed) return list;
  text::Diagnostics ignored;
  const lang::Program program = *state.program(ignored);
  const AskedOrder asked{program, kernel.loops ? nullptr : state.analysis(kernel, ignored),
                         kernel.loops ? state.unscheduled(kernel, ignored) : nullptr};
  for (const explore::Verdict& verdict : listed->table.orders) {
    if (verdict.legal || list.size() == most_explained) continue;
    const Reply reply = ask(state, "why " + kernel.name + ": " + lang::to_string(verdict.order));
    Json json = report_answer(reply, state.sources);
    if (const auto* answered = std::get_if<WhyAnswered>(&reply.result)) {
      json["order_text"] = lang::to_string(verdict.order);
      json["grid"] = grid_of(state, asked, answered->why);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json present_order(const Reply& orders) {
  const auto* listed = std::get_if<OrdersListed>(&orders.result);
  if (!listed) return nullptr;
  const auto present = std::ranges::find(listed->table.orders, 0, &explore::Verdict::distance);
  return present == listed->table.orders.end() ? Json(nullptr) : Json(lang::to_string(present->order));
}

Json others_json(State& state, const lang::Kernel& kernel, const Reply& orders) {
  Json list = Json::array();
  const auto* listed = std::get_if<OrdersListed>(&orders.result);
  if (!listed) return list;
  std::vector<explore::Verdict> others = listed->table.orders;
  std::erase_if(others, [](const explore::Verdict& v) { return v.distance == 0; });
  std::ranges::stable_sort(others, {}, &explore::Verdict::distance);
  others.resize(std::min(others.size(), most_shown));
  const double seconds = state.options.limits.seconds / parts_of_a_page;
  in_time(state.cancel, seconds, [&] {
    for (const explore::Verdict& verdict : others) list.push_back(other_json(state, kernel, verdict));
  });
  return list;
}

}  // namespace trellis::session
