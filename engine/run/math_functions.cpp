#include "engine/run/math_functions.hpp"

#include <cmath>

namespace trellis::run {
namespace {

MathFunction function(const char* name, double (*wide)(double), float (*narrow)(float), bool exact) {
  return {name, reinterpret_cast<const void*>(wide), reinterpret_cast<const void*>(narrow), exact};
}
MathFunction function(const char* name, double (*wide)(double, double), float (*narrow)(float, float), bool exact) {
  return {name, reinterpret_cast<const void*>(wide), reinterpret_cast<const void*>(narrow), exact};
}
MathFunction function(const char* name, double (*wide)(double, double, double), float (*narrow)(float, float, float),
                      bool exact) {
  return {name, reinterpret_cast<const void*>(wide), reinterpret_cast<const void*>(narrow), exact};
}

#define TRELLIS_FUNCTION(name, exact) function(#name, &::name, &::name##f, exact)

}  // namespace

std::span<const MathFunction> math_functions() {
  static const MathFunction all[] = {
      TRELLIS_FUNCTION(sqrt, true),   TRELLIS_FUNCTION(cbrt, false),    TRELLIS_FUNCTION(exp, false),
      TRELLIS_FUNCTION(exp2, false),  TRELLIS_FUNCTION(expm1, false),   TRELLIS_FUNCTION(log, false),
      TRELLIS_FUNCTION(log2, false),  TRELLIS_FUNCTION(log10, false),   TRELLIS_FUNCTION(log1p, false),
      TRELLIS_FUNCTION(sin, false),   TRELLIS_FUNCTION(cos, false),     TRELLIS_FUNCTION(tan, false),
      TRELLIS_FUNCTION(asin, false),  TRELLIS_FUNCTION(acos, false),    TRELLIS_FUNCTION(atan, false),
      TRELLIS_FUNCTION(sinh, false),  TRELLIS_FUNCTION(cosh, false),    TRELLIS_FUNCTION(tanh, false),
      TRELLIS_FUNCTION(erf, false),   TRELLIS_FUNCTION(floor, true),    TRELLIS_FUNCTION(ceil, true),
      TRELLIS_FUNCTION(round, true),  TRELLIS_FUNCTION(rint, true),     TRELLIS_FUNCTION(trunc, true),
      TRELLIS_FUNCTION(fabs, true),   TRELLIS_FUNCTION(pow, false),     TRELLIS_FUNCTION(atan2, false),
      TRELLIS_FUNCTION(hypot, false), TRELLIS_FUNCTION(fmod, true),     TRELLIS_FUNCTION(fmin, true),
      TRELLIS_FUNCTION(fmax, true),   TRELLIS_FUNCTION(copysign, true), TRELLIS_FUNCTION(fma, true),
  };
  return all;
}

}  // namespace trellis::run
