// Timesteps: which orders are legal, how few buffers they take, and what is wrong with superscripts out of range.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/loop/print.hpp"
#include "tests/place/kernels.hpp"

using namespace trellis;
using namespace trellis::place;

namespace {

const std::string floyd_warshall = "tensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))";
const std::string gram_schmidt = R"(
tensor A(m, n)
W[-1](i,j) = A(i,j)
R(k,k) = sqrt(sum(i)(W[k-1](i,k)^2))
Q(i,k) = W[k-1](i,k) / R(k,k)
R(k,j) = sum(i)(Q(i,k) * W[k-1](i,j)) : k < j
W[k](i,j) = W[k-1](i,j) - Q(i,k)*R(k,j) : k < j
)";
const std::string gauss_seidel = R"(
tensor A(n, n); tensor b(n); tensor x(n)
x[t](i) = (b(i) - sum(j)(A(i,j)*x[t](j)) - sum(k)(A(i,k)*x[t-1](k))) / A(i,i) : j < i < k, t < 20
)";
const std::string jacobi = "tensor u(n)\nu[t](i) = (u[t-1](i-1) + u[t-1](i+1)) / 2 : 1 <= i < n-1, t < 9";

/// What the last events say about buffers: of tensors of the program, and not of temporaries.
std::string buffers(const std::string& source, const std::string& order) {
  const Analysis analysis = analysed(source);
  const Placement placement = place::place(analysis, *lang::parse_order(order));
  const auto temporary = [&](int f) { return analysis.fragments.fragments[static_cast<std::size_t>(f)].temporary; };
  REQUIRE(std::holds_alternative<Placed>(placement));
  std::string out;
  for (const Event& e : std::get<Placed>(placement).events)
    if (e.kind == Event::Kind::shrink && std::ranges::none_of(e.fragments, temporary))
      out += (out.empty() ? "" : "; ") + e.text;
  return out;
}

std::string codes(const std::string& source) {
  std::string out;
  const text::Diagnostics found = problems(source);
  for (const auto& d : found.all()) out += (out.empty() ? "" : " ") + d.code;
  return out;
}

}  // namespace

TEST_CASE("legal orders of recurrences in time") {
  CHECK(legal_orders(floyd_warshall) == "kij kji");
  CHECK(legal_orders(gram_schmidt) == "jki kij kji");
  CHECK(legal_orders(jacobi) == "ti");
  CHECK(legal_orders("tensor x(n)\nx[t](i) = 2*x[t-1](i) : t < 4") == "it ti");
  CHECK(legal_orders(gauss_seidel + "until x[t](0) < 1") == "tijk tikj tjik tjki tkij tkji");
}

TEST_CASE("as few buffers as an order allows") {
  CHECK(buffers(floyd_warshall, "k i j") == "D has one buffer, and saves old_D and old_D_(n)");
  CHECK(buffers(floyd_warshall, "k j i") == "D has one buffer, and saves old_D(n) and old_D_");
  CHECK(buffers(gram_schmidt, "k j i") == "W has one buffer");
  CHECK(buffers(gauss_seidel, "t i j k") == "x has one buffer");
  CHECK(buffers(jacobi, "t i") == "u has 2 buffers");
  CHECK(buffers("tensor x(n)\nx[t](i) = x[t-1](i) + x[t-2](i) : 1 <= t < 9", "t i") == "x has 2 buffers");
  CHECK(buffers("tensor x(n); tensor s(n)\nx[t](i) = x[t-1](i) + i : t < 9\ns(i) = sum(r)(x[r](i)) : 0 <= r < 9",
                "t i r") == "all steps of x are kept");
}

TEST_CASE("steps in tiles: what is read of earlier ones is kept apart, and one buffer does") {
  const auto placed = [](const std::string& order) {
    return std::get<Placed>(place::place(analysed(floyd_warshall), *lang::parse_order(order)));
  };
  for (const char* order : {"k/4 i/4 j/4 k i j", "k/4 j/4 i/4 k j i"}) {
    const Placed tiled = placed(order);
    REQUIRE(tiled.steps.size() == 1);
    CHECK(tiled.steps[0].words == "D has one buffer");
    CHECK(tiled.temporaries.size() == 2);
    CHECK(loop::to_string(tiled.nest).find("old_D(k,i) + old_D_(k,j)") != std::string::npos);
    CHECK(tiled.certificate.sizes == "for all sizes and all tiles");
  }
  // Where steps have no tiles, slices are saved as ever.
  CHECK(buffers(floyd_warshall, "k i j") == "D has one buffer, and saves old_D and old_D_(n)");
}

TEST_CASE("elements that no equation gives are in each buffer from the start, and are not copied from step to step") {
  const Placed placed = std::get<Placed>(place::place(analysed(jacobi), *lang::parse_order("t i")));
  const std::string loops = loop::to_string(placed.nest);
  CHECK(loops.find("forall e0 in 0:min(n, 1) {\n  u_steps(1,e0) = u(e0)") != std::string::npos);
  CHECK(loops.find("u_steps((t+1)%2,0)") == std::string::npos);
}

TEST_CASE("borders of a step fuse with the rest of it where that saves buffers") {
  const std::string rest = "H[t](i) = H[t-1](i-1) + H[t-1](i) : 1 <= i, t < 9";
  CHECK(buffers("tensor H(n)\nH[t](0) = t : t < 9\n" + rest, "t i") == "H has 2 buffers");
  CHECK(buffers("tensor H(n)\n" + rest + "\nH[t](0) = t : t < 9", "t i") == "H has 2 buffers");
  // Antidiagonals: two borders, which carry nothing themselves.
  CHECK(buffers("tensor H(n)\nH[d](0) = d\nH[d](d) = d : 1 <= d\n"
                "H[d](i) = max(H[d-2](i-1), H[d-1](i-1), H[d-1](i)) : 1 <= i < d < n",
                "d i") == "H has 3 buffers");
  // Where it saves nothing, foralls stay apart.
  CHECK(buffers("tensor x(n)\nx[t](i) = x[t-1](i) + 1 : t < 9\ny(t,i) = x[t](i) : t < 9", "i t") == "x has one buffer");
}

TEST_CASE("a direction decides whether one buffer does") {
  const std::string shift = "tensor x(n)\nx[t](i) = x[t-1](i-1) : 1 <= i, t < 9";
  const Placement up = place::place(analysed(shift), *lang::parse_order("t i"));
  const Overwrite& lost = std::get<Placed>(up).not_in_place.at("x");
  CHECK(text::to_string(lost.instance) == "at t=0, i=2 it reads x[-1](1), which is computed at t=0, i=1");
}

TEST_CASE("copies that one buffer makes superfluous leave no loop behind") {
  CHECK(nest("tensor x(n)\nx[t](i) = 2*x[t-1](i) : 2 <= i, t < 4", "i t").find("keep") == std::string::npos);
  CHECK(nest("tensor x(n)\nx[t](i) = 2*x[t-1](i) : 2 <= i, t < 4", "i t").find("steps") == std::string::npos);
}

TEST_CASE("wrong superscripts") {
  CHECK(codes("tensor x(4)\nx[t](i) = x[t-2](i) : t < 3") == "E0104");
  CHECK(codes("tensor x(4)\nx[t](i) = x[t](i) : t < 3") == "E0102");
  const text::Diagnostics too_early = problems("tensor x(4)\nx[t](i) = x[t-2](i) : t < 3");
  CHECK(too_early.all().at(0).instance_text == "at t=0, i=0 it reads x[-2](0)");
  CHECK(too_early.all().at(0).notes.at(0).message == "its steps are x[-1], the value before the first, to x[2]");
  CHECK(codes("tensor x(4)\nx[0](i) = 1\nx[t](i) = 2 : t < 3") == "E0103");
}

TEST_CASE("an order that is illegal in time names steps") {
  const Failure f = failure(floyd_warshall, "i k j");
  CHECK(text::to_string(f.instance) == "at k=1, i=0, j=0 it reads D[0](1,0), which is computed at k=0, i=1, j=0");
}
