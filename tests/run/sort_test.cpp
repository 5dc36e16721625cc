// How workspaces put coordinates in order: helpers of the prelude, in both back ends.
#include <algorithm>
#include <random>
#include <set>

#include "engine/emit/prelude.hpp"

#include "modules.hpp"

namespace trellis::run::testing {
namespace {

using format::ScalarType;
using Coordinates = std::vector<std::int64_t>;

/// Different coordinates below `range`, in no order.
Coordinates scattered(std::mt19937_64& random, std::size_t count, std::uint64_t range) {
  std::set<std::int64_t> all;
  while (all.size() < count) all.insert(static_cast<std::int64_t>(random() % range));
  Coordinates list(all.begin(), all.end());
  std::shuffle(list.begin(), list.end(), random);
  return list;
}

/// Lists as short and as long, as close and as far apart, as the helpers tell apart.
std::vector<Coordinates> lists(bool wide) {
  std::mt19937_64 random(1);
  std::vector<Coordinates> all = {{}};
  for (const std::size_t count : {1, 2, 8, 9, 24, 25, 60, 1000})
    for (const std::uint64_t apart : {1, 2, 64, 2040, 2060, 200'000}) {
      Coordinates list = scattered(random, count, count * apart);
      all.push_back(list);
      const std::int64_t shift =
          (wide ? std::int64_t{1} << 62 : (std::int64_t{1} << 31) - 1) - *std::ranges::max_element(list);
      for (std::int64_t& x : list) x += shift;
      all.push_back(list);
      std::ranges::sort(list);
      all.push_back(list);
      std::ranges::reverse(list);
      all.push_back(list);
    }
  for (const std::int64_t end : {262'143, 262'144}) {
    Coordinates list = scattered(random, 500, 262'143);
    std::erase(list, 0);
    list.insert(list.end(), {end, 0});
    all.push_back(list);
  }
  return all;
}

tensor::Tensor integers(const Coordinates& values, ScalarType type) {
  auto made = tensor::Tensor::create(type, {static_cast<std::int64_t>(values.size())}, format::Format::dense(1),
                                     format::Value::of(type, 0));
  for (std::size_t i = 0; i < values.size(); ++i)
    made->set_flat(static_cast<std::int64_t>(i), format::Value::of_integer(type, values[i]));
  return *made;
}

Coordinates integers_of(const tensor::Tensor& tensor) {
  Coordinates all;
  for (std::int64_t k = 0; k < tensor.count(); ++k) all.push_back(tensor.get_flat(k).integer);
  return all;
}

}  // namespace

TEST_CASE("lists of coordinates are sorted, near each other and far apart") {
  for (const Backend backend : both) {
    for (const bool wide : {false, true}) {
      const ScalarType type = wide ? ScalarType::i64 : ScalarType::i32;
      emit::Prelude prelude(emit::Prelude::Threads::one);
      const std::string sort = prelude.use_sort(wide);
      const Kernel kernel = compiled(module("sorting", {size("n"), output("x", type)},
                                            prelude.text() + "int run_sorting(void *const *a) {\n  " + sort +
                                                "(a[1], *(int64_t *)a[0]);\n  return 0;\n}\n"),
                                     backend);
      for (Coordinates list : lists(wide)) {
        CAPTURE(wide);
        CAPTURE(list.size());
        Bindings bindings{{{"n", std::ssize(list)}}, {}, {{"x", integers(list, type)}}};
        REQUIRE(execute(kernel, bindings, {}).status == Outcome::Status::ok);
        std::ranges::sort(list);
        CHECK(integers_of(bindings.arrays.at("x")) == list);
      }
    }
  }
}

TEST_CASE("the entries of a table are walked in order, fiber by fiber") {
  constexpr std::int64_t fibers = 3;
  emit::Prelude prelude(emit::Prelude::Threads::one);
  prelude.use_insert();
  prelude.use_order();
  prelude.use_release();
  const std::string source = prelude.text() +
                             "int run_ordering(void *const *a) {\n"
                             "  const int64_t n = *(int64_t *)a[0];\n  int64_t *x = a[1];\n  entries e = {0};\n"
                             "  for (int64_t k = 0; k < n; k++) insert(&e, k % 3, x[k]);\n"
                             "  for (int64_t k = 0; k < n; k++) insert(&e, k % 3, x[k]);\n"
                             "  if (!order_entries(&e, 3)) return 1;\n"
                             "  for (int64_t k = 0; k < n; k++) x[k] = e.crd[e.order[k]];\n"
                             "  release_entries(&e);\n  return 0;\n}\n";
  for (const Backend backend : both) {
    const Kernel kernel = compiled(module("ordering", {size("n"), output("x", ScalarType::i64)}, source), backend);
    for (const Coordinates& list : lists(true)) {
      CAPTURE(list.size());
      Bindings bindings{{{"n", std::ssize(list)}}, {}, {{"x", integers(list, ScalarType::i64)}}};
      REQUIRE(execute(kernel, bindings, {}).status == Outcome::Status::ok);
      Coordinates expected;
      for (std::int64_t fiber = 0; fiber < fibers; ++fiber) {
        Coordinates own;
        for (std::int64_t k = fiber; k < std::ssize(list); k += fibers)
          own.push_back(list[static_cast<std::size_t>(k)]);
        std::ranges::sort(own);
        expected.insert(expected.end(), own.begin(), own.end());
      }
      CHECK(integers_of(bindings.arrays.at("x")) == expected);
    }
  }
}

}  // namespace trellis::run::testing
