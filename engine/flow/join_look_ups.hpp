#pragma once
// Looks an entry up once for statements in a row that ask for the same one, where none of them changes what is found:
//
//   locate p = find A.1 at i { if p >= 0 { S } }          locate p = find A.1 at i {
//   locate p = find A.1 at i { if p >= 0 { T } }    →       if p >= 0 { S; T }
//                                                         }

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow join_look_ups(const Flow& flow);

}  // namespace trellis::flow
