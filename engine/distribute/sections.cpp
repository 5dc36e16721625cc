#include "engine/distribute/sections.hpp"

#include <algorithm>
#include <set>

#include "engine/distribute/homes.hpp"
#include "engine/distribute/pattern.hpp"
#include "engine/distribute/phases.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;
using schedule::Site;
using schedule::Touch;

class Finder {
 public:
  Finder(Plan& plan, const Nest& nest, text::Span asked, math::Solver& solver, text::Diagnostics& diagnostics)
      : plan_(plan), nest_(nest), asked_(asked), solver_(solver), diagnostics_(diagnostics) {
    for (const Site& site : nest.sites())
      for (const Touch& touch : site.touches)
        if (writes(touch))
          for (const auto& a : site.loops) written_in_[nest.number_of(a)].insert(tensor_of(touch));
  }

  bool find() {
    for (const Site& site : nest_.sites())
      for (const Touch& touch : site.touches) {
        if (is_private(plan_, nest_, site, touch) || !nest_.tensors.contains(tensor_of(touch))) continue;
        if (touch.kind == Touch::Kind::read ? !read(site, touch) : !written(site, touch)) return false;
      }
    for (Exchange& e : plan_.exchanges) {
      if (!merge(e)) return false;
      simplify(e);
    }
    std::erase_if(plan_.exchanges, [](const Exchange& e) { return e.sections.empty(); });
    return true;
  }

 private:
  bool read(const Site& site, const Touch& touch) {
    const Home* home = plan_.home(tensor_of(touch));
    if (!home) return true;
    const std::size_t before = before_loop(site, touch);
    std::vector<Domain> outside = outside_of(elements(site, touch, before), *home);
    if (!outside.empty() && !in_turns(site, touch, *home, "read")) return false;
    hand_on(site, touch, outside);
    if (outside.empty()) return true;
    Exchange& e = at(Exchange::Kind::ghosts, tensor_of(touch), statement_at(site, before), names(site, before));
    note_around(site, before, e.statement);
    add_once(e.reads, schedule_text(touch));
    describe(e, plan_, nest_, site, touch, before);
    std::ranges::move(outside, std::back_inserter(e.sections));
    return true;
  }

  /// What other ranks have of a dimension whose blocks go to ranks in turn comes from one of them at a time.
  bool in_turns(const Site& site, const Touch& touch, const Home& home, const std::string& what) {
    const std::size_t around = loop_place(site, phase_of(plan_, nest_, site));
    for (std::size_t d = 0; d < home.size(); ++d) {
      if (home[d] < 0 || plan_.partitions[static_cast<std::size_t>(home[d])].cyclic == 0) continue;
      const bool known = d < touch.index.size() && touch.index[d];
      bool moves = !known;
      for (std::size_t k = around; known && k < site.loops.size(); ++k)
        moves |= touch.index[d]->mentions(site.loops[k].variable);
      if (!moves ||
          (known && is_at_home(plan_, nest_, site, touch, plan_.partitions[static_cast<std::size_t>(home[d])].ranks)))
        continue;
      diagnostics_
          .error("E0155", asked_,
                 "blocks cannot go to ranks in turn: elements of " + touch.tensor + " that others have are " + what,
                 "its dimension " + std::to_string(d) + " moves within the loop that is dealt out, as something else")
          .notes.push_back({nest_.statements.at(site.statement)->span,
                            schedule_text(touch) + " is " + what + " here; one part each has neighbours"});
      return false;
    }
    return true;
  }

  /// In a pipeline, what the phase writes on ranks that come first is theirs to hand on, block by block; the rest of
  /// what is outside is as it was before the phase.
  void hand_on(const Site& site, const Touch& touch, std::vector<Domain>& outside) {
    const int phase = phase_of(plan_, nest_, site);
    const auto pipeline = plan_.pipelines.find(phase);
    if (pipeline == plan_.pipelines.end() || !written_in_[phase].contains(tensor_of(touch))) return;
    const auto d = dimension_along(plan_, tensor_of(touch), pipeline->second.ranks);
    if (!d) return;
    const Home& home = *plan_.home(tensor_of(touch));
    const Partition& p = plan_.partitions[static_cast<std::size_t>(home[*d])];
    const Affine element = Affine::name(element_name(*d));
    const bool down = pipeline->second.descending;
    const Constraint first = down ? Constraint{Affine::name(p.high), Relation::less_equal, element}
                                  : Constraint{element, Relation::less, Affine::name(p.low)};
    const Constraint later = down ? Constraint{element, Relation::less, Affine::name(p.high)}
                                  : Constraint{Affine::name(p.low), Relation::less_equal, element};
    outside = those_with(later, std::move(outside));
    const std::size_t at_nest = loop_place(site, pipeline->second.nest);
    std::vector<Domain> awaited = those_with(first, outside_of(elements(site, touch, at_nest), home));
    if (awaited.empty()) return;
    Exchange& e = at(Exchange::Kind::ghosts, tensor_of(touch), pipeline->second.nest, names(site, at_nest));
    e.onward = true;
    note_around(site, at_nest, e.statement);
    add_once(e.reads, schedule_text(touch));
    describe(e, plan_, nest_, site, touch, at_nest);
    std::ranges::move(awaited, std::back_inserter(e.sections));
  }

  std::vector<Domain> those_with(const Constraint& c, std::vector<Domain> pieces) {
    for (Domain& piece : pieces) piece.constraints.push_back(c);
    std::erase_if(pieces, [&](const Domain& piece) { return solver_.is_empty(piece); });
    return pieces;
  }

  /// What is written elsewhere than it lives; all of what is whole.
  bool written(const Site& site, const Touch& touch) {
    const int phase = phase_of(plan_, nest_, site);
    if (!plan_.is_shared(phase)) return true;  // by owners, or by all ranks alike
    const Home* home = plan_.home(tensor_of(touch));
    const std::size_t around = loop_place(site, phase);
    std::vector<Domain> elsewhere = elements(site, touch, around);
    if (home && !has_other_copies(site, touch)) elsewhere = outside_of(std::move(elsewhere), *home);
    if (elsewhere.empty()) return true;
    if (home && !in_turns(site, touch, *home, "written")) return false;
    const bool adds = touch.kind == Touch::Kind::update && touch.op != format::ReduceOp::user;
    if (adds && !only_added_to(phase, tensor_of(touch), touch.op))
      return refuse(site, touch, "adds to", "and uses it otherwise as well");
    if (!adds && !surely(site, touch))
      return refuse(site, touch, "writes", "in some iterations only, as its values decide");
    Exchange& e =
        at(adds ? Exchange::Kind::sums : Exchange::Kind::written, tensor_of(touch), phase, names(site, around));
    note_around(site, around, phase);
    e.op = touch.op;
    for (const lang::RanksInfo& ranks : plan_.grid)
      if (place_of(plan_, nest_, site, ranks.name)) add_once(e.along, ranks.name);
    add_once(e.reads, schedule_text(touch));
    e.pattern = adds ? "sum of parts" : "to owners";
    std::ranges::move(elsewhere, std::back_inserter(e.sections));
    return true;
  }

  /// Ranks along which iterations are dealt out, and which all have the elements.
  bool has_other_copies(const Site& site, const Touch& touch) const {
    return std::ranges::any_of(plan_.grid, [&](const lang::RanksInfo& ranks) {
      return place_of(plan_, nest_, site, ranks.name) && !dimension_along(plan_, tensor_of(touch), ranks.name);
    });
  }

  bool refuse(const Site& site, const Touch& touch, const std::string& does, const std::string& why) {
    diagnostics_
        .error("E0151", asked_, "a loop that is dealt out " + does + " elements of " + touch.tensor + " on other ranks",
               why)
        .notes.push_back({nest_.statements.at(site.statement)->span, "here"});
    return false;
  }

  /// Every iteration of the domain writes.
  bool surely(const Site& site, const Touch& touch) const {
    return site.exact && std::ranges::all_of(touch.index, [](const auto& index) { return index.has_value(); }) &&
           !touch.index.empty();
  }

  bool only_added_to(int phase, const Tensor& tensor, std::optional<format::ReduceOp> op) const {
    for (const Site& site : nest_.sites()) {
      if (phase_of(plan_, nest_, site) != phase) continue;
      for (const Touch& touch : site.touches)
        if (tensor_of(touch) == tensor && (touch.kind != Touch::Kind::update || touch.op != op)) return false;
    }
    return true;
  }

  /// What the site touches in the iterations that a rank runs while the loops around, so many, stand still.
  std::vector<Domain> elements(const Site& site, const Touch& touch, std::size_t around) {
    const lang::TensorInfo& info = nest_.tensors.at(tensor_of(touch));
    Domain all{{}, site.domain.constraints};
    std::vector<std::string> onto;
    for (std::size_t k = around; k < site.loops.size(); ++k) all.variables.push_back(site.loops[k].variable);
    const auto add = [&](const std::vector<Constraint>& more) {
      all.constraints.insert(all.constraints.end(), more.begin(), more.end());
    };
    add(touch.guards);
    add(own_iterations(plan_, nest_, site));
    add(part_constraints(plan_.partitions));
    for (std::size_t d = 0; d < info.shape.size(); ++d) {
      const Affine e = Affine::name(element_name(d));
      onto.push_back(element_name(d));
      add({{Affine(0), Relation::less_equal, e}, {e, Relation::less, info.shape[d]}});
      if (d < touch.index.size() && touch.index[d]) add({{e, Relation::equal, *touch.index[d]}});
    }
    all.variables.insert(all.variables.end(), onto.begin(), onto.end());
    return solver_.project(all, onto);
  }

  std::vector<Domain> outside_of(const std::vector<Domain>& elements, const Home& home) {
    const Domain own = own_elements(plan_, home);
    std::vector<Domain> left;
    for (const Domain& piece : elements)
      for (Domain& rest : solver_.without(piece, {own})) left.push_back(std::move(rest));
    return left;
  }

  /// Each element once. False, which is reported, where there are too many ways to come by one.
  bool merge(Exchange& e) {
    std::vector<Domain> disjoint;
    for (const Domain& piece : e.sections) {
      auto left = disjoint.empty() ? std::optional(std::vector<Domain>{piece}) : solver_.without_soon(piece, disjoint);
      if (!left) {
        diagnostics_
            .error("E0151", asked_, "what ranks send each other of " + e.tensor.name + " takes too long to work out",
                   "it is read in too many ways")
            .notes.push_back({nest_.statements.at(e.statement)->span,
                              "by this: use fewer tiles in the loops around, or another order"});
        return false;
      }
      for (Domain& rest : *left)
        if (!solver_.is_empty(rest)) disjoint.push_back(std::move(rest));
    }
    e.sections = std::move(disjoint);
    return true;
  }

  /// Without what holds of every element, of the ends of parts, and where the loops around stand.
  void simplify(Exchange& e) {
    Domain known{{}, part_constraints(plan_.partitions)};
    const lang::TensorInfo& info = nest_.tensors.at(e.tensor);
    for (std::size_t d = 0; d < info.shape.size(); ++d) {
      const Affine name = Affine::name(element_name(d));
      known.variables.push_back(element_name(d));
      known.constraints.push_back({Affine(0), Relation::less_equal, name});
      known.constraints.push_back({name, Relation::less, info.shape[d]});
    }
    const std::vector<Constraint>& around = known_[e.statement];
    known.constraints.insert(known.constraints.end(), around.begin(), around.end());
    for (Domain& piece : e.sections) piece.constraints = solver_.gist(piece, known);
  }

  /// Bounds of the loops around, so many.
  void note_around(const Site& site, std::size_t around, int statement) {
    for (std::size_t k = 0; k < around; ++k) {
      const auto* f = nest_.loop_of[static_cast<std::size_t>(site.loops[k].id)].as<loop::For>();
      const auto bounds = f ? schedule::bounds_of(*f, {}) : std::nullopt;
      for (const Constraint& c : bounds.value_or(std::vector<Constraint>{})) add_once(known_[statement], c);
    }
  }

  static std::size_t loop_place(const Site& site, int number, const Nest& nest) {
    std::size_t k = 0;
    while (k < site.loops.size() && nest.number_of(site.loops[k]) != number) ++k;
    return k;
  }
  std::size_t loop_place(const Site& site, int number) const { return loop_place(site, number, nest_); }

  /// Ghosts come before the outermost loop around the phase that does not write the tensor, in the block that knows it.
  std::size_t before_loop(const Site& site, const Touch& touch) const {
    std::size_t k = loop_place(site, phase_of(plan_, nest_, site));
    const std::size_t known = touch.scope < 0 ? 0 : touch.shared;
    while (k > known) {
      const auto written = written_in_.find(nest_.number_of(site.loops[k - 1]));
      if (written != written_in_.end() && written->second.contains(tensor_of(touch))) break;
      --k;
    }
    return k;
  }

  int statement_at(const Site& site, std::size_t k) const {
    return k < site.loops.size() ? nest_.number_of(site.loops[k]) : site.statement;
  }

  static std::vector<std::string> names(const Site& site, std::size_t around) {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < around; ++k) all.push_back(site.loops[k].variable);
    return all;
  }

  Exchange& at(Exchange::Kind kind, const Tensor& tensor, int statement, std::vector<std::string> around) {
    for (Exchange& e : plan_.exchanges)
      if (e.kind == kind && e.tensor == tensor && e.statement == statement) return e;
    const auto behind =
        std::ranges::find_if(plan_.exchanges, [&](const Exchange& e) { return e.statement > statement; });
    Exchange fresh{kind, tensor, statement, std::move(around)};
    return *plan_.exchanges.insert(behind, std::move(fresh));
  }

  Plan& plan_;
  const Nest& nest_;
  const text::Span asked_;
  math::Solver& solver_;
  text::Diagnostics& diagnostics_;
  std::map<int, std::set<Tensor>> written_in_;    ///< by the number of the loop
  std::map<int, std::vector<Constraint>> known_;  ///< of loops around, by the number of the statement of an exchange
};

}  // namespace

bool find_exchanges(Plan& plan, const Nest& nest, text::Span asked, math::Solver& solver,
                    text::Diagnostics& diagnostics) {
  return Finder(plan, nest, asked, solver, diagnostics).find();
}

}  // namespace trellis::distribute
