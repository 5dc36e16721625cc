#include "engine/place/progress.hpp"

#include <algorithm>

#include "engine/place/dependences.hpp"

namespace trellis::place {

Needs needs(const Analysis& analysis) {
  const auto count = static_cast<int>(analysis.fragments.fragments.size());
  std::vector<std::size_t> component(static_cast<std::size_t>(count));
  for (std::size_t c = 0; c < analysis.graph.components.size(); ++c)
    for (const int f : analysis.graph.components[c]) component[static_cast<std::size_t>(f)] = c;
  Needs all(static_cast<std::size_t>(count));
  for (int reader = 0; reader < count; ++reader)
    for (const int writer : analysis.dependences->writers_of(reader))
      if (component[static_cast<std::size_t>(reader)] != component[static_cast<std::size_t>(writer)] &&
          analysis.dependences->depends(writer, reader))
        all[static_cast<std::size_t>(reader)].push_back(writer);
  return all;
}

const char* name_of(Progress::Kind kind) {
  switch (kind) {
    case Progress::Kind::tried: return "tried";
    case Progress::Kind::refused: return "refused";
    case Progress::Kind::placed: return "placed";
    case Progress::Kind::waiting: break;
  }
  return "waiting";
}

namespace {

void follow(const Event& event, std::vector<Progress>& all) {
  for (const int f : event.fragments) {
    Progress& of = all[static_cast<std::size_t>(f)];
    switch (event.kind) {
      case Event::Kind::place: of = {Progress::Kind::placed}; break;
      case Event::Kind::undo: of = {}; break;
      case Event::Kind::attempt:
      case Event::Kind::assume: of = {Progress::Kind::tried}; break;
      case Event::Kind::reject: of = {Progress::Kind::refused, event.text}; break;
      default: break;
    }
  }
  // The search goes back without saying so: what no longer stands in the nest is not placed.
  for (std::size_t f = 0; f < all.size(); ++f)
    if (all[f].kind == Progress::Kind::placed && !stands_in(event.nest, static_cast<int>(f))) all[f] = {};
}

std::vector<Progress> with_whom_they_wait_for(std::vector<Progress> all, const Needs& needs) {
  for (std::size_t f = 0; f < all.size(); ++f)
    if (all[f].kind != Progress::Kind::placed)
      for (const int writer : needs[f])
        if (all[static_cast<std::size_t>(writer)].kind != Progress::Kind::placed) all[f].waits_for.push_back(writer);
  return all;
}

}  // namespace

std::vector<std::vector<Progress>> progress(const Needs& needs, const std::vector<Event>& events) {
  std::vector<Progress> now(needs.size());
  std::vector<std::vector<Progress>> all{with_whom_they_wait_for(now, needs)};
  for (const Event& event : events) {
    follow(event, now);
    all.push_back(with_whom_they_wait_for(now, needs));
  }
  return all;
}

std::vector<Progress> progress(const Needs& needs, const std::vector<Event>& events, std::size_t count) {
  std::vector<Progress> now(needs.size());
  for (std::size_t k = 0; k < std::min(count, events.size()); ++k) follow(events[k], now);
  return with_whom_they_wait_for(std::move(now), needs);
}

}  // namespace trellis::place
