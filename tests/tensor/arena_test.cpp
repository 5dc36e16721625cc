// Addresses that are taken, given back and taken again; and what a child reaches of them.
#include "engine/tensor/arena.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstring>

#include "engine/tensor/shared_array.hpp"
#include "tests/alone.hpp"

using namespace trellis::tensor;
using trellis::testing::alone;

namespace {

constexpr std::size_t page = 4096;

// In a process with an arena.
std::string with_arena(const std::function<std::string(Arena&)>& body) {
  return alone([&] { return Arena::open() ? body(*Arena::of_process()) : "no arena"; });
}

}  // namespace

TEST_CASE("what is given back is taken again, zeroed, and gaps that touch are one") {
  CHECK(with_arena([](Arena& arena) -> std::string {
          char* const a = arena.take(1);
          char* const b = arena.take(2 * page);
          char* const c = arena.take(page);
          if (b != a + page || c != b + 2 * page) return "not one behind the other";
          std::memset(a, 7, 3 * page);
          arena.give_back(b, 2 * page);
          arena.give_back(a, 1);
          char* const again = arena.take(3 * page);
          if (again != a) return "the gap was not found";
          for (std::size_t k = 0; k < 3 * page; ++k)
            if (again[k] != 0) return "not zeroed";
          return arena.take(page) == c + page ? "all well" : "the end was not found";
        }) == "all well");
}

TEST_CASE("arrays come from the arena, and what they shrink by goes back there") {
  CHECK(with_arena([](Arena& arena) -> std::string {
          const auto before = SharedArray::allocate(page, Writer::this_process);
          const auto large = SharedArray::reserve(std::size_t{1} << 36, Writer::child_process);
          if (!arena.holds(before->data()) || !arena.holds(large->data())) return "they lie elsewhere";
          if (!before->shared()) return "not shared";
          std::memset(large->data(), 7, 3 * page);
          large->shrink(page);
          const auto next = SharedArray::allocate(page, Writer::this_process);
          const char first = *static_cast<const char*>(next->data());
          const auto distance = static_cast<char*>(next->data()) - static_cast<char*>(large->data());
          return distance < 8 * static_cast<std::ptrdiff_t>(page) && first == 0 ? "all well" : "the rest was kept";
        }) == "all well");
}

TEST_CASE("more than there are addresses is refused by the arena, and none of it is lost") {
  CHECK(with_arena([](Arena& arena) -> std::string {
          char* const first = arena.take(page);
          if (arena.take(std::size_t{1} << 46)) return "granted";
          return arena.take(page) == first + page ? "all well" : "lost";
        }) == "all well");
}

TEST_CASE("hidden memory cannot be read, and what is shown for reading cannot be written") {
  const auto after_hiding = [](const std::function<void(Arena&, char*)>& touch) {
    return with_arena([&](Arena& arena) -> std::string {
      signal(SIGSEGV, SIG_DFL);
      char* const a = arena.take(2 * page);
      a[0] = 5;
      if (!arena.hide() || !arena.show(a, 10, Arena::Access::read)) return "refused";
      touch(arena, a);
      return "touched " + std::to_string(a[0]);
    });
  };
  CHECK(after_hiding([](Arena&, char*) {}) == "touched 5");
  CHECK(after_hiding([](Arena&, char* a) { *static_cast<volatile char*>(a) = 6; }) == "signal 11");
  CHECK(after_hiding([](Arena&, char* a) { static_cast<void>(*static_cast<volatile char*>(a + page)); }) ==
        "signal 11");
  CHECK(after_hiding([](Arena& arena, char* a) {
          if (arena.show(a, 1, Arena::Access::write)) a[0] = 6;
        }) == "touched 6");
}
