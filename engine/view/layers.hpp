#pragma once
// Drawings in layers that are made in milliseconds however large they are: longest paths give the layers, barycentres
// the order within them (Sugiyama, Tagawa and Toda, 1981), and edges are straight.

#include "engine/view/layout.hpp"

namespace trellis::view {

/// As `lay_out`, but frames stay empty, and lines may cross boxes between their ends.
Layout lay_out_in_layers(const Diagram& diagram);

}  // namespace trellis::view
