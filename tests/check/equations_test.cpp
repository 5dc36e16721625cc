// `check` by equations: each one on the kernel's own results, within what rounding explains.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "engine/check/reference.hpp"
#include "engine/check/rounding.hpp"
#include "engine/lang/parse.hpp"

using namespace trellis;
using format::ScalarType;
using format::Value;

namespace {

using Numbers = std::vector<double>;

/// A program with what its tensors hold before, and what its kernel may have left.
class Example {
 public:
  Example(const std::string& source, const std::map<std::string, Numbers>& inputs = {}) {
    text::Sources sources;
    text::Diagnostics diagnostics;
    const int number = sources.add("test.tr", source);
    program_ = lang::resolve(lang::parse(sources, number, diagnostics), diagnostics);
    for (const auto& d : diagnostics.all()) CHECK_MESSAGE(d.severity != text::Severity::error, d.message);
    REQUIRE(program_);
    for (const lang::TensorInfo& info : program_->tensors) {
      tensor::Index shape;
      for (const math::Affine& size : info.shape) shape.push_back(size.constant);
      auto t =
          tensor::Tensor::create(info.type, shape, format::Format::dense(static_cast<int>(shape.size())), info.fill);
      REQUIRE(t);
      const auto input = inputs.find(info.name);
      for (std::size_t i = 0; input != inputs.end() && i < input->second.size(); ++i)
        t->set_flat(static_cast<std::int64_t>(i), Value::of(info.type, input->second[i]));
      before_.tensors.emplace(info.name, *t);
    }
    const auto evaluation = check::evaluate(*program_, program_->kernels.at(0), before_);
    REQUIRE(!evaluation.problem);
    after_ = evaluation.results;
  }

  double value(const std::string& tensor, std::int64_t at = 0) const {
    return after_.at(tensor).get_flat(at).as_double();
  }

  check::Report check() const {
    return check::compare(*program_, program_->kernels.at(0), before_, after_, check::By::equations);
  }
  /// With one element left as another value.
  check::Report check_with(const std::string& tensor, std::int64_t at, double value) const {
    Example other = *this;
    tensor::Tensor& changed = other.after_.at(tensor) = other.after_.at(tensor).clone();
    changed.set_flat(at, Value::of(changed.type(), value));
    return other.check();
  }
  bool holds_with(const std::string& tensor, std::int64_t at, double value) const {
    return !check_with(tensor, at, value).first;
  }

 private:
  std::optional<lang::Program> program_;
  check::State before_;
  std::map<std::string, tensor::Tensor> after_;
};

}  // namespace

TEST_CASE("where values cancel, equations hold although elements differ by much") {
  // (1e14 + 0.3) - 1e14 is 0.296875, from the right it is 0.3.
  const Example k("tensor a(3); s = sum(k)(a(k)); y = s*s + 1", {{"a", {1e14, 0.3, -1e14}}});
  CHECK(k.value("s") == 0.296875);
  const auto report = k.check_with("s", 0, 0.3);
  REQUIRE(report.first);  // y is that of the other s
  CHECK(report.first->tensor == "y");
  CHECK(report.first->equation == "y = s*s + 1");
  const Example alone("tensor a(3); s = sum(k)(a(k))", {{"a", {1e14, 0.3, -1e14}}});
  CHECK(alone.holds_with("s", 0, 0.3));
  CHECK(alone.check_with("s", 0, 0.3).max_of_bound > 0);
  CHECK_FALSE(alone.holds_with("s", 0, 3));
}

TEST_CASE("a recurrence is tried element by element, each on those that the kernel left") {
  const Example k("tensor L(3, 3); tensor b(3); tensor x(3)\nx(i) = (b(i) - sum(j)(L(i,j)*x(j)))/L(i,i) : j < i",
                  {{"L", {3, 0, 0, 1, 7, 0, 2, 5, 9}}, {"b", {1, 2, 3}}});
  const auto report = k.check();
  CHECK(report.by == check::By::equations);
  CHECK_FALSE(report.first);
  CHECK(report.elements == 3);
  CHECK(k.holds_with("x", 2, k.value("x", 2) * (1 + 1e-15)));
  CHECK_FALSE(k.holds_with("x", 2, k.value("x", 2) * (1 + 1e-13)));
  const auto wrong = k.check_with("x", 0, 0.5);
  REQUIRE(wrong.first);
  CHECK(wrong.first->index == tensor::Index{0});
  CHECK(wrong.first->allowed < 1e-14);
}

TEST_CASE("errors grow with quotients, roots and functions of sums, not with what is exact") {
  const std::map<std::string, Numbers> data = {{"a", {0.1, 0.2, 0.3}}};
  for (const char* body :
       {"1/sum(k)(a(k))", "sqrt(sum(k)(a(k)))", "exp(sum(k)(a(k)))", "sin(sum(k)(a(k)))", "sum(k)(a(k))^3",
        "max(sum(k)(a(k)), 0.5)", "prod(k)(a(k))", "abs(-sum(k)(a(k)))", "log(sum(k)(a(k))) + 2"}) {
    CAPTURE(body);
    const Example k("tensor a(3); s = " + std::string(body), data);
    CHECK_FALSE(k.check().first);
    CHECK(k.holds_with("s", 0, std::nextafter(k.value("s"), 9)));
    CHECK_FALSE(k.holds_with("s", 0, k.value("s") * (1 + 1e-12)));
  }
  for (const char* body : {"max(k)(a(k))", "min(a(0), a(1))", "a(2)", "-a(1)"}) {
    CAPTURE(body);
    const Example k("tensor a(3); s = " + std::string(body), data);
    CHECK_FALSE(k.check().first);
    CHECK_FALSE(k.holds_with("s", 0, std::nextafter(k.value("s"), 9)));
  }
}

TEST_CASE("integers, truths and indices compare exactly, unless rounding decides them") {
  const std::map<std::string, Numbers> data = {{"a", {0.1, 0.2, 0.3}}};
  CHECK_FALSE(Example("tensor p(3): i64; s = sum(k)(p(k))", {{"p", {1, 2, 3}}}).holds_with("s", 0, 7));
  CHECK_FALSE(Example("tensor a(3); s = argmax(k)(a(k))", data).holds_with("s", 0, 1));
  CHECK_FALSE(Example("tensor a(3); s = sum(k)(a(k)) > 0.5", data).holds_with("s", 0, 0));
  CHECK_FALSE(Example("tensor a(3); s = i64(10*sum(k)(a(k)) + 0.5)", data).holds_with("s", 0, 5));
  // 0.1 + 0.2 + 0.3 is more than 0.6, 0.3 + 0.2 + 0.1 is not.
  const auto at_the_edge = Example("tensor a(3); s = sum(k)(a(k)) > 0.6 ? 1.0 : 2.0", data).check_with("s", 0, 2);
  CHECK_FALSE(at_the_edge.first);
  CHECK(at_the_edge.undecided == 1);
  CHECK(Example("tensor a(3); s = i64(10*sum(k)(a(k)))", data).holds_with("s", 0, 5));
  // Which of two sums is larger that may be the same?
  const Example ties("tensor A(2, 3); s = argmax(i)(sum(k)(A(i,k)))", {{"A", {0.1, 0.2, 0.3, 0.3, 0.2, 0.1}}});
  CHECK(ties.check().undecided == 1);
  CHECK(Example("tensor A(2, 3); s = argmax(i)(sum(k)(A(i,k)))", {{"A", {1, 2, 3, 3, 2, 2}}}).check().undecided == 0);
}

TEST_CASE("f32 has a wider bound, infinities and not-a-numbers none") {
  const Example k("tensor a(3): f32; s = sum(k)(a(k))", {{"a", {0.1, 0.2, 0.3}}});
  CHECK(k.holds_with("s", 0, k.value("s") * (1 + 1e-6)));
  CHECK_FALSE(k.holds_with("s", 0, k.value("s") * (1 + 1e-5)));
  const double inf = std::numeric_limits<double>::infinity();
  const Example infinite("tensor a(2); s = a(0) / a(1)", {{"a", {1, 0}}});
  CHECK_FALSE(infinite.check().first);
  CHECK_FALSE(infinite.holds_with("s", 0, -inf));
  CHECK_FALSE(infinite.holds_with("s", 0, 1));
  const Example none("tensor a(2); s = sqrt(a(0))", {{"a", {-1, 0}}});
  CHECK_FALSE(none.check().first);
  CHECK_FALSE(none.holds_with("s", 0, 1));
}

TEST_CASE("what no equation defines stays as it was, and so does what a mask leaves out") {
  const Example k("tensor a(4); tensor x(4)\nx(i) = 2*a(i) : i < 3", {{"a", {1, 2, 3, 4}}, {"x", {5, 5, 5, 5}}});
  CHECK_FALSE(k.check().first);
  CHECK(k.check().elements == 4);
  CHECK_FALSE(k.holds_with("x", 3, 4));
}

TEST_CASE("the bound of a sum is that of its terms") {
  const auto of = [](double value) { return check::Rounded{Value::of(ScalarType::f64, value), {}}; };
  const check::Rounding sum = check::of_sum(of(3), of(-2));
  CHECK(sum.terms == 2);
  CHECK(sum.bound() == doctest::Approx(8 * (1 + std::sqrt(2.0)) * 5 * std::numeric_limits<double>::epsilon()));
  CHECK(check::of_sum(of(3), of(0)).exact());
  CHECK(check::of_product(of(3), of(0)).exact());
}
