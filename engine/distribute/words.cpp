#include "engine/distribute/words.hpp"

#include <algorithm>
#include <set>

#include "engine/distribute/spmd.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Constraint;
using math::Relation;

/// As sections.h numbers them.
enum Relations : std::int64_t { at_least, equal, other };

class Writer {
 public:
  Writer(const Plan& plan, const std::vector<std::string>& more) : plan_(plan) {
    for (const Exchange& e : plan.exchanges) keyed_.push_back(keyed(e));
    std::set<std::string> names(more.begin(), more.end());
    for (const Partition& p : plan.partitions) p.base.collect_names(names);
    for (const auto& [tensor, info] : plan.tensors)
      if (is_flat(info)) {
        for (const Affine& size : info.shape) size.collect_names(names);
        words_.tensors.emplace(tensor, std::ssize(words_.tensors));
      }
    for (const Keyed& k : keyed_)
      for (const math::Domain& section : k.sections)
        for (const Constraint& c : section.constraints) c.left.collect_names(names);
    for (const Partition& p : plan.partitions) names.erase(p.low), names.erase(p.high);
    std::erase_if(names, [](const std::string& name) { return name.starts_with('#'); });
    words_.sizes.assign(names.begin(), names.end());
    for (const std::string& name : words_.sizes) symbols_.emplace(name, std::ssize(symbols_));
    const auto sizes = std::ssize(symbols_);
    for (std::size_t k = 0; k < plan.partitions.size(); ++k) {  // where sizes differ by a number an end may be the same
      symbols_.emplace(plan.partitions[k].low, sizes + 2 * static_cast<std::int64_t>(k));
      symbols_.emplace(plan.partitions[k].high, sizes + 2 * static_cast<std::int64_t>(k) + 1);
    }
    words_.symbols = symbols_;
    first_key_ = sizes + 2 * std::ssize(plan.partitions);
  }

  Words write() {
    auto& out = words_.plan;
    out = {std::ssize(plan_.grid), std::ssize(words_.sizes), std::ssize(plan_.partitions), std::ssize(words_.tensors),
           std::ssize(plan_.exchanges)};
    std::size_t place = out.size();
    out.resize(place + plan_.partitions.size() + words_.tensors.size() + plan_.exchanges.size());
    const auto here = [&] { out[place++] = std::ssize(out); };
    for (const Partition& p : plan_.partitions) {
      here();
      out.push_back(dimension(p.ranks));
      form(p.base);
      out.insert(out.end(), {p.extra, p.cyclic, p.parts});
    }
    for (const auto& [tensor, number] : words_.tensors) here(), write(tensor);
    for (std::size_t k = 0; k < plan_.exchanges.size(); ++k) here(), write(plan_.exchanges[k], keyed_[k]);
    return std::move(words_);
  }

 private:
  static bool is_flat(const lang::TensorInfo& info) { return info.format.all_dense() && !info.format.layout; }

  std::int64_t dimension(const std::string& ranks) const {
    return std::ranges::find(plan_.grid, ranks, &lang::RanksInfo::name) - plan_.grid.begin();
  }

  void form(const Affine& a) {
    auto& out = words_.plan;
    out.push_back(a.constant);
    out.push_back(std::ssize(a.terms));
    for (const auto& [name, coefficient] : a.terms) out.push_back(symbols_.at(name)), out.push_back(coefficient);
    out.push_back(std::ssize(a.quotients));
    for (const math::Quotient& q : a.quotients) {
      out.insert(out.end(), {q.coefficient, q.kind == math::Quotient::Kind::mod, q.divisor});
      form(*q.numerator);
    }
  }

  void write(const Tensor& tensor) {
    const lang::TensorInfo& info = plan_.tensors.at(tensor);
    const Home* home = plan_.home(tensor);
    words_.plan.insert(words_.plan.end(),
                       {static_cast<std::int64_t>(info.type), static_cast<std::int64_t>(format::size_of(info.type)),
                        std::ssize(info.shape)});
    for (const std::size_t d : order(info)) {
      words_.plan.push_back(home ? (*home)[d] : -1);
      form(info.shape[d]);
    }
  }

  static std::vector<std::size_t> order(const lang::TensorInfo& info) {
    std::vector<std::size_t> dimensions;
    for (std::size_t level = 0; level < info.shape.size(); ++level)
      dimensions.push_back(format::dimension_of(info.format, level));
    return dimensions;
  }

  void write(const Exchange& e, const Keyed& keyed) {
    std::int64_t along = 0;
    for (const std::string& ranks : e.along) along |= std::int64_t{1} << dimension(ranks);
    if (e.kind == Exchange::Kind::ghosts) along = e.pattern == "from one" && !e.onward;
    words_.plan.insert(words_.plan.end(), {static_cast<std::int64_t>(e.kind), words_.tensors.at(e.tensor),
                                           e.op ? static_cast<std::int64_t>(*e.op) : -1, along, std::ssize(keyed.keys),
                                           std::ssize(keyed.sections)});
    for (std::size_t k = 0; k < most_keys; ++k) symbols_[key_name(k)] = first_key_ + static_cast<std::int64_t>(k);
    const std::vector<std::size_t> dimensions = order(plan_.tensors.at(e.tensor));
    for (std::size_t level = 0; level < dimensions.size(); ++level)
      symbols_[element_name(dimensions[level])] = first_key_ + static_cast<std::int64_t>(most_keys + level);
    for (const math::Domain& section : keyed.sections) {
      words_.plan.push_back(std::ssize(section.constraints));
      for (const Constraint& c : section.constraints) constraint(c, dimensions);
    }
  }

  void constraint(const Constraint& c, const std::vector<std::size_t>& dimensions) {
    Affine left = c.left - c.right;
    std::int64_t relation = at_least;
    switch (c.relation) {
      case Relation::less: left = -left - Affine(1); break;
      case Relation::less_equal: left = -left; break;
      case Relation::equal: relation = equal; break;
      case Relation::not_equal: relation = other; break;
      case Relation::greater_equal: break;
      case Relation::greater: left = left - Affine(1); break;
    }
    std::int64_t level = -1, coefficient = 0;
    for (std::size_t k = 0; k < dimensions.size(); ++k)
      if (left.mentions(element_name(dimensions[k]))) level = static_cast<std::int64_t>(k);
    if (level >= 0) {
      const std::string name = element_name(dimensions[static_cast<std::size_t>(level)]);
      const bool plain =
          std::ranges::none_of(left.quotients, [&](const auto& q) { return q.numerator->mentions(name); });
      if (plain) coefficient = left.coefficient(name);
      left = left - Affine::name(name, coefficient);
    }
    auto& out = words_.plan;
    const std::size_t begin = out.size();
    out.insert(out.end(), {0, relation, level, coefficient});
    form(left);
    out[begin] = static_cast<std::int64_t>(out.size() - begin);
  }

  const Plan& plan_;
  std::vector<Keyed> keyed_;
  Words words_;
  std::map<std::string, std::int64_t> symbols_;
  std::int64_t first_key_ = 0;
};

}  // namespace

Words words_of(const Plan& plan, const std::vector<std::string>& more) { return Writer(plan, more).write(); }

}  // namespace trellis::distribute
