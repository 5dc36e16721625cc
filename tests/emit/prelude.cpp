// The helpers' C: each is there for each type that it is used for, with nothing left of its placeholders.
#include <doctest/doctest.h>

#include "engine/emit/helper_text.hpp"
#include "engine/emit/prelude.hpp"

namespace {

using namespace trellis;
using namespace trellis::emit;
using format::ScalarType;

bool complete(const std::string& text) {
  for (const char* word :
       {"TYPE", "LOWEST", "HIGHEST", "BOUND", "FMOD", "POW", "CRD", "DIVISION", "OUT_OF_RANGE", "TOO_LARGE", "//"})
    if (text.find(word) != std::string::npos) return false;
  return true;
}

}  // namespace

TEST_CASE("of a file of helpers only the C of one is taken") {
  CHECK(helper_text("find_direct") ==
        "static inline int64_t find_direct(const uint8_t *table, int64_t parent, int64_t size, int64_t x) {\n"
        "  return (uint64_t)x < (uint64_t)size && table[parent * size + x] ? parent * size + x : -1;\n"
        "}\n");
  CHECK(helper_text("min", ScalarType::f32) ==
        "static inline float min_f32(float a, float b) { return b < a ? b : a; }\n");
}

TEST_CASE("every helper is complete for every type") {
  for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::i64, ScalarType::i32, ScalarType::u8}) {
    const bool real = format::is_floating(type);
    Prelude prelude(Prelude::Threads::many);
    for (Helper helper = Helper::record; helper <= Helper::to;
         helper = static_cast<Helper>(static_cast<int>(helper) + 1)) {
      const bool for_integers = helper == Helper::floor_div || helper == Helper::floor_mod || helper == Helper::div ||
                                helper == Helper::mod || helper == Helper::shift_left || helper == Helper::to;
      if (real ? !for_integers : helper != Helper::mod_real) prelude.use(helper, type);
    }
    CHECK(complete(prelude.text()));
  }
}

TEST_CASE("every helper of sparse tensors is complete for both widths of coordinates") {
  Prelude prelude(Prelude::Threads::one);
  for (const bool wide : {false, true}) {
    for (const auto sorted : {Prelude::Sorted::rising, Prelude::Sorted::falling, Prelude::Sorted::no})
      prelude.use_find(wide, sorted);
    prelude.use_set_nearest(wide);
    prelude.use_march(wide, false);
    prelude.use_find_end(wide);
    prelude.use_find_hashed(wide);
    prelude.use_sort(wide);
  }
  prelude.use_insert();
  prelude.use_order();
  prelude.use_empty();
  prelude.use_release();
  CHECK(complete(prelude.text()));
}
