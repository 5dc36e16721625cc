// Plans of random programs: a kernel made of a kernel computes what the reference computes of the equations as written.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/plan/copies.hpp"
#include "engine/plan/inverse_lists.hpp"
#include "engine/run/backends.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/inverse_lists.hpp"
#include "tests/random/candidates.hpp"
#include "tests/random/generate_gathers.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/random_format.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

std::optional<Compilation> compiled(const plan::Made& made) {
  text::Diagnostics said;
  Compilation compilation = compile(lang::part_for(made.program, made.kernel), made.kernel, said);
  return said.has_errors() || compilation.rejected ? std::nullopt : std::optional(std::move(compilation));
}

std::int64_t size_at(const math::Affine& size, const check::State& state) {
  return *size.evaluate(
      [&](const std::string& name) -> std::optional<std::int64_t> { return state.parameters.at(name).as_integer(); });
}

/// With what is laid out for the plan, and results that it computes besides.
check::State laid_out(const plan::Made& made, check::State before) {
  for (const std::string& copy : made.laid_out) {
    const lang::TensorInfo& info = *made.program.tensor(copy);
    const tensor::Tensor& of = before.tensors.at(info.derived_from());
    before.tensors[copy] = info.inverse_of.empty()
                               ? tensor::convert(of, info.format, tensor::ExplicitFills::kept).value()
                               : tensor::inverse_lists(of, size_at(info.shape.front(), before)).value();
  }
  for (const std::string& result : made.kernel.results()) {
    if (before.tensors.contains(result)) continue;
    const lang::TensorInfo& info = *made.program.tensor(result);
    tensor::Index shape;
    for (const math::Affine& size : info.shape) shape.push_back(size_at(size, before));
    before.tensors[result] = tensor::Tensor::create(info.type, shape, info.format, info.fill).value();
  }
  return before;
}

/// What the kernel of a plan computes otherwise than the reference does of the program; nothing where there is no plan.
std::vector<std::string> differences(const Candidate& c, const std::optional<plan::Made>& made) {
  if (!made) return {};
  const auto compilation = compiled(*made);
  if (!compilation) return {"does not compile"};
  const auto code = run::compile(compilation->module, run::Backend::jit);
  const auto* runs = std::get_if<run::Kernel>(&code);
  if (!runs) return {std::get<run::CompileError>(code).message};
  return {differs(c.program, c.seed,
                  [&](const check::State& before) { return executed(c.program, *runs, laid_out(*made, before)); })};
}

Draft sparse(Dice& dice) { return generate_sparse(dice, {85, 30}); }

/// Products of matrices and vectors in any formats, over which sums run, with data; now and then a sum of products, in
/// another algebra, or names that a plan would have taken.
class Product {
 public:
  explicit Product(std::uint64_t seed) : dice_(seed), type_(dice_.chance(20) ? " i64" : ""), dense_(dice_.chance(25)) {}

  std::string program() {
    const std::string body = dice_.chance(25) ? product() + (dice_.chance(50) ? " + " : " - ") + product() : product();
    std::vector<std::string> left, summed;
    for (const std::string& index : used_) (left.size() < 2 && dice_.chance(50) ? left : summed).push_back(index);
    if (left.size() == 2 && dice_.chance(40)) std::swap(left[0], left[1]);
    const std::string sum = summed.empty() ? body : "sum(" + list(summed) + ")(" + body + ")";
    // Now and then a result that somebody declared.
    if (left.size() == 2 && dice_.chance(20))
      declared_ +=
          "tensor r(n, n): " + dice_.pick<std::string>({"csr", "csc", "{compressed, compressed}"}) + type_ + "\n";
    const std::string result = left.empty() ? "r" : "r(" + list(left) + ")";
    return "param n = " + std::to_string(3 + dice_.below(9)) + "\n" + declared_ + result + " = " + sum + "\n";
  }

 private:
  std::vector<std::string> some_indices(int count) {
    std::vector<std::string> some;
    while (static_cast<int>(some.size()) < count)
      if (const std::string index = dice_.pick(indices_); std::ranges::find(some, index) == some.end())
        some.push_back(index);
    return some;
  }

  std::string product() {
    std::string text;
    const int factors = 2 + dice_.below(2);
    for (int f = 0; f < factors; ++f) text += (f ? " * " : "") + factor();
    return text;
  }

  std::string factor() {
    const std::vector<std::string> at = some_indices(1 + (dice_.chance(75) ? 1 : 0));
    used_.insert(at.begin(), at.end());
    const std::string name = fresh();
    const bool matrix = at.size() == 2;
    const std::string format = dense_   ? "dense"
                               : matrix ? dice_.pick<std::string>({"csr", "csr", "csc", "dense", "coo"})
                                        : dice_.pick<std::string>({"dense", "dense", "{compressed}"});
    declared_ += "tensor " + name + (matrix ? "(n, n)" : "(n)") + (format == "dense" && type_.empty() ? "" : ": ") +
                 (format == "dense" ? type_ : format + type_) + "\n" + "random " + name + " seed " +
                 std::to_string(1 + dice_.below(1000)) + " density 0." + std::to_string(2 + dice_.below(7)) + "\n";
    return name + "(" + list(at) + ")";
  }

  std::string fresh() {
    const std::vector<std::string> pool = {"A", "B", "C", "t1", "t2", "A_csc", "A_csr", "x", "t3", "B_csc", "D", "E"};
    while (true)
      if (const std::string name = dice_.pick(pool); names_.insert(name).second) return name;
  }

  Dice dice_;
  std::string type_;  ///< of all
  bool dense_;        ///< all of them
  const std::vector<std::string> indices_ = {"i", "j", "k", "l"};
  std::set<std::string> used_, names_;
  std::string declared_;
};

}  // namespace

TEST_CASE("random plans: what sessions choose agrees with the equations as they are written, run after run") {
  const int programs = wanted(36);
  int planned = 0;
  for (std::uint64_t seed = first_seed(420000), attempts = 0;
       planned < programs && attempts < 30 * static_cast<std::uint64_t>(programs); ++seed, ++attempts) {
    session::Options options;
    options.least_planned = 0;
    testing::Transcript session(options);
    const std::string program = Product(seed).program();
    CAPTURE(seed);
    CAPTURE(program);
    const auto first = session.say(program + "run\ncheck");
    const std::string answer = first.output + first.messages();
    CHECK_MESSAGE(first.ok(), answer);
    if (testing::contains(first.codes, "N0610") || testing::contains(first.codes, "N0611") ||
        testing::contains(first.codes, "N0613"))
      ++planned;
    const std::string loops = session.say("show loops").output;
    CHECK(session.say("run\ncheck").ok());
    CHECK(session.say("show loops").output == loops);
  }
  CHECK(planned == programs);
}

TEST_CASE("random plans: copies of operands in the order of the loops hold what the loops would search for") {
  try_others(first_seed(410000), wanted(36), sparse, [](const Candidate& c) {
    lang::Kernel kernel = c.program.kernel();
    kernel.schedule.order = c.order;
    return differences(c, plan::with_copies(c.program.program, kernel, c.compilation));
  });
}

TEST_CASE("random plans: what index tensors choose is what a walk along their inverse lists comes to") {
  try_others(first_seed(430000), wanted(36), generate_gathers, [](const Candidate& c) {
    lang::Kernel kernel = c.program.kernel();
    kernel.schedule = {};
    if (kernel.loops) return std::vector<std::string>();
    return differences(c, plan::with_inverse_lists(c.program.program, kernel, c.compilation));
  });
}

}  // namespace trellis::randomised
