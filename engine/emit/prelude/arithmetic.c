// What the language defines and C does not, for each type.

// Rounds down; the divisor is known to be neither 0 nor -1.
//: floor_div
static inline TYPE floor_div_TYPE(TYPE a, TYPE b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

//: floor_mod
static inline TYPE floor_mod_TYPE(TYPE a, TYPE b) {
  TYPE rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

//: div_signed
static inline TYPE div_TYPE(TYPE a, TYPE b, int32_t *fault, int32_t site) {
  if (b == 0) return record(fault, DIVISION_BY_ZERO, site);
  if (b == -1 && a == LOWEST) return record(fault, DIVISION_OVERFLOW, site);
  return floor_div_TYPE(a, b);
}

//: div_unsigned
static inline TYPE div_TYPE(TYPE a, TYPE b, int32_t *fault, int32_t site) {
  if (b == 0) return record(fault, DIVISION_BY_ZERO, site);
  return a / b;
}

//: mod_signed
static inline TYPE mod_TYPE(TYPE a, TYPE b, int32_t *fault, int32_t site) {
  if (b == 0) return record(fault, DIVISION_BY_ZERO, site);
  return b == -1 ? 0 : floor_mod_TYPE(a, b);
}

//: mod_unsigned
static inline TYPE mod_TYPE(TYPE a, TYPE b, int32_t *fault, int32_t site) {
  if (b == 0) return record(fault, DIVISION_BY_ZERO, site);
  return a % b;
}

//: mod_real
static inline TYPE mod_TYPE(TYPE a, TYPE b) {
  TYPE rest = FMOD(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

//: power_real
static inline TYPE power_TYPE(TYPE x, TYPE y) { return y == 2 ? x * x : y == 3 ? x * x * x : POW(x, y); }

//: power_signed
static inline TYPE power_TYPE(TYPE x, TYPE y) {
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y % 2 != 0 ? -1 : 1) : 0;
  uint64_t result = 1, square = x;
  for (uint64_t rest = y; rest != 0; rest >>= 1, square *= square) {
    if (rest & 1) result *= square;
  }
  return (TYPE)result;
}

//: power_unsigned
static inline TYPE power_TYPE(TYPE x, TYPE y) {
  uint64_t result = 1, square = x;
  for (uint64_t rest = y; rest != 0; rest >>= 1, square *= square) {
    if (rest & 1) result *= square;
  }
  return (TYPE)result;
}

//: square
static inline TYPE square_TYPE(TYPE x) { return x * x; }

//: cube
static inline TYPE cube_TYPE(TYPE x) { return x * x * x; }

//: min
static inline TYPE min_TYPE(TYPE a, TYPE b) { return b < a ? b : a; }

//: max
static inline TYPE max_TYPE(TYPE a, TYPE b) { return a < b ? b : a; }

// 0 and -0 are equal and not the same, not-a-numbers are the same and not equal.
//: same
static inline int same_TYPE(TYPE a, TYPE b) { return a == b ? a != 0 || 1 / a == 1 / b : a != a && b != b; }

//: abs_signed
static inline TYPE abs_TYPE(TYPE x) { return x < 0 ? (TYPE)-x : x; }

//: abs_unsigned
static inline TYPE abs_TYPE(TYPE x) { return x; }

//: sign_signed
static inline TYPE sign_TYPE(TYPE x) { return (x > 0) - (x < 0); }

//: sign_unsigned
static inline TYPE sign_TYPE(TYPE x) { return x != 0; }

//: shift_left
static inline TYPE shl_TYPE(TYPE x, uint64_t count) { return (TYPE)((uint64_t)x << count); }

// From double, saturating; BOUND is the first number above the type's highest.
//: to_signed
static inline TYPE to_TYPE(double x) {
  return x != x ? 0 : x >= BOUND ? HIGHEST : x <= -BOUND ? LOWEST : (TYPE)x;
}

//: to_unsigned
static inline TYPE to_TYPE(double x) {
  return x != x ? 0 : x >= BOUND ? HIGHEST : x <= 0 ? 0 : (TYPE)x;
}
