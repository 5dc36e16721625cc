#include "engine/place/core.hpp"

#include <algorithm>

#include "engine/place/instances.hpp"
#include "engine/place/naming.hpp"
#include "engine/place/placer.hpp"

namespace trellis::place {

std::vector<CoreDependence> dependences_of(const Analysis& analysis) {
  Dependences& dependences = *analysis.dependences;
  const auto& fragments = analysis.fragments.fragments;
  std::vector<CoreDependence> all;
  for (const Fragment& reader : fragments)
    for (int read = 0; read < static_cast<int>(reader.reads.size()); ++read)
      for (const Fragment& writer : fragments) {
        if (writer.temporary || !dependences.meets(writer.id, reader.id, read)) continue;
        CoreDependence d{writer.id,
                         reader.id,
                         read,
                         {},
                         reader.reads[static_cast<std::size_t>(read)].span,
                         analysis.kernel.equations[static_cast<std::size_t>(writer.equation)].left->span};
        if (const auto witness =
                dependences.smallest(dependences.through(writer.id, reader.id, read), writer.id, reader.id))
          d.instance = instance_of(analysis, *witness, writer.id, reader.id);
        all.push_back(std::move(d));
      }
  return all;
}

bool is_legal_under(const Analysis& analysis, const lang::Order& order, const std::vector<CoreDependence>& respected) {
  Dependences lesser(lang::size_assumptions(analysis.program), analysis.fragments);
  const auto& fragments = analysis.fragments.fragments;
  for (const Fragment& writer : fragments)
    for (const Fragment& reader : fragments) {
      if (writer.temporary || !lesser.depends(writer.id, reader.id)) continue;
      std::vector<int> reads;
      for (const CoreDependence& d : respected)
        if (d.writer == writer.id && d.reader == reader.id) reads.push_back(d.read);
      lesser.keep_only(writer.id, reader.id, reads);
    }
  return search(lesser, used_names(analysis.kernel, order), nullptr).success;
}

std::vector<CoreDependence> core(const Analysis& analysis, const lang::Order& order) {
  std::vector<CoreDependence> kept = dependences_of(analysis);
  if (is_legal_under(analysis, order, kept)) return {};
  for (std::size_t k = 0; k < kept.size();) {
    std::vector<CoreDependence> fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (is_legal_under(analysis, order, fewer)) ++k;
    else kept = std::move(fewer);
  }
  return kept;
}

}  // namespace trellis::place
