// Memory of arrays: where it lies, what is in it, and what becomes of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/tensor/arena.hpp"
#include "engine/tensor/shared_array.hpp"

using namespace trellis::tensor;

namespace {

bool all_zero(const SharedArray& array) {
  const char* const bytes = static_cast<const char*>(array.data());
  return std::all_of(bytes, bytes + array.size(), [](char c) { return c == 0; });
}

}  // namespace

TEST_CASE("fresh memory is zero, whoever writes it, and has the size that was asked for") {
  for (const Writer writer : {Writer::child_process, Writer::this_process})
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{5'000'001}}) {
      const auto array = SharedArray::allocate(bytes, writer);
      REQUIRE(array);
      CHECK(array->size() == bytes);
      CHECK(array->shared() == (writer == Writer::child_process));
      CHECK(all_zero(*array));
    }
  CHECK(SharedArray::allocate(0, Writer::this_process)->data() != nullptr);
  CHECK_FALSE(SharedArray::allocate(SIZE_MAX, Writer::this_process));
  CHECK_FALSE(SharedArray::allocate(SIZE_MAX, Writer::child_process));
}

TEST_CASE("much memory of this process alone begins where a large page can") {
  for (int k = 0; k < 3; ++k) {
    const auto array = SharedArray::allocate(5'000'000, Writer::this_process);
    REQUIRE(array);
    CHECK(reinterpret_cast<std::uintptr_t>(array->data()) % (2u << 20) == 0);
  }
}

TEST_CASE("what is kept of an array outlives the rest") {
  for (const Writer writer : {Writer::child_process, Writer::this_process}) {
    const auto array = SharedArray::reserve(std::size_t{1} << 32, writer);
    REQUIRE(array);
    std::memset(array->data(), 1, 9'000'000);
    array->shrink(5'000'000);
    CHECK(array->size() == 5'000'000);
    const char* const bytes = static_cast<const char*>(array->data());
    CHECK(std::all_of(bytes, bytes + array->size(), [](char c) { return c == 1; }));
    array->shrink(10);
    CHECK(array->size() == 10);
    CHECK(bytes[9] == 1);
  }
}

using Content = SharedArray::Content;

TEST_CASE("scratch memory that was given back serves the next array of its size") {
  const std::size_t bytes = (std::size_t{1} << 30) + 12345;
  void* place = nullptr;
  {
    const auto array = SharedArray::scratch(bytes, Content::anything);
    REQUIRE(array);
    place = array->data();
    std::memset(place, 3, 100);
    array->shrink(100);
  }
  auto again = SharedArray::scratch(bytes, Content::anything);
  REQUIRE(again);
  CHECK(again->data() == place);
  CHECK(static_cast<const char*>(again->data())[99] == 3);
  again->shrink(100);
  again = nullptr;
  again = SharedArray::scratch(bytes, Content::zeros);
  REQUIRE(again);
  CHECK(again->data() == place);
  CHECK(std::ranges::all_of(std::string(static_cast<const char*>(again->data()), 5000), [](char c) { return c == 0; }));
}

TEST_CASE("memory that a child wrote serves the next result of its size, and says how much of it there is") {
  if (Arena::of_process()) return;  // from where arrays come then
  const std::size_t bytes = (std::size_t{1} << 31) + 12345;
  const auto written = [&](Content content) {
    auto array = SharedArray::reserve(bytes, Writer::child_process, content);
    REQUIRE(array);
    return array;
  };
  auto array = written(Content::zeros);
  void* const place = array->data();
  CHECK(array->resident() == 0);
  std::memset(place, 3, 100'000);
  array->shrink(100'000);
  array = nullptr;
  array = written(Content::anything);
  CHECK(array->data() == place);
  CHECK(array->resident() >= 100'000);
  CHECK(array->resident() < 110'000);
  CHECK(static_cast<const char*>(array->data())[99'999] == 3);
  array->shrink(100'000);
  array->shrink(50'000);
  array = nullptr;
  array = written(Content::zeros);
  CHECK(array->data() == place);
  CHECK(std::ranges::all_of(std::string(static_cast<const char*>(place), 200'000), [](char c) { return c == 0; }));
  // One that nobody has shrunk may have any number of pages, and goes.
  array = nullptr;
  CHECK(written(Content::anything)->resident() == 0);
}

TEST_CASE("small arrays take the place of those that went, and are zero there") {
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{4096}, std::size_t{60'000}}) {
    const void* place = nullptr;
    {
      const auto array = SharedArray::allocate(bytes, Writer::this_process);
      REQUIRE(array);
      place = array->data();
      std::memset(array->data(), 7, bytes);
    }
    const auto again = SharedArray::allocate(bytes, Writer::this_process);
    REQUIRE(again);
    CHECK(again->data() == place);
    CHECK(all_zero(*again));
    const auto beside = SharedArray::allocate(bytes, Writer::this_process);
    REQUIRE(beside);
    CHECK(beside->data() != place);
    CHECK(all_zero(*beside));
  }
}
