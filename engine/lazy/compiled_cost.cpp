#include "engine/lazy/compiled_cost.hpp"

#include "engine/cost/estimate.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/lazy/evaluate.hpp"
#include "engine/lazy/notation.hpp"

namespace trellis::lazy {

namespace {

/// What each level stores: coordinates of its dimension and of those outside of it at which there is anything.
std::vector<double> regions_of(const format::Format& format, const Counted& counted) {
  std::vector<Field> fields;
  for (const auto& degrees : counted.degrees) fields.push_back(fresh_field(static_cast<std::int64_t>(degrees.size())));
  const Statistics stored = at(counted, fields);
  Fields inside = as_set(fields);
  std::vector<double> regions;
  double above = 1;
  for (std::size_t level = 0; level < format.levels.size(); ++level) {
    const Field& field = fields[format::dimension_of(format, level)];
    inside = without(inside, {field});
    const bool full = format::facts(format.levels[level]).full();
    above = full ? above * static_cast<double>(field.size) : reduced(stored, inside).entries;
    regions.push_back(above);
  }
  return regions;
}

class Asking {
 public:
  Asking(const Alternative& plan, const Translated& translated, const CountedTables& counted, Memory memory)
      : plan_(plan), translated_(translated), memory_(memory) {
    for (const auto& [name, format] : translated.lowered.formats)
      if (const auto known = counted.find(name); known != counted.end()) add(name, known->second);
    for (const PlannedQuery& one : plan.queries)
      if (as_set(one.query.fields).size() == one.query.fields.size())
        add(one.query.name, lazy::counted(one.stored, one.query.fields));
  }

  double cycles() {
    double all = 0;
    for (std::size_t q = 0; q < plan_.queries.size(); ++q) all += cycles_of(q);
    return all;
  }

 private:
  void add(const std::string& name, const Counted& counted) {
    const format::Format& format = translated_.lowered.formats.at(name);
    if (!format.layout && !format.all_dense()) data_.regions[name] = regions_of(format, counted);
  }

  double cycles_of(std::size_t number) {
    const PlannedQuery& planned = plan_.queries[number];
    const Compilation& compilation = translated_.compilations[number];
    // Loops are called as the order that was written says it, in the same order.
    const lang::Order order = compilation.kernel.schedule.order.value_or(lang::Order());
    data_.walked.clear();
    for (std::size_t loop = 0; loop < std::min(order.size(), planned.query.order.size()); ++loop)
      if (const auto found = planned.walked.find(planned.query.order[loop]); found != planned.walked.end())
        data_.walked[order[loop].name] = found->second;
    const double elements = Statistics::full(as_set(planned.query.fields)).entries;
    const bool dense = translated_.lowered.formats.at(planned.query.name).all_dense();
    const auto size = static_cast<double>(format::size_of(planned.query.expr->type));
    return cost::estimate_cycles(compilation.flow, data_, {}) + (dense ? first_touch(elements * size, memory_) : 0);
  }

  const Alternative& plan_;
  const Translated& translated_;
  const Memory memory_;
  cost::Data data_;
};

}  // namespace

std::optional<double> compiled_cycles(const Alternative& plan, const Formats& operands, const CountedTables& counted,
                                      Memory memory) {
  text::Sources unseen;
  text::Diagnostics ignored;
  const auto translated = translate(plan.plan(), operands, unseen, ignored);
  if (!translated) return std::nullopt;
  return Asking(plan, *translated, counted, memory).cycles();
}

}  // namespace trellis::lazy
