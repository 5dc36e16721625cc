#include "engine/flow/look_ups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/flow/paths.hpp"

namespace trellis::flow {

namespace {

constexpr double usual_size = 1000, usual_entries = 10, usual_iterations = 10;

class Finder {
 public:
  Finder(const Flow& flow, const std::map<std::string, std::int64_t>& sizes) : flow_(flow), sizes_(sizes) {}

  LookUps run() {
    visit(flow_.root);
    return std::move(found_);
  }

 private:
  /// The loops that the coordinate varies with, by their depth.
  std::set<int> depths(const Expr& coordinate) const {
    std::set<int> found;
    const auto look = [&](const auto& self, const Expr& e) -> void {
      if (const auto* n = e.as<Name>()) {
        const auto loop = std::find(loops_.begin(), loops_.end(), n->name);
        if (loop != loops_.end()) found.insert(static_cast<int>(loop - loops_.begin()));
      }
      if (const auto* v = e.as<Value>())
        for (const Expr& inner : paths_.of(v->position)) self(self, inner);
      for_each_child(e, [&](const Expr& child) { self(self, child); });
    };
    look(look, coordinate);
    return found;
  }

  void look_up(const Locate& locate, const Path& path, text::Span span) {
    const Tensor& tensor = *flow_.tensor(locate.tensor);
    LookUp one{tensor.name,
               element_text(tensor, path),
               loops_,
               tensor.levels[static_cast<std::size_t>(locate.level)].facts,
               {},
               {},
               times_,
               counted_,
               span,
               !locate.march.empty() && !locate.returns,
               locate.held.has_value()};
    std::set<int> above;
    for (std::size_t level = 0; level + 1 < path.size(); ++level) above.merge(depths(path[level]));
    one.again = above.size() < loops_.size();
    const std::set<int> own = depths(path.back());
    std::set<int> asking = own;
    asking.insert(above.begin(), above.end());
    one.repeated = asking.size() < loops_.size() && std::ranges::all_of(asking, [&](int depth) {
                     return visits_[static_cast<std::size_t>(depth)] == Visits::all;
                   });
    if (!own.empty() && !above.empty() && *own.rbegin() < *above.rbegin()) {
      one.outer = loops_[static_cast<std::size_t>(*own.rbegin())];
      one.inner = loops_[static_cast<std::size_t>(*above.rbegin())];
    }
    const auto same = std::find_if(found_.all.begin(), found_.all.end(),
                                   [&](const LookUp& l) { return l.element == one.element && l.loops == one.loops; });
    if (same == found_.all.end()) found_.all.push_back(std::move(one));
    else same->times = std::max(same->times, one.times), same->counted.reset();
  }

  enum class Visits { all, entries };

  template <class Inside>
  void repeated(const std::string& variable, std::optional<double> range, Visits visits, Inside&& inside,
                double leads = 1) {
    const double otherwise = variable.empty()        ? usual_iterations
                             : visits == Visits::all ? usual_size
                                                     : usual_entries * leads;
    const double outside = times_;
    const std::optional<double> counted_outside = counted_;
    times_ *= range.value_or(otherwise);
    counted_ = counted_ && range ? std::optional(*counted_ * *range) : std::nullopt;
    if (!variable.empty()) loops_.push_back(variable), visits_.push_back(visits);
    inside();
    if (!variable.empty()) loops_.pop_back(), visits_.pop_back();
    times_ = outside;
    counted_ = counted_outside;
  }

  std::optional<double> bound(const Expr& e) const {
    if (const auto* c = e.as<Constant>()) return static_cast<double>(c->value.integer);
    const auto* n = e.as<Name>();
    const auto size = n && n->kind == Name::Kind::size ? sizes_.find(n->name) : sizes_.end();
    return size == sizes_.end() ? std::nullopt : std::optional(static_cast<double>(size->second));
  }

  std::optional<double> range(const Expr& low, const Expr& high) const {
    const auto from = bound(low), to = bound(high);
    return from && to ? std::optional(std::max(*to - *from, 0.0)) : std::nullopt;
  }

  std::optional<double> iterations(const Loop& l) const {
    const auto all = l.until ? std::nullopt : range(l.low, l.high);
    return all ? std::optional(iterations_in(l, *all)) : std::nullopt;
  }

  void visit(const Stmt& s) {
    const auto inside = [&] {
      for_each_child(
          s, [&](const Stmt& child) { visit(child); }, [](const Expr&) {});
    };
    // What counts entries walks and finds what the body does.
    s.match(
        [&](const Loop& l) {
          paths_.enter(l);
          if (l.among) return repeated(l.variable, {}, Visits::entries, [&] { visit(l.body); });
          repeated(l.variable, iterations(l), Visits::all, [&] { visit(l.body); });
        },
        [&](const While&) { repeated("", {}, Visits::all, inside); },
        [&](const Coiterate& c) {
          paths_.enter(c);
          for (const Coiterate::Point& point : c.points) {
            if (point.leads.empty())
              repeated(c.variable, range(c.low, c.high), Visits::all, [&] { visit(point.body); });
            else
              repeated(
                  c.variable, {}, Visits::entries, [&] { visit(point.body); }, static_cast<double>(point.leads.size()));
          }
        },
        [&](const Let& l) {
          paths_.enter(l);
          inside();
        },
        [&](const Locate& l) {
          paths_.enter(l);
          look_up(l, paths_.of_entry(l.name), s->span);
          inside();
        },
        [&](const Insert& i) {
          paths_.enter(i);
          inside();
        },
        [&](const Test& t) { either(t.then, t.otherwise); }, [&](const If& i) { either(i.then, i.otherwise); },
        [&](const Assign&) {}, [&](const Append&) {}, [&](const auto&) { inside(); });
  }

  /// What is behind a condition happens at most so often.
  void either(const Stmt& then, const std::optional<Stmt>& otherwise) {
    const std::optional<double> outside = std::exchange(counted_, std::nullopt);
    visit(then);
    if (otherwise) visit(*otherwise);
    counted_ = outside;
  }

  const Flow& flow_;
  const std::map<std::string, std::int64_t>& sizes_;
  Paths paths_;
  std::vector<std::string> loops_;
  std::vector<Visits> visits_;  ///< of each loop
  double times_ = 1;
  std::optional<double> counted_ = 1;
  LookUps found_;
};

}  // namespace

double LookUps::avoidable() const {
  double sum = 0;
  for (const LookUp& one : all)
    if (one.searches() && one.against_storage()) sum += one.times;
  return sum;
}

LookUps look_ups(const Flow& flow, const std::map<std::string, std::int64_t>& sizes) {
  return Finder(flow, sizes).run();
}

}  // namespace trellis::flow
