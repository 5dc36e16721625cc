// The table of levels: what each one says of itself, and which facts go together.
#include <doctest/doctest.h>

#include "engine/format/level.hpp"

using namespace trellis::format;

namespace {

Facts of(const char* name) { return facts(Level{name, {}}); }

}  // namespace

TEST_CASE("levels of runs, blocks and single regions: their facts") {
  CHECK(of("rle").region == Region::run);
  CHECK(of("sparse_rle").region == Region::run);
  CHECK(of("interval").region == Region::run);
  CHECK(of("vbl").region == Region::block);
  CHECK(of("band").region == Region::block);
  CHECK(of("pinpoint").region == Region::point);
  for (const char* name : {"rle", "sparse_rle", "vbl"}) {
    CHECK(of(name).positions);
    CHECK(of(name).locate == Locate::binary);
    CHECK_FALSE(of(name).single);
  }
  for (const char* name : {"interval", "band", "pinpoint"}) {
    CHECK(of(name).per_parent());
    CHECK(of(name).locate == Locate::one);
    CHECK(of(name).single);
    CHECK_FALSE(of(name).covaries());
  }
  CHECK(of("singleton").covaries());
}

TEST_CASE("full, dense and padding are three questions") {
  CHECK((of("dense").full() && of("dense").dense() && of("dense").pads));
  CHECK((of("rle").full() && !of("rle").dense() && of("rle").pads));
  CHECK((!of("band").full() && !of("band").dense() && of("band").pads));
  CHECK((!of("bytemap").full() && !of("bytemap").dense() && !of("bytemap").pads));
  for (const char* name : {"compressed", "singleton", "hashed", "sparse_rle", "interval", "vbl", "pinpoint"})
    CHECK((!of(name).full() && !of(name).dense() && !of(name).pads));
}

TEST_CASE("blocks of one width pad, and need no offsets") {
  const Facts wide = facts(Level{"vbl", {"4"}});
  CHECK((wide.width == 4 && wide.pads && !wide.offsets && wide.positions && wide.overhangs()));
  CHECK_FALSE(of("vbl").overhangs());
}

TEST_CASE("where runs begin and blocks' children lie is stored by those alone that cannot tell") {
  for (const std::string& name : level_names()) {
    if (name == "pattern") continue;
    const Facts f = of(name.c_str());
    CHECK(f.starts == (name == "sparse_rle" || name == "interval"));
    CHECK(f.offsets == (f.child == Child::offset));
    CHECK(f.coordinates == !f.dense());
  }
}
