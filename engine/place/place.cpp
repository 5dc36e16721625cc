#include "engine/place/place.hpp"

#include <algorithm>
#include <cassert>
#include <climits>

#include "engine/lang/push_shapes.hpp"
#include "engine/place/certificate.hpp"
#include "engine/place/definitions.hpp"
#include "engine/place/failure.hpp"
#include "engine/place/for_all_sizes.hpp"
#include "engine/place/graph.hpp"
#include "engine/place/in_place.hpp"
#include "engine/place/nest.hpp"
#include "engine/place/placer.hpp"
#include "engine/place/read_kept.hpp"
#include "engine/place/tiles.hpp"
#include "engine/place/wavefront.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

std::string shape_text(const lang::TensorInfo& temporary) {
  if (temporary.shape.empty()) return temporary.name + " is a scalar";
  std::string out;
  for (const math::Affine& size : temporary.shape) out += (out.empty() ? "" : ",") + math::to_string(size);
  return temporary.name + " is " + temporary.name + "(" + out + ")";
}

/// A tree with all that follows from it.
struct Found {
  Search search;
  std::vector<Event> events;
  std::vector<Initialiser> initialisers;
  BufferPlan buffers;
};

Found searched(const Analysis& analysis, const lang::Order& order, const std::vector<std::string>& in_place,
               Events events, Fusing fusing) {
  Found found;
  found.search = search(*analysis.dependences, order, events == Events::kept ? &found.events : nullptr, fusing);
  if (!found.search.success) return found;
  found.initialisers = place_initialisers(found.search.tree, *analysis.dependences);
  found.buffers = plan_buffers(analysis, found.search.tree, found.initialisers, in_place);
  return found;
}

bool keeps_steps(const BufferPlan& plan) {
  return std::ranges::any_of(plan, [](const Buffers& b) { return b.slots == Buffers::all_steps; });
}

/// Fewer buffers for a tensor, and no more for any.
bool saves(const BufferPlan& plan, const BufferPlan& than) {
  bool fewer = false;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    const auto slots = [&](const BufferPlan& p) { return p[k].slots == Buffers::all_steps ? INT_MAX : p[k].slots; };
    if (slots(plan) > slots(than)) return false;
    fewer |= slots(plan) < slots(than);
  }
  return fewer;
}

}  // namespace

std::optional<Analysis> analyse(const lang::Program& program, const lang::Kernel& written,
                                text::Diagnostics& diagnostics) {
  const auto along = along_fronts(program, written, diagnostics);
  if (!along) return std::nullopt;
  const lang::Kernel& kernel = *along;
  auto pushed = lang::push_shapes(program, kernel, diagnostics);
  if (!pushed) return std::nullopt;
  lang::Program assuming = lang::assuming(program, pushed->assumed);
  pushed->kernel = read_kept(assuming, std::move(pushed->kernel));
  Fragments fragments = fragment(assuming, pushed->kernel);
  Analysis analysis{std::move(assuming), std::move(pushed->kernel), std::move(fragments), {}, nullptr};
  analysis.dependences = std::make_shared<Dependences>(lang::size_assumptions(analysis.program), analysis.fragments);
  analysis.graph = build_graph(analysis.kernel, *analysis.dependences);
  const std::size_t before = diagnostics.all().size();
  check_overlaps(analysis, diagnostics);
  check_ranges(analysis, usual_sizes(analysis.program), diagnostics);
  if (diagnostics.all().size() == before) check_well_founded(analysis, diagnostics);
  if (diagnostics.all().size() != before) return std::nullopt;
  if (!pushed->assumed.empty()) analysis.for_all_sizes = for_all_sizes(program, kernel, analysis);
  return analysis;
}

Placement place(const Analysis& analysis, const lang::Order& order) { return place(analysis, order, {}); }

Placement place(const Analysis& analysis, const lang::Order& order, const std::vector<std::string>& in_place,
                Events wanted) {
  if (const auto fitting = tiled(analysis, order)) return place(*fitting, order, in_place, wanted);
  const lang::Order used = used_names(analysis.kernel, order);
  Found all = searched(analysis, used, in_place, wanted, Fusing::keeping_foralls);
  if (!all.search.success) return Rejected{order, explain(analysis, all.search, used), std::move(all.events)};
  if (keeps_steps(all.buffers)) {
    Found folded = searched(analysis, used, in_place, wanted, Fusing::folding_steps);
    if (folded.search.success && saves(folded.buffers, all.buffers)) all = std::move(folded);
  }
  auto& [search, events, initialisers, buffers] = all;
  auto proof = certify(search.tree, *analysis.dependences, initialisers, analysis, buffers);
  if (const auto* broken = std::get_if<std::string>(&proof)) {
    assert(false && "a placement without a certificate");
    Rejected rejected{order, {}, std::move(events)};
    rejected.failure.reason = "could not be certified: " + *broken + " (a bug of this compiler)";
    return rejected;
  }
  Nest nest = build_nest(analysis, search.tree, initialisers, buffers);
  const Sketch whole = wanted == Events::kept ? sketch(search.tree) : Sketch();
  const auto shrunk = [&](int depth, std::vector<int> about, std::string words) {
    if (wanted == Events::kept)
      events.push_back({Event::Kind::shrink, depth, std::move(about), "", std::move(words), whole});
  };
  for (const Initialiser& i : initialisers) {
    if (!analysis.fragments.fragments[static_cast<std::size_t>(i.fragment)].temporary) continue;
    for (const lang::TensorInfo& t : nest.temporaries) {
      if (t.name != analysis.fragments.fragments[static_cast<std::size_t>(i.fragment)].write.tensor) continue;
      shrunk(static_cast<int>(i.depth), {i.fragment}, shape_text(t));
    }
  }
  for (const Buffers& b : buffers) shrunk(0, fragments_that_write(analysis.fragments, b.tensor), in_words(b));
  Placed placed{
      order, loop::number(nest.stmt), std::move(nest.temporaries), std::move(events), std::get<Certificate>(proof), {}};
  for (const Buffers& b : buffers) {
    placed.steps.push_back({b.tensor, in_words(b), b.because});
    if (b.obstacle) placed.not_in_place.emplace(b.tensor, *b.obstacle);
  }
  return placed;
}

lang::Order completed(const Analysis& analysis, const lang::Order& order) {
  if (const auto fitting = tiled(analysis, order)) return completed(*fitting, order);
  const auto lists = [](const lang::Order& o, const std::string& name) {
    return std::ranges::find(o, name, &lang::LoopName::name) != o.end();
  };
  const std::vector<std::string> variables = analysis.kernel.variables();
  lang::Order all = order;
  while (!std::ranges::all_of(variables, [&](const std::string& v) { return lists(all, v); })) {
    const Search found = search(*analysis.dependences, used_names(analysis.kernel, all), nullptr);
    if (found.success) break;
    const std::vector<std::string> missing = unlisted(found, analysis.fragments);
    const std::size_t before = all.size();
    for (const std::string& v : variables)
      if (contains(missing, v) && !lists(all, v)) all.push_back({v, false});
    if (all.size() == before) break;
  }
  return all;
}

bool is_legal(const Analysis& analysis, const lang::Order& order) {
  if (const auto fitting = tiled(analysis, order)) return is_legal(*fitting, order);
  return search(*analysis.dependences, used_names(analysis.kernel, order), nullptr).success;
}

}  // namespace trellis::place
