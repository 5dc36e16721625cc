/*
 * Parts of sums, products and other reductions: their beginning, and how one is added to another. Types and operations
 * are numbered as in format/scalar.hpp and format/operation.hpp. A sum of floating numbers begins with -0, which changes
 * nothing that it is added to.
 */
#include <float.h>
#include <math.h>

enum { RANK_F64, RANK_F32, RANK_I64, RANK_I32, RANK_I16, RANK_U64, RANK_U32, RANK_U8, RANK_BOOL };
enum { RANK_SUM, RANK_PROD, RANK_MIN, RANK_MAX, RANK_ANY, RANK_ALL };

/* `of(TYPE, WIDE, LOWEST, HIGHEST, ZERO)`: integers wrap, which the wide type, without a sign, does. */
#define RANK_FOR_TYPE(type, of)                                                \
  switch (type) {                                                              \
    case RANK_F64: of(double, double, -HUGE_VAL, HUGE_VAL, -0.0) break;        \
    case RANK_F32: of(float, float, -HUGE_VALF, HUGE_VALF, -0.0F) break;       \
    case RANK_I64: of(int64_t, uint64_t, INT64_MIN, INT64_MAX, 0) break;       \
    case RANK_I32: of(int32_t, uint32_t, INT32_MIN, INT32_MAX, 0) break;       \
    case RANK_I16: of(int16_t, uint32_t, INT16_MIN, INT16_MAX, 0) break;       \
    case RANK_U64: of(uint64_t, uint64_t, 0, UINT64_MAX, 0) break;             \
    case RANK_U32: of(uint32_t, uint32_t, 0, UINT32_MAX, 0) break;             \
    case RANK_U8: of(uint8_t, uint32_t, 0, UINT8_MAX, 0) break;                \
    default: of(uint8_t, uint32_t, 0, 1, 0) break; /* truth */                 \
  }

#define RANK_BEGIN(TYPE, WIDE, LOWEST, HIGHEST, ZERO)                                                    \
  {                                                                                                      \
    TYPE value = (TYPE)(ZERO);                                                                           \
    if (operation == RANK_PROD || operation == RANK_ALL) value = (TYPE)1;                                \
    if (operation == RANK_ANY) value = (TYPE)0;                                                          \
    if (operation == RANK_MIN) value = (TYPE)(HIGHEST);                                                  \
    if (operation == RANK_MAX) value = (TYPE)(LOWEST);                                                   \
    for (int64_t k = 0; k < count; k++) ((TYPE *)to)[k] = value;                                         \
  }

#define RANK_ADD(TYPE, WIDE, LOWEST, HIGHEST, ZERO)                                                      \
  for (int64_t k = 0; k < count; k++) {                                                                  \
    const TYPE a = ((const TYPE *)to)[k], b = ((const TYPE *)from)[k];                                   \
    TYPE sum = a;                                                                                        \
    switch (operation) {                                                                                 \
      case RANK_SUM: sum = (TYPE)((WIDE)a + (WIDE)b); break;                                             \
      case RANK_PROD: sum = (TYPE)((WIDE)a * (WIDE)b); break;                                            \
      case RANK_MIN: sum = b < a ? b : a; break;                                                         \
      case RANK_MAX: sum = a < b ? b : a; break;                                                         \
      case RANK_ANY: sum = (TYPE)(a != 0 || b != 0); break;                                              \
      default: sum = (TYPE)(a != 0 && b != 0); break;                                                    \
    }                                                                                                    \
    ((TYPE *)to)[k] = sum;                                                                               \
  }

static void rank_identity(int64_t type, int64_t operation, void *to, int64_t count) {
  RANK_FOR_TYPE(type, RANK_BEGIN)
}

static void rank_combine_elements(int64_t type, int64_t operation, void *to, const void *from, int64_t count) {
  RANK_FOR_TYPE(type, RANK_ADD)
}
