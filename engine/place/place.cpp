#include "engine/place/place.hpp"

#include <algorithm>
#include <cassert>

#include "engine/place/certificate.hpp"
#include "engine/place/definitions.hpp"
#include "engine/place/failure.hpp"
#include "engine/place/graph.hpp"
#include "engine/place/nest.hpp"
#include "engine/place/placer.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

std::string shape_text(const lang::TensorInfo& temporary) {
  if (temporary.shape.empty()) return temporary.name + " is a scalar";
  std::string out;
  for (const math::Affine& size : temporary.shape) out += (out.empty() ? "" : ",") + math::to_string(size);
  return temporary.name + " is " + temporary.name + "(" + out + ")";
}

}  // namespace

std::optional<Analysis> analyse(const lang::Program& program, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  Analysis analysis{program, kernel, fragment(program, kernel), {}, nullptr};
  analysis.dependences = std::make_shared<Dependences>(lang::size_assumptions(program), analysis.fragments);
  analysis.graph = build_graph(kernel, *analysis.dependences);
  const std::size_t before = diagnostics.all().size();
  check_overlaps(analysis, diagnostics);
  check_ranges(analysis, usual_sizes(analysis.program), diagnostics);
  if (diagnostics.all().size() == before) check_well_founded(analysis, diagnostics);
  if (diagnostics.all().size() != before) return std::nullopt;
  return analysis;
}

Placement place(const Analysis& analysis, const lang::Order& order) {
  std::vector<Event> events;
  const lang::Order used = used_names(analysis.kernel, order);
  const Search found = search(*analysis.dependences, used, &events);
  if (!found.success) return Rejected{order, explain(analysis, found, used), std::move(events)};
  const std::vector<Initialiser> initialisers = place_initialisers(found.tree, *analysis.dependences);
  const BufferPlan buffers = plan_buffers(analysis, found.tree, initialisers);
  auto proof = certify(found.tree, *analysis.dependences, initialisers, analysis, buffers);
  if (const auto* broken = std::get_if<std::string>(&proof)) {
    assert(false && "a placement without a certificate");
    Rejected rejected{order, {}, std::move(events)};
    rejected.failure.reason = "could not be certified: " + *broken + " (a bug of this compiler)";
    return rejected;
  }
  Nest nest = build_nest(analysis, found.tree, initialisers, buffers);
  const Sketch whole = sketch(found.tree);
  for (const Initialiser& i : initialisers) {
    if (!analysis.fragments.fragments[static_cast<std::size_t>(i.fragment)].temporary) continue;
    for (const lang::TensorInfo& t : nest.temporaries) {
      if (t.name != analysis.fragments.fragments[static_cast<std::size_t>(i.fragment)].write.tensor) continue;
      events.push_back({Event::Kind::shrink, static_cast<int>(i.depth), {i.fragment}, "", shape_text(t), whole});
    }
  }
  Placed placed{order, loop::number(nest.stmt), std::move(nest.temporaries), std::move(events), std::get<Certificate>(proof), {}};
  for (const Buffers& b : buffers) {
    placed.events.push_back(
        {Event::Kind::shrink, 0, fragments_that_write(analysis.fragments, b.tensor), "", in_words(b), whole});
    if (b.obstacle) placed.not_in_place.emplace(b.tensor, *b.obstacle);
  }
  return placed;
}

lang::Order completed(const Analysis& analysis, const lang::Order& order) {
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
  return search(*analysis.dependences, used_names(analysis.kernel, order), nullptr).success;
}

}  // namespace trellis::place
