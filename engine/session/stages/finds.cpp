#include "engine/session/stages/finds.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "engine/results/find_cost.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/stages/find_notes.hpp"

namespace trellis::session {
namespace {

using coiterate::Lattice;
using lang::Expr;
using How = lang::Schedule::Find::How;

constexpr How all_ways[] = {How::scan, How::gallop, How::binary, How::hash, How::table};

/// An f64 over sizes and what operands store.
double evaluate(const Expr& e, const cost::Data& data) {
  if (const auto* c = e.as<lang::Constant>()) return c->value.as_double();
  if (const auto* c = e.as<lang::Cast>()) return evaluate(c->operand, data);
  if (const auto* p = e.as<lang::Parameter>()) {
    const auto size = data.sizes.find(p->name);
    return size == data.sizes.end() ? cost::usual_size : static_cast<double>(size->second);
  }
  if (const auto* s = e.as<lang::Stored>()) {
    const auto regions = data.regions.find(s->tensor);
    const auto level = static_cast<std::size_t>(s->level);
    return regions == data.regions.end() || level >= regions->second.size() ? cost::usual_entries
                                                                            : regions->second[level];
  }
  std::vector<format::Value> operands;
  lang::for_each_child(e, [&](const Expr& child) {
    operands.push_back(format::Value::of(format::ScalarType::f64, evaluate(child, data)));
  });
  format::Fault fault = format::Fault::none;
  if (const auto* b = e.as<lang::Binary>()) return format::apply(b->op, operands[0], operands[1], fault).as_double();
  const auto* call = e.as<lang::Call>();
  return call ? format::apply(call->function, operands.data(), static_cast<int>(operands.size())).as_double() : 0;
}

std::string in_time(double nanoseconds) {
  static constexpr std::pair<double, const char*> units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  char text[48];
  for (const auto& [size, name] : units)
    if (nanoseconds >= size) {
      std::snprintf(text, sizeof text, "%.3g %s", nanoseconds / size, name);
      return text;
    }
  std::snprintf(text, sizeof text, "%.3g ns", nanoseconds);
  return text;
}

std::string count(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

class Finds {
 public:
  Finds(const State& state, const Compilation& compilation)
      : compilation_(compilation), data_(data_of(state, compilation)) {}

  std::string text() const {
    std::string all;
    std::set<std::string> told;
    for (const Lattice& lattice : compilation_.lattices)
      for (const Lattice::Operand& operand : lattice.operands) {
        const std::string& name = operand.literal.access.as<lang::Access>()->tensor;
        if (!compilation_.stored.tensor(name) || !told.insert(name).second) continue;
        if (!chosen(name)) all += about(lattice, operand);
      }
    for (const results::FindChoice& choice : compilation_.choices) all += about(choice);
    for (const flow::ScanProof& proof : compilation_.scans) all += in_words(proof) + "\n";
    return all.empty() ? "nothing is found in kernel " + compilation_.kernel.name + ": each loop walks what it needs\n"
                       : all;
  }

 private:
  const results::FindChoice* chosen(const std::string& tensor) const {
    const auto one = std::ranges::find(compilation_.choices, tensor, &results::FindChoice::tensor);
    return one == compilation_.choices.end() ? nullptr : &*one;
  }

  static std::string beside(const Lattice& lattice, const Lattice::Operand& operand) {
    std::string list;
    for (const Lattice::Operand& other : lattice.operands)
      if (&other != &operand && other.role == Lattice::Role::leads)
        list += (list.empty() ? "" : ", ") + other.literal.name;
    return list;
  }

  /// How it is found as things are; empty where it leads alone, or is looked up in no time.
  static std::optional<How> now(const Lattice& lattice, const Lattice::Operand& operand) {
    const auto leads = lattice.with_role(Lattice::Role::leads).size();
    if (operand.role == Lattice::Role::leads && leads < 2) return std::nullopt;
    for (const lang::Schedule::Find& find : lattice.for_().finds)
      if (find.tensor == operand.literal.access.as<lang::Access>()->tensor) return find.how;
    if (operand.role != Lattice::Role::located) return operand.role == Lattice::Role::leads ? How::merge : How::scan;
    if (operand.literal.stored().locate == format::Locate::hash) return How::hash;
    return operand.literal.stored().locate == format::Locate::binary ? std::optional(How::binary) : std::nullopt;
  }

  std::string about(const Lattice& lattice, const Lattice::Operand& operand) const {
    const std::string leads = beside(lattice, operand);
    const auto how = now(lattice, operand);
    if (leads.empty() || !how) return "";
    const std::string& name = operand.literal.access.as<lang::Access>()->tensor;
    const lang::TensorInfo& tensor = *compilation_.stored.tensor(name);
    const auto queries = results::queries_for(compilation_.loops, compilation_.lattices, tensor, compilation_.stored);
    if (queries.empty()) return "";
    std::vector<results::WayToFind> ways;
    for (const How way : all_ways) ways.push_back({way, results::cost_of(way, queries, tensor)});
    const auto& first = queries.front();
    std::string all = operand.literal.name + ", beside " + leads + ": asked for " +
                      count(evaluate(first.asked, data_)) + " times, in " + count(evaluate(first.opened, data_)) +
                      " fibers of " + count(evaluate(first.reached, data_)) + "\n";
    if (*how == How::binary && !operand.why.empty()) all += "  bisected for, as it " + operand.why + "\n";
    return all + table(ways, *how, name);
  }

  std::string about(const results::FindChoice& choice) const {
    return choice.tensor + ": chosen whenever the kernel begins, as it would be now\n" +
           table(choice.ways, std::nullopt, choice.tensor);
  }

  /// `now`: as the kernel does it; nothing: it takes the least.
  std::string table(const std::vector<results::WayToFind>& ways, std::optional<How> now,
                    const std::string& name) const {
    std::vector<double> costs;
    for (const results::WayToFind& way : ways) costs.push_back(evaluate(way.cost, data_));
    const auto best = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
    std::string all;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      std::string line = "  " + std::string(lang::name_of(ways[k].how));
      line.resize(12, ' ');
      std::string cost = in_time(costs[k]);
      cost.insert(0, cost.size() < 8 ? 8 - cost.size() : 0, ' ');
      line += cost;
      const bool merges = now == How::merge && ways[k].how == How::scan;
      if (now == ways[k].how || (!now && k == best)) line += "   now";
      else if (k == best && now)
        line += "   the least: `find " + name + ' ' + std::string(lang::name_of(ways[k].how)) + "`, or `find " + name +
                " auto` to choose whenever the kernel begins";
      if (merges) line += "   now, merging";
      all += line + "\n";
    }
    return all;
  }

  const Compilation& compilation_;
  const cost::Data data_;
};

}  // namespace

std::string finds_of(const State& state, const Compilation& compilation) { return Finds(state, compilation).text(); }

}  // namespace trellis::session
