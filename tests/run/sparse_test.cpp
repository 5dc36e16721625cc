// Kernels over sparse tensors: they read the arrays of levels, and append to reserved ones.
#include "engine/run/snapshot.hpp"
#include "engine/run/timing.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/verify.hpp"

#include "modules.hpp"

namespace trellis::run::testing {
namespace {

using format::Array;
using format::ScalarType;
using tensor::Tensor;

emit::Argument array(std::string name, int level, Array which, bool written = false) {
  const ScalarType type = which == Array::values ? ScalarType::f64 : ScalarType::i32;
  return {emit::Argument::Kind::array, std::move(name), type, written, level, which};
}

format::Value f64(double value) { return format::Value::of(ScalarType::f64, value); }

Tensor csr(const std::vector<std::vector<double>>& rows) {
  auto dense = Tensor::create(ScalarType::f64,
                              {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())},
                              format::Format::dense(2), f64(0));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      dense->set(std::vector<std::int64_t>{static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)},
                 f64(rows[i][j]));
  return *with_format(*dense, *format::Format::named("csr", 2));
}

/// C = 2 * A, row by row.
emit::Module doubling() {
  return module("doubling",
                {size("n"),
                 array("A", 1, Array::positions),
                 array("A", 1, Array::coordinates),
                 array("A", -1, Array::values),
                 array("C", 1, Array::positions, true),
                 array("C", 1, Array::coordinates, true),
                 array("C", -1, Array::values, true),
                 {emit::Argument::Kind::capacity, "C", ScalarType::i64}},
                "int run_doubling(void *const *a) {\n"
                "  long long n = *(long long *)a[0], room = *(long long *)a[7], p = 0; const int *ap = a[1], *ac = "
                "a[2]; const double *av = a[3];\n"
                "  int *cp = a[4], *cc = a[5]; double *cv = a[6]; int *fault = a[8];\n"
                "  cp[0] = 0;\n"
                "  for (long long i = 0; i < n; i++) {\n"
                "    for (long long q = ap[i]; q < ap[i + 1]; q++) {\n"
                "      if (p == room) { fault[0] = 4; fault[1] = 0; return 0; }\n"
                "      cc[p] = ac[q]; cv[p] = 2 * av[q]; p++;\n"
                "    }\n"
                "    cp[i + 1] = p;\n"
                "  }\n"
                "  return 0;\n}\n");
}

Bindings with_room(const Tensor& a, std::size_t limit) {
  return {{{"n", a.shape()[0]}},
          {},
          {{"A", a}, {"C", *Tensor::reserve(ScalarType::f64, a.shape(), a.format(), f64(0), limit)}}};
}

}  // namespace

TEST_CASE("a kernel appends, and what it appended settles") {
  const Tensor a = csr({{0, 1, 0}, {0, 0, 0}, {2, 0, 3}});
  for (const Backend backend : both) {
    Bindings bindings = with_room(a, 1 << 20);
    CHECK(execute(compiled(doubling(), backend), bindings, {}).status == Outcome::Status::ok);
    Tensor& c = bindings.arrays.at("C");
    CHECK(c.entries() == 0);
    REQUIRE(c.publish());
    CHECK(tensor::verify(c) == "");
    CHECK(c.entries() == 3);
    CHECK(values_of(*tensor::to_dense(c)) == std::vector<double>{0, 2, 0, 0, 0, 0, 4, 0, 6});
  }
}

TEST_CASE("appending can be repeated: every run starts from scratch") {
  const Tensor a = csr({{0, 1, 0}, {0, 0, 0}, {2, 0, 3}});
  Bindings bindings = with_room(a, 1 << 20);
  const Timing timing = repeat(compiled(doubling(), Backend::jit), bindings, {}, 5);
  CHECK(timing.outcome.status == Outcome::Status::ok);
  REQUIRE(bindings.arrays.at("C").publish());
  CHECK(values_of(*tensor::to_dense(bindings.arrays.at("C"))) == std::vector<double>{0, 2, 0, 0, 0, 0, 4, 0, 6});
}

TEST_CASE("a snapshot copies nothing of what is appended to, and every written array of what is there") {
  const Tensor a = csr({{0, 1, 0}, {0, 0, 0}, {2, 0, 3}});
  CHECK(Snapshot::take(doubling(), with_room(a, 1 << 20))->bytes() == 0);
  Bindings bindings{{{"n", 3}}, {}, {{"A", a}, {"C", a.clone()}}};
  const auto before = Snapshot::take(doubling(), bindings);
  CHECK(before->bytes() == 4 * 4 + 3 * 4 + 3 * 8);
  for (const Array which : {Array::positions, Array::coordinates})
    static_cast<int*>(bindings.arrays.at("C").array(1, which))[1] = 7;
  static_cast<double*>(bindings.arrays.at("C").data())[2] = 7;
  before->restore();
  CHECK(tensor::verify(bindings.arrays.at("C")) == "");
  CHECK(values_of(*tensor::to_dense(bindings.arrays.at("C"))) == values_of(*tensor::to_dense(a)));
}

TEST_CASE("a result that outgrows its room is a fault with a message") {
  const Tensor a = csr({{1, 1, 1}, {1, 1, 1}});
  emit::Module limited = doubling();
  limited.sites = {{emit::FaultKind::result_too_large, {}, "C"}};
  const Bindings bindings = with_room(a, 4 * sizeof(double));
  CHECK(bindings.arrays.at("C").capacity() == 4);
  const Outcome outcome = execute(compiled(limited, Backend::jit), bindings, {});
  CHECK(outcome.fault == emit::FaultKind::result_too_large);
  CHECK(outcome.message == "C has more entries than there is room for");
}

}  // namespace trellis::run::testing
