// Native kernels beside the same loops written by hand: one compiler, the same flags, runs interleaved.
#include <string>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"
#include "engine/run/kernel.hpp"
#include "engine/tensor/random.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/measure.hpp"

namespace trellis::bench {
namespace {

constexpr std::int64_t n = 500;
constexpr int runs = 15;

struct Case {
  const char* order;
  const char* loops;  ///< by hand, around `C[i * n + j] += A[i * n + k] * B[k * n + j];`
};

constexpr Case cases[] = {
    {"i k j", "for (INT i = 0; i < n; i++) for (INT k = 0; k < n; k++) for (INT j = 0; j < n; j++)"},
    {"j k i", "for (INT j = 0; j < n; j++) for (INT k = 0; k < n; k++) for (INT i = 0; i < n; i++)"},
    {"i j k", "for (INT i = 0; i < n; i++) for (INT j = 0; j < n; j++) for (INT k = 0; k < n; k++)"},
};

emit::Module ours(const Case& c) {
  text::Sources texts;
  text::Diagnostics diagnostics;
  const int number = texts.add("bench", std::string("tensor A(n, n)\ntensor B(n, n)\ntensor C(n, n)\n"
                                                    "C(i,j) = sum(k)(A(i,k) * B(k,j))\norder ") + c.order + "\n");
  const auto program = lang::resolve(lang::parse(texts, number, diagnostics), diagnostics);
  return compile(*program, program->kernels.front(), diagnostics).module;
}

// The loops as a C programmer would write them, behind the adapter that all kernels have.
emit::Module by_hand(const Case& c, const std::string& index_type) {
  using Kind = emit::Argument::Kind;
  constexpr auto f64 = format::ScalarType::f64;
  emit::Module module;
  module.kernel = "hand";
  module.entry = "hand_entry";
  module.arguments = {{Kind::size, "n", format::ScalarType::i64, false}, {Kind::array, "A", f64, false},
                      {Kind::array, "B", f64, false}, {Kind::array, "C", f64, true}};
  module.source = "#define INT " + index_type + "\n"
      "static void hand(INT n, const double *restrict A, const double *restrict B, double *restrict C) {\n"
      "  for (INT i = 0; i < n; i++) for (INT j = 0; j < n; j++) C[i * n + j] = 0;\n  " + c.loops + "\n"
      "    C[i * n + j] += A[i * n + k] * B[k * n + j];\n}\n"
      "int hand_entry(void *const *arguments) {\n"
      "  hand((INT)*(const long *)arguments[0], arguments[1], arguments[2], arguments[3]);\n  return 0;\n}\n";
  return module;
}

run::Bindings bindings() {
  run::Bindings b;
  b.sizes["n"] = n;
  text::Diagnostics diagnostics;
  for (const char* name : {"A", "B", "C"}) {
    b.arrays[name] = *tensor::Tensor::create(format::ScalarType::f64, {n, n}, format::Format::dense(2),
                                             format::Value::of(format::ScalarType::f64, 0));
    tensor::fill_random(b.arrays[name], {}, {}, diagnostics);
  }
  return b;
}

double run_once(const run::Kernel& kernel, const run::Bindings& b) { return run::execute(kernel, b, {}).run_ms; }

}  // namespace

Table bench_dense() {
  Table table{"dense", "matrix product, n = 500, native, one thread; interleaved, medians of 15 runs", {}};
  const run::Bindings data = bindings();
  for (const Case& c : cases) {
    for (const std::string index_type : {"long", "int"}) {
      auto mine = run::compile(ours(c), run::Backend::native);
      auto hand = run::compile(by_hand(c, index_type), run::Backend::native);
      const auto* a = std::get_if<run::Kernel>(&mine);
      const auto* b = std::get_if<run::Kernel>(&hand);
      if (!a || !b) {
        table.remark = "not measured: " + std::get<run::CompileError>(a ? hand : mine).message;
        return table;
      }
      std::vector<double> ours_ms, hand_ms;
      run_once(*a, data), run_once(*b, data);
      for (int i = 0; i < runs; ++i) {
        ours_ms.push_back(run_once(*a, data));
        hand_ms.push_back(run_once(*b, data));
      }
      const Summary summary = summarise(ours_ms);
      table.rows.push_back({std::string("matrix product ") + c.order, summary.median, summary.deviation,
                            "by hand, " + index_type + " indices", run::median(hand_ms), 0.95});
    }
  }
  return table;
}

}  // namespace trellis::bench
