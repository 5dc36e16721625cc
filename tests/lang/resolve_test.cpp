#include <doctest/doctest.h>

#include "tests/lang/resolved.hpp"

using namespace trellis;
using testing::codes;
using testing::equations;
using testing::resolve;
using testing::Resolved;

namespace {

std::string domain_of(const std::string& source, std::size_t equation = 0) {
  Resolved result = resolve(source);
  REQUIRE(result.program);
  return to_string(result.program->kernels.at(0).equations.at(equation).domain);
}

const std::string cholesky = R"(
tensor A(n, n); tensor L(n, n)
L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i
L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i
order j k i-
)";

}  // namespace

TEST_CASE("constraints go to the reduction that they restrict, and equations print in short form") {
  CHECK(equations(cholesky) ==
        "L(i,j) = (A(i,j) - sum(k < j)(L(i,k)*L(j,k)))/L(j,j) : j < i\n"
        "L(i,i) = sqrt(A(i,i) - sum(k < i)(L(i,k)^2))\n");
}

TEST_CASE("what is printed resolves to the same program") {
  auto check = [](const std::string& declarations, const std::string& source) {
    const std::string printed = equations(declarations + source);
    CHECK(equations(declarations + printed) == printed);
  };
  check("tensor x(n); tensor y(n)\n", "x[t](i) = y[t-1](i) : t < 5; y[t](i) = x[t](i); until max(i)(y[t](i)) < 1");
  check("tensor x(n); tensor y(n): i32\n", "y(i) = i32(x(i)/n) + i : (i + 1)%2 = 0");
  check("tensor A(n, n); tensor L(n, n)\n", "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i");
  check("tensor T(n,n,g): bool; tensor R(g,g,g): bool\n",
        "T(i,j,a) = any(k,b,c)(T(i,k,b) && T(k,j,c) && R(a,b,c)) : i < k < j, i+1 < j");
}

TEST_CASE("schedule commands reach their kernel") {
  Resolved result = resolve(cholesky);
  REQUIRE(result.program);
  CHECK(to_string(*result.program->kernels[0].schedule.order) == "j k i-");
  CHECK(codes("tensor x(n); tensor y(n)\ny(i) = x(i)\norder j") == "E0320");
  CHECK(codes("tensor x(n); tensor y(n)\ny(i) = x(i)\norder i i") == "E0321");
  CHECK(codes("order i") == "E0322");
}

TEST_CASE("Einstein's convention sums one product, and no more") {
  const std::string declarations = "tensor A(n, m); tensor x(m); tensor b(n); tensor y(n)\n";
  CHECK(equations(declarations + "y(i) = A(i,j)*x(j) + b(i)") == "y(i) = sum(j)(A(i,j)*x(j)) + b(i)\n");
  CHECK(equations(declarations + "y(i) = b(i) - A(i,j)*x(j)/2") == "y(i) = b(i) - sum(j)(A(i,j)*x(j)/2)\n");
  CHECK(codes(declarations + "y(i) = A(i,j)*x(j)") == "N0202");
}

TEST_CASE("elsewhere a free index is an error that writes out each reading") {
  Resolved result = resolve("tensor A(n, m); tensor x(m); tensor y(n)\ny(i) = sqrt(A(i,j)*x(j))");
  REQUIRE(result.diagnostics.all().size() == 1);
  const auto& diagnostic = result.diagnostics.all()[0];
  CHECK(diagnostic.code == "E0305");
  REQUIRE(diagnostic.fixes.size() == 2);
  CHECK(diagnostic.fixes[0].command == "y(i) = sqrt(sum(j)(A(i,j) * x(j)))");
  CHECK(diagnostic.fixes[1].command == "y(i) = sum(j)(sqrt(A(i,j) * x(j)))");
}

TEST_CASE("implicit results take shape and type from their equations") {
  Resolved result =
      resolve("tensor A(n, m); tensor x(m): f64\nC(i,j) = A(i,j); P(i) = argmax(k)(C(i,k)); s = sum(i)(x(i))");
  REQUIRE(result.program);
  CHECK(to_string(result.program->tensor("C")->shape[1]) == "m");
  CHECK(result.program->tensor("P")->type == format::ScalarType::i64);
  CHECK(result.program->tensor("s")->shape.empty());
  CHECK(codes("tensor x(n)\nF(i) = F(i-1) + 1 : 1 <= i") == "E0306");
  CHECK(codes("tensor A(n, m)\ny(i) = sqrt(A(i,j))") == "E0305");  // nothing about y on top of it
}

TEST_CASE("literals, parameters and indices take their context's type") {
  Resolved result = resolve("tensor x(n); tensor y(n): f32\nparam c = 2\ny(i) = f32(x(i))*c + i/2");
  REQUIRE(result.program);
  CHECK(to_string(result.program->kernels[0].equations[0].right) == "f32(x(i))*f32(c) + f32(i)/2");
  CHECK(!verify(result.program->kernels[0].equations[0].right));
}

TEST_CASE("ranges, left bounds and constraints form the domain") {
  const std::string d = "tensor T(n, n, g); tensor U(g, n)\n";
  const std::string domain = domain_of(d + "T(i,i+1,a) = U(a,i)");
  CHECK(domain.find("i + 1 < n") != std::string::npos);
  CHECK(domain.find("0 <= i + 1") == std::string::npos);
}

TEST_CASE("sizes that differ by a constant leave the smaller range") {
  CHECK(domain_of("tensor T(n+1, n+1, g); tensor U(g, n)\nT(i,i+1,a) = U(a,i)").find("i < n,") != std::string::npos);
  CHECK(codes("tensor x(16); tensor y(32)\ny(i) = x(i)") == "E0301");
}

TEST_CASE("every problem is reported by its code") {
  const std::string d =
      "tensor A(n, k0); tensor B(p, m); tensor x(n); tensor y(n); tensor I(n): i32; tensor b(n): bool; param c = 3\n";
  CHECK(codes(d + "y(i) = z(i)") == "E0201");
  CHECK(resolve(d + "y(i) = sqr(x(i))").diagnostics.all()[0].notes[0].message == "did you mean sqrt?");
  CHECK(codes(d + "y(i) = alpha*x(i)") == "E0201");
  CHECK(codes(d + "tensor x(m)") == "E0202");
  CHECK(codes(d + "y(i) = x(i,i)") == "E0203");
  CHECK(codes(d + "c = 4") == "E0204");
  CHECK(codes("tensor x(n): fancy") == "E0205");
  CHECK(codes("tensor x(n): i32 fill 2.5") == "E0222");
  CHECK(codes("tensor x(n): i32 fill inf") == "E0222");
  CHECK(codes("tensor x(n): u8 fill 300") == "E0222");
  CHECK(codes("tensor x(n, m): dense @ (1, 1)") == "E0207");
  CHECK(codes("tensor x(n): {dense, dense}") == "E0207");
  CHECK(codes(d + "y(i) = x(i); y(i) = 2") == "E0209");
  CHECK(codes(d + "y(2*i) = x(i)") == "E0210");
  CHECK(codes(d + "y(i) = sum(i)(x(i))") == "E0211");
  CHECK(codes(d + "y(i) = sum(j)(x(j)*sum(j)(x(j)))") == "E0212");
  CHECK(codes(d + "y(i) = I(i)") == "E0220");
  CHECK(codes(d + "y(i) = x(i) ? 1 : 2") == "E0221");
  CHECK(codes(d + "y(i) = sqrt(x(i), 2)") == "E0224");
  CHECK(codes(d + "I(i) = sqrt(I(i))") == "E0223");
  CHECK(codes(d + "y(i) = A(i,k)*B(k,i)") == "N0202 E0301 E0301");
  CHECK(codes(d + "y(i) = sum(j)(x(i+j))") == "E0302");
  CHECK(codes(d + "y(i) = sum(j)(x(j)) : i*j < 3") == "E0303");
  CHECK(codes(d + "y(i) = sum(j)(x(j)) - sum(k)(x(k)) : j < k") == "E0304");
  CHECK(codes(d + "y(i) = I(i) + z; x(i) = I(i)") == "E0201 E0220");
}

TEST_CASE("operators on bits are those on truth values where there is one bit") {
  const std::string d = "tensor a(n): bool; tensor b(n): bool; tensor c(n): bool\n";
  const auto value = [&](const std::string& e) {
    return lang::to_string(resolve(d + "c(i) = " + e).program->kernels[0].equations[0].right);
  };
  CHECK(value("a(i) & ~b(i)") == "a(i) && !b(i)");
  CHECK(value("a(i) | b(i)") == "a(i) || b(i)");
  CHECK(value("a(i) xor b(i)") == "a(i) != b(i)");
  CHECK(codes(d + "c(i) = a(i) << b(i)") == "E0223");
}

TEST_CASE("the fix of a type mismatch is the equation with its cast") {
  Resolved result = resolve("tensor I(n): i32; tensor y(n)\ny(i) = 2*I(i)");
  REQUIRE(result.diagnostics.all().size() == 1);
  CHECK(result.diagnostics.all()[0].fixes.at(0).command == "y(i) = f64(2 * I(i))");
}

TEST_CASE("timesteps are counted by a dimension or by a constraint of their kernel") {
  CHECK(domain_of("tensor D(n, n)\nD[k](i,j) = D[k-1](i,k)") ==
        domain_of("tensor D(n, n)\nD[k](i,j) = D[k-1](i,j) + D[k-1](i,k)"));
  Resolved result = resolve("tensor x(n); tensor y(n)\nx[t](i) = y[t-1](i)\ny[t](i) = x[t](i) : t < 7");
  REQUIRE(result.program);
  const lang::Kernel& kernel = result.program->kernels.at(0);
  CHECK(kernel.timesteps == std::vector<lang::Timesteps>{{"x", math::Affine(7)}, {"y", math::Affine(7)}});
  CHECK(kernel.equations.at(0).domain.variables == std::vector<std::string>{"t", "i"});
}

TEST_CASE("a kernel takes as many steps as the equation with the most of them") {
  const std::string sizes = "tensor a(n); tensor b(m); tensor x(n+1); tensor y\n";
  const auto steps = [](const std::string& program) {
    const Resolved result = resolve(program);
    return result.program ? math::to_string(result.program->kernels.at(0).timesteps.at(0).count) : codes(program);
  };
  CHECK(steps(sizes + "x[t](t) = 1\nx[t](i) = x[t-1](i) : i < t, t <= n+m") == "m + n + 1");
  CHECK(steps(sizes + "x[t](i) = x[t-1](i) : i < t, t <= n+m\nx[t](t) = 1") == "m + n + 1");
  CHECK(steps(sizes + "x[t](i) = x[t-1](i) : i < t, t < 2\nx[t](i) = 1 : i > t, t < 5") == "5");
  CHECK(steps(sizes + "x[t](t) = 1\ny[t] = y[t-1] + a(t)") == "n + 1");
  // Nobody knows which of n and m is larger, unless they have values.
  CHECK(steps(sizes + "x[t](0) = a(t)\ny[t] = b(t)") == "E0341");
  CHECK(steps("param n = 3; param m = 4; " + sizes + "x[t](0) = a(t)\ny[t] = b(t)") == "m");
}

TEST_CASE("superscripts that are missing or out of place") {
  const std::string x = "tensor x(n); tensor y(n)\n";
  CHECK(codes(x + "x[t](i) = x[t-1](i)") == "E0340");
  CHECK(codes(x + "x[t](i) = x(i) : t < 9") == "E0342");
  CHECK(codes(x + "x[t](i) = x[t-1](i) : t < 9\nx(0) = 1") == "E0342");
  CHECK(codes(x + "y(i) = x[1](i)") == "E0343");
  CHECK(codes(x + "x[t](i) = x[t-1](i) : t < 9\nuntil x[t](0) < 1\nuntil x[t](1) < 1") == "E0344");
  CHECK(codes(x + "x[t](i) = x[t-1](i) : t < 9\ny(i) = x[8](i)\nuntil x[t](0) < 1") == "E0345");
  CHECK(codes(x + "y(i) = x(i)\nuntil 1 < 2") == "E0346");
  CHECK(codes(x + "y(i) = x(i)\ninplace y") == "E0347");
}

TEST_CASE("messages say what superscripts and unbound indices need") {
  const std::string x = "tensor x(n); tensor y(n)\n";
  const auto says = [](const std::string& source, const std::string& note) {
    return equations(source).find("note:     " + note) != std::string::npos;
  };
  CHECK(says(x + "x[s](i) = x(i) : s < 9", "name it, as in x[s-1]; a later kernel reads the last step as x"));
  CHECK(says(x + "y[i] = 1 : i < 9", "indices stand in parentheses, as in y(i); brackets hold a timestep"));
  CHECK(says(x + "y(i) = x[i]", "indices stand in parentheses, as in x(i); brackets hold a timestep"));
  CHECK(says(x + "x[t](i) = x[t-1](i) + y[t](i) : t < 9", "without [ ] it is what data or an earlier kernel left"));
  CHECK(says(x + "x[t](i) = x[t-1](i) : t < 9\nuntil x[t](j) < 1",
             "a reduction binds it, as in sum(j)(…), or a loop, or param j = 1"));
  CHECK(
      says(x + "loops { for i { y(i) = x(k) } }", "a reduction binds it, as in sum(k)(…), or a loop, or param k = 1"));
  CHECK(says(x + "loops { let v = 1 { v = 2 } }", "what changes is a tensor; a scalar is declared as tensor NAME"));
}

TEST_CASE("an index with a parameter's name is called out where it does not run but was meant to") {
  const std::string sizes =
      "param k = 8; tensor A(4, k); tensor C(4, k); tensor D(4, 20); tensor E(4, 20); tensor u(k+1)\n";
  CHECK(codes(sizes + "C(i,k) = 2") == "E0218");
  CHECK(codes(sizes + "D(i,j) = A(i,k) : j < 4") == "E0218");
  CHECK(codes("tensor A(4, k); tensor C(4, k)\nC(i,k) = A(i,k)") == "E0218");  // a size without `param`
  CHECK(codes(sizes + "D(i,k) = E(i,k)") == "W0205");
  CHECK(codes("param k = 2; tensor x(4)\nC(i,k) = x(i)") == "W0205 N0201");  // nobody said how wide C is
}

TEST_CASE("a parameter as an index is nothing unusual at a boundary") {
  const std::string sizes = "param k = 8; tensor u(k+1); tensor x(20); tensor y(20); tensor p(k): f64 pad\n";
  CHECK(codes(sizes + "u(k) = 1; u(i) = u(i+1) : i < k") == "");
  CHECK(codes(sizes + "x(k) = 1") == "");
  CHECK(codes(sizes + "x(k+0) = y(k+0)") == "");
  CHECK(codes(sizes + "x(k) = y(k); x(i) = x(i+1) : i < k") == "");
  CHECK(codes(sizes + "x(i) = p(k)") == "");  // reads the fill
  CHECK(codes(sizes + "V(k,i) = y(i); V(t,i) = V(t+1,i) : t < k") == "N0201");
}

TEST_CASE("what never holds is found with parameters in it, too") {
  CHECK(codes("tensor C(4, k)\nC(i,k+1) = 2") == "E0307");
  CHECK(codes("tensor C(4, k)\nC(i,k-1) = 2") == "");
}

namespace {

/// The fixes of the only error.
std::string fixes(const std::string& source) {
  const Resolved result = resolve(source);
  std::string text, errors;
  for (const auto& d : result.diagnostics.all())
    if (d.severity == text::Severity::error) {
      errors += d.code + " ";
      for (const auto& fix : d.fixes) text += fix.command + "\n";
    }
  return errors + "\n" + text;
}

}  // namespace

TEST_CASE("tensors without indices: one message, which writes out what may be meant") {
  const std::string sizes = "tensor A(n, n); tensor B(n, n); tensor x(n); tensor D(n, m, n)\n";
  CHECK(fixes(sizes + "C = A * B") == "E0203 \nC(i,j) = A(i,k) * B(k,j)\nC(i,j) = A(i,j) * B(i,j)\n");
  CHECK(fixes(sizes + "y = A * x") == "E0203 \ny(i) = A(i,j) * x(j)\n");
  CHECK(fixes(sizes + "C(p,q) = A + sqrt(B)") == "E0203 \nC(p,q) = A(p,q) + sqrt(B(p,q))\n");
  CHECK(fixes(sizes + "C = A * B + D") == "E0203 \n");
  CHECK(fixes(sizes + "C = A * B; E = A + B") ==
        "E0203 E0203 \nC(i,j) = A(i,k) * B(k,j)\nC(i,j) = A(i,j) * B(i,j)\nE(i,j) = A(i,j) + B(i,j)\n");
}

TEST_CASE("what is offered for tensors without indices has indices that mean nothing else") {
  const std::string sizes = "param k = 2; tensor j; tensor A(k,k); tensor B(k,k)\n";
  CHECK(fixes(sizes + "C = A * B") == "E0203 \nC(i,l) = A(i,p) * B(p,l)\nC(i,l) = A(i,l) * B(i,l)\n");
  CHECK(fixes(sizes + "C(k,i) = A + B") == "E0203 \n");  // C(k,i) = A(k,i) + B(k,i) would be E0218
}

TEST_CASE("each tensor without indices is named once, whatever the others are called") {
  const Resolved result = resolve("tensor A(n); tensor AB(n)\nC = AB + A + AB");
  REQUIRE(codes("tensor A(n); tensor AB(n)\nC = AB + A + AB") == "E0203");
  const text::Diagnostic& d = result.diagnostics.all()[0];
  CHECK(d.message == "AB, A stand without indices; an equation says what one element is");
  CHECK(d.notes.size() == 2);
}

TEST_CASE("arrays in the notation of other languages: one message, which writes the equation out") {
  const std::string d = "tensor A(n, m); tensor B(m, p); tensor S(n, n); tensor x(m); tensor y(n); tensor I(n): i32\n";
  const auto one = [&](const std::string& written, const std::string& first) {
    CAPTURE(written);
    const std::string found = fixes(d + written);
    CHECK(found.starts_with("E0240 \n" + first + "\n"));
  };
  one("C = A'", "C(i,j) = A(j,i)");
  one("C = A.T", "C(i,j) = A(j,i)");
  one("C = transpose(A)", "C(i,j) = A(j,i)");
  one("C = A@B", "C(i,j) = A(i,k) * B(k,j)");
  one("z = A @ x", "z(i) = A(i,j) * x(j)");
  one("z = A' * y", "z(i) = A(j,i) * y(j)");
  one("s = y' * y", "s = sum(i)(y(i) * y(i))");
  one("C = (A@B)' + 1", "C(i,j) = sum(k)(A(j,k) * B(k,i)) + 1");
  one("C = S .* S", "C(i,j) = S(i,j) * S(i,j)");
  one("C(i,j) = S(i,j) .* S(i,j)", "C(i,j) = S(i,j) * S(i,j)");
  one("z = y.^2 ./ y", "z(i) = y(i)^2 / y(i)");
  one("z = A(0,:)", "z(i) = A(0,i)");
  one("z(k) = A(:,1)", "z(k) = A(k,1)");
  one("A(0,:) = x", "A(0,i) = x(i)");
  one("A(:,:) = 1", "A(i,j) = 1");
  one("s = x(end)", "s = x(m-1)");
  one("s = mean(x)", "s = sum(i)(x(i)) / m");
  one("s = mean(S)", "s = sum(i,j)(S(i,j)) / n / n");
  one("s = mean(I)", "s = f64(sum(i)(I(i))) / n");
  one("s = norm(x)", "s = sqrt(sum(i)(x(i)^2))");
  one("s = dot(y, y)", "s = sum(i)(y(i) * y(i))");
  one("s = sum(A)", "s = sum(i,j)(A(i,j))");
  one("s = max(y)", "s = max(i)(y(i))");
  one("z = zeros(n)", "z(i) = 0.0 : i < n");
  one("Z = ones(n, m)", "Z(i,j) = 1.0 : i < n, j < m");
  one("Z = eye(n)", "Z(i,j) = i == j ? 1.0 : 0.0 : i < n, j < n");
}

TEST_CASE("a declared tensor without its indices on the left gets them, too") {
  const std::string d = "tensor A(n, n); tensor C(n, n); tensor x(n); tensor y(n)\n";
  CHECK(fixes(d + "C = A * C") == "E0203 \nC(i,j) = A(i,k) * C(k,j)\nC(i,j) = A(i,j) * C(i,j)\n");
  CHECK(fixes(d + "y = A @ x") == "E0240 \ny(i) = A(i,j) * x(j)\n");
  CHECK(fixes(d + "C = A'") == "E0240 \nC(i,j) = A(j,i)\n");
  CHECK(fixes(d + "y = 5") == "E0203 \ny(i) = 5\n");
  CHECK(fixes(d + "y = A") == "E0203 \n");
  CHECK(fixes(d + "D(i,j) = 2*A(i,j); E = D .* A") == "E0240 \nE(i,j) = D(i,j) * A(i,j)\n");  // D has no shape yet
  CHECK(fixes(d + "z(i) = 2*x(i); m = mean(z)") == "E0240 \n");
}

TEST_CASE("what is offered for other notation resolves, and where nothing does, nothing is offered") {
  const std::string d = "tensor A(n, m); tensor B(m, p); tensor x(m); tensor T(n, m, p)\n";
  CHECK(fixes(d + "C = B@A") == "E0240 \n");  // p and n are two sizes
  CHECK(fixes(d + "C = T'") == "E0240 \n");
  CHECK(fixes(d + "C(i) = A'") == "E0240 \n");
  CHECK(codes(d + "loops { for i, j { T(i,j,0) = A' } }") == "E0240");
  CHECK(codes(d + "def f(a) = a'\ny(i) = f(x(i))") == "E0240");
  CHECK(codes(d + "def mean(a) = a / 2\ny(i) = mean(x(i))") == "N0201");  // a name of the user's own
  CHECK(codes("tensor len(n)\ny(i) = len(i)") == "N0201");
}

TEST_CASE("quotients of integers: a note where no type says that they round down") {
  const std::string d = "tensor a(n): i32; tensor b(n): i32; tensor q(n); tensor k(n): i32; tensor x(n)\n";
  CHECK(fixes(d + "q(i) = a(i) / b(i)") == "E0220 \nq(i) = f64(a(i)) / f64(b(i))\nq(i) = f64(a(i) / b(i))\n");
  CHECK(fixes(d + "q(i) = 1 + a(i) / 2") == "E0220 \nq(i) = 1 + f64(a(i)) / 2\nq(i) = f64(1 + a(i) / 2)\n");
  const auto hinted = [&](const std::string& written) {
    std::string found;
    const Resolved result = resolve(d + written);
    for (const auto& note : result.diagnostics.all())
      if (note.code == "N0206") found += note.message + "; " + (note.fixes.empty() ? "" : note.fixes[0].command);
    return found;
  };
  CHECK(hinted("q(i) = f64(a(i) / b(i)) * x(i)") ==
        "a(i) / b(i) is a quotient of integers, which rounds down; q(i) = f64(a(i)) / f64(b(i)) * x(i)");
  CHECK(hinted("m = sum(i)(a(i)) / n") ==
        "sum(i)(a(i)) / n is a quotient of integers, which rounds down; m = f64(sum(i)(a(i))) / n");
  CHECK(hinted("p = n / 2") == "n / 2 is a quotient of integers, which rounds down; p = f64(n) / 2");
  CHECK(hinted("p = 1 / 2") == "1 / 2 is a quotient of integers, which rounds down; p = 1.0 / 2");
  CHECK(codes(d + "m = sum(i)(a(i)) / n; c = 4 / 2") == "N0206 N0201 N0201");
  CHECK(codes(d + "k(i) = a(i) / b(i)") == "");       // an integer result was declared
  CHECK(codes(d + "q(i) = x(i) / n + i / 2") == "");  // of floats
  CHECK(codes(d + "q(i) = x(a(i) / 2)") == "");       // an index
}

TEST_CASE("a truth value among numbers offers the choice") {
  CHECK(fixes("tensor x(n)\ny(i) = x(i) * (x(i) > 0)") ==
        "E0220 \ny(i) = x(i) * (x(i) > 0 ? 1 : 0)\ny(i) = x(i) * f64(x(i) > 0)\n");
  CHECK(fixes("tensor x(n)\nz = sum(i)(x(i) > 1)") == "E0223 \nz = sum(i)(x(i) > 1 ? 1 : 0)\n");
}

TEST_CASE("an update outside of loops shows the loop that does it") {
  const Resolved sum = resolve("tensor x(n)\ns += x(i)");
  REQUIRE(!sum.diagnostics.empty());
  CHECK(sum.diagnostics.all()[0].code == "E0018");
  CHECK(sum.diagnostics.all()[0].notes.at(0).message == "as a loop: loops { for i { s += x(i) } }");
  const Resolved product = resolve("tensor A(n, n)\nC(i,j) += A(i,k) * A(k,j)");
  REQUIRE(!product.diagnostics.empty());
  CHECK(product.diagnostics.all()[0].notes.at(0).message ==
        "as a loop: loops { for i, j, k { C(i,j) += A(i,k) * A(k,j) } }");
}
