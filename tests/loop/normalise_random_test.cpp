// Random nests with guards run the same before and after normalisation: every assignment folds its iteration into an
// order-sensitive checksum, so a lost, repeated or moved iteration shows.

#include <random>

#include "engine/loop/interpret.hpp"
#include "engine/loop/normalise.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string nest() { return "for i in 0:n {\n" + body({"i"}, 2) + "}\n"; }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string one_of(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

  std::string side(const std::vector<std::string>& names) {
    std::vector<std::string> all = names;
    all.insert(all.end(), {"n", "m", "0", "2"});
    return one_of(all) + one_of({"", "", " + 1", " - 1"});
  }
  std::string relation() { return one_of({" < ", " <= ", " == ", " != ", " > ", " >= "}); }
  /// Of something that may be negative.
  std::string quotient(const std::string& side, const std::vector<std::string>& names) {
    return "(" + side + " - " + one_of({"0", "0", "3", one_of(names)}) + ")" + one_of({"/2", "/3", "%2"});
  }
  std::string comparison(const std::vector<std::string>& names) {
    const std::string left = one_of({"", "", "2*"}) + one_of(names);
    if (below(3) == 0) return quotient(left, names) + relation() + one_of({side(names), quotient(side(names), names)});
    return left + relation() + side(names);
  }
  std::string condition(const std::vector<std::string>& names) {
    std::string all = comparison(names);
    while (below(3) == 0) all += one_of({" && ", " || "}) + comparison(names);
    return all.find("||") != std::string::npos && below(2) ? "!(" + all + ")" : all;
  }

  std::string assignment(const std::vector<std::string>& names) {
    std::string value = std::to_string(++statements_);
    for (const std::string& name : names) value += " + " + std::to_string(2 + below(9)) + "*" + name;
    if (below(4) == 0) value = "(" + comparison(names) + " ? " + value + " : 0)";
    return "p(0) = p(0)*31 + " + value + "\n";
  }

  std::string body(const std::vector<std::string>& names, int depth) {
    std::string all;
    for (int count = 1 + below(3); count > 0; --count) {
      const int kind = below(6);
      if (kind < 2) {
        all += "if " + condition(names) + " {\n" +
               (depth > 0 && below(2) ? body(names, depth - 1) : assignment(names)) + "}" +
               (below(4) == 0 ? " else {\n" + assignment(names) + "}" : "") + "\n";
      } else if (kind < 5 && depth > 0) {
        const std::string name = "i" + std::to_string(++loops_);
        std::vector<std::string> inner = names;
        inner.push_back(name);
        all += "for " + name + (below(3) == 0 ? " down" : "") + " in " + one_of({"0", "0", side(names)}) + ":" +
               one_of({"n", "n", "m", side(names)}) + " {\n" + body(inner, depth - 1) + "}\n";
      } else {
        all += assignment(names);
      }
    }
    return all;
  }

  std::mt19937 random_;
  int statements_ = 0;
  int loops_ = 0;
};

std::int64_t checksum(const Stmt& stmt, std::int64_t n, std::int64_t m) {
  const auto i64 = format::ScalarType::i64;
  Bindings bindings;
  bindings.parameters = {{"n", format::Value::of_integer(i64, n)}, {"m", format::Value::of_integer(i64, m)}};
  const format::Value zero = format::Value::of_integer(i64, 0);
  bindings.tensors["p"] = *tensor::Tensor::create(i64, {1}, format::Format::dense(1), zero);
  REQUIRE(interpret(stmt, bindings).end == Execution::End::finished);
  return bindings.tensors["p"].get_flat(0).integer;
}

}  // namespace

TEST_CASE("normalisation keeps every iteration and their order") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const std::string notation = Generator(seed).nest();
    const Stmt before = loops(notation);
    const Stmt after = normalise(before, world(), solver());
    INFO("seed " << seed << "\n" << notation << "became\n" << to_string(after));
    REQUIRE(verify(after, world()) == "");
    CHECK(loops(to_string(after)) == after);
    for (std::int64_t n = 0; n <= 4; ++n) {
      for (std::int64_t m : {0, 1, 3, 6}) REQUIRE(checksum(before, n, m) == checksum(after, n, m));
    }
  }
}
