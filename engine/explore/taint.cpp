#include "engine/explore/taint.hpp"

#include <algorithm>

namespace trellis::explore {
namespace {

/// What is spoiled as the steps are taken.
class Spoiling {
 public:
  Spoiling(const Trace& trace, const std::set<std::string>& defined) : trace_(trace), defined_(defined) {}

  Taints all() {
    for (std::size_t k = 0; k < trace_.steps.size(); ++k) {
      evaluate_premises(k);
      const Trace::Step& step = trace_.steps[k];
      if (!step.starts.empty()) held_[step.starts].clear();
      const Taint worst = std::max(of_reads(step.reads), of_premises(step.premises));
      if (step.write) step.write->each_element([&](const tensor::Index& at) { held_[step.write->tensor][at] = worst; });
      taints_.steps.push_back(worst);
    }
    evaluate_premises(trace_.steps.size());
    return std::move(taints_);
  }

 private:
  Taint of_reads(const std::vector<Trace::Touch>& reads) {
    Taint worst = Taint::none;
    for (const Trace::Touch& read : reads) {
      const auto& of = held_[read.tensor];
      read.each_element([&](const tensor::Index& element) {
        const auto known = of.find(element);
        if (known != of.end()) worst = std::max(worst, known->second);
        const bool has_value = known != of.end() || defined_.contains(read.tensor);
        if (read.early) worst = std::max(worst, has_value ? Taint::stale : Taint::undefined);
      });
    }
    return worst;
  }
  Taint of_premises(const std::vector<std::size_t>& numbers) const {
    Taint worst = Taint::none;
    for (const std::size_t number : numbers) worst = std::max(worst, premises_[number]);
    return worst;
  }
  // Those that are evaluated before that step.
  void evaluate_premises(std::size_t step) {
    while (premises_.size() < trace_.premises.size() && trace_.premises[premises_.size()].step <= step) {
      const Trace::Premise& premise = trace_.premises[premises_.size()];
      premises_.push_back(std::max(of_reads(premise.reads), of_premises(premise.around)));
      if (premise.decides) decide(premise, premises_.back());
    }
  }
  void decide(const Trace::Premise& premise, Taint taint) {
    for (const Trace::Touch& target : premise.targets) {
      auto& of = held_[target.tensor];
      const auto known = of.find(target.index);
      // What has no value yet is not chosen by leaving it so.
      if (known == of.end() && !defined_.contains(target.tensor)) continue;
      if (taint <= (known == of.end() ? Taint::none : known->second)) continue;
      of[target.index] = taint;
      taints_.chosen.push_back({premise.step, target.tensor, target.index, taint});
    }
  }

  const Trace& trace_;
  const std::set<std::string>& defined_;
  std::map<std::string, std::map<tensor::Index, Taint>> held_;  // of the elements that are written
  std::vector<Taint> premises_;                                 // of those that have been evaluated
  Taints taints_;
};

}  // namespace

const char* name_of(Taint taint) {
  switch (taint) {
    case Taint::none: return "right";
    case Taint::stale: return "of values that were not complete";
    case Taint::undefined: return "undefined";
  }
  return "";
}

Taints taints(const Trace& trace, const std::set<std::string>& defined) { return Spoiling(trace, defined).all(); }

}  // namespace trellis::explore
