#pragma once
// The C of the helpers, which stands in prelude/*.c:
//
//   // Remarks, which are not printed.
//   //: floor_div
//   static inline TYPE floor_div_TYPE(TYPE a, TYPE b) { … }
//
// A text reaches from its name to the next remark. Words in capitals stand for what differs from one use to another:
//
//   TYPE, _TYPE                       a C type, and the end of the names of what exists for each type
//   LOWEST, HIGHEST, BOUND            of an integer type; the first double above it
//   FMOD, POW                         the function of <math.h> for the type
//   CRD, _CRD                         the type of coordinates, and the end of such names
//   DIVISION_BY_ZERO, …               FaultKind

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/format/scalar.hpp"

namespace trellis::emit {

extern const std::vector<std::string_view> prelude_files;

/// Of abi/.
extern const std::string_view file_trellis_tensor_h, file_trellis_ranks_h, file_example_c, file_makefile,
    file_cmakelists_txt;
/// What of the headers a unit has that includes none.
std::string tensor_declarations();
std::string ranks_declarations();

std::string helper_text(std::string_view name);

/// For tensors whose coordinates are int32_t, or int64_t when `wide`.
std::string helper_text(std::string_view name, bool wide);
/// The end of its name.
std::string_view ending_of(bool wide);

/// For one element type; FMOD and POW are left to the caller.
std::string helper_text(std::string_view name, format::ScalarType type);

void replace_all(std::string& text, std::string_view from, std::string_view to);

}  // namespace trellis::emit
