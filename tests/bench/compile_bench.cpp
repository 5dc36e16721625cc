// How long the compiler itself takes.
#include "engine/compile.hpp"
#include "engine/explore/orders.hpp"
#include "engine/lang/parse.hpp"
#include "engine/run/kernel.hpp"
#include "engine/session/session.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/measure.hpp"

namespace trellis::bench {
namespace {

struct Source {
  std::string name;
  std::string text;
};

const Source all_sources[] = {
    {"Cholesky j k i",
     "tensor A(n, n)\ntensor L(n, n)\n"
     "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
     "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\norder j k i\n"},
    {"LU i j k",
     "tensor A(n, n)\ntensor L(n, n)\ntensor U(n, n)\n"
     "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i, i <= j\n"
     "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\norder i j k\n"},
    {"Viterbi j i k",
     "tensor A(n, n)\ntensor B(n, m)\ntensor start(n)\ntensor V(n, m)\n"
     "V(i,0) = start(i) * B(i,0)\nV(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i,j) : 1 <= j\norder j i k\n"},
    {"Floyd-Warshall k i j", "tensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\norder k i j\n"},
    {"tiled matrix product",
     "tensor A(n, n)\ntensor B(n, n)\ntensor C(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i j k\ntile i j 32 "
     "32\nreorder k j_i\n"},
    {"matrix product i k j",
     "tensor A(n, n)\ntensor B(n, n)\ntensor C(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n"},
};

/// Every stage with its milliseconds, in pipeline order.
StageTimes to_c(const Source& source) {
  text::Sources texts;
  text::Diagnostics diagnostics;
  const int number = texts.add(source.name, source.text);
  lang::syntax::File file;
  std::optional<lang::Program> program;
  StageTimes times;
  times.entries.push_back({"parse", time_once([&] { file = lang::parse(texts, number, diagnostics); })});
  times.entries.push_back({"resolve", time_once([&] { program = lang::resolve(file, diagnostics); })});
  const Compilation compilation = compile(*program, program->kernels.front(), diagnostics);
  times.entries.insert(times.entries.end(), compilation.times.entries.begin(), compilation.times.entries.end());
  return times;
}

// Everything that stands between pressing return and seeing numbers.
void to_first_result(const Source& source) {
  session::Session session({});
  session.feed("bench", std::string("param n = 100\nparam m = 100\n") + source.text + "run jit\n",
               [](const session::Reply&) {});
}

void all_orders(const Source& source) {
  text::Sources texts;
  text::Diagnostics diagnostics;
  const int number = texts.add(source.name, source.text);
  const auto program = lang::resolve(lang::parse(texts, number, diagnostics), diagnostics);
  const lang::Kernel& kernel = program->kernels.front();
  const auto analysis = place::analyse(*program, kernel, diagnostics);
  explore::orders(explore::judge(*analysis), *kernel.schedule.order, explore::Directions::ascending);
}

/// A row for each stage: medians of as many compilations.
void add_stages(Table& table, const Source& source, int runs) {
  std::vector<std::string> stages;
  std::vector<std::vector<double>> values;
  for (int run = 0; run < runs; ++run) {
    const StageTimes times = to_c(source);
    values.resize(times.entries.size());
    stages.clear();
    for (std::size_t stage = 0; stage < times.entries.size(); ++stage) {
      stages.push_back(times.entries[stage].stage);
      values[stage].push_back(times.entries[stage].ms);
    }
  }
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const Summary summary = summarise(values[stage]);
    table.rows.push_back({"  " + stages[stage], summary.median, summary.deviation, "", 0, 0});
  }
}

/// `y(i) = v0(i) + v1(i) + …`, all of them sparse.
Source operands(int count) {
  std::string text = "tensor y(n): compressed\n", sum;
  for (int k = 0; k < count; ++k) {
    const std::string name = "v" + std::to_string(k);
    text += "tensor " + name + "(n): compressed\n";
    sum += (k > 0 ? " + " : "") + name + "(i)";
  }
  return {"a sum of " + std::to_string(count) + " sparse vectors", text + "y(i) = " + sum + "\n"};
}

/// Loops in each other, each over the union of three sparse vectors.
Source nested_unions(int depth) {
  std::string text = "tensor s\n", product, loops;
  for (int d = 0; d < depth; ++d) {
    const std::string index(1, static_cast<char>('i' + d));
    std::string factor;
    for (const char* letter : {"a", "b", "c"}) {
      const std::string name = letter + std::to_string(d);
      text += "tensor " + name + "(n): compressed\n";
      factor += (factor.empty() ? "" : " + ") + name + "(" + index + ")";
    }
    product += (d > 0 ? " * (" : "(") + factor + ")";
    loops += (d > 0 ? "," : "") + index;
  }
  return {std::to_string(depth) + " nested unions of three", text + "s = sum(" + loops + ")(" + product + ")\n"};
}

enum class Reads { one_tensor, the_one_before };

Source equations(int count, Reads reads) {
  std::string text = "tensor x(n)\n", all;
  for (int k = 0; k < count; ++k) {
    const std::string name = "y" + std::to_string(k);
    text += "tensor " + name + "(n)\n";
    all += name + "(i) = 2 * " + (reads == Reads::one_tensor || k == 0 ? "x" : "y" + std::to_string(k - 1)) + "(i)\n";
  }
  const std::string how = reads == Reads::one_tensor ? " independent equations" : " equations in a chain";
  return {std::to_string(count) + how, text + all};
}

/// At a prompt: a tensor, its data and an equation about it, over and over.
void data_and_equations_in_turns(int count) {
  session::Session session({});
  const auto enter = [&](const std::string& entry) { session.enter("bench", entry, [](const session::Reply&) {}); };
  for (int k = 0; k < count; ++k) {
    const std::string number = std::to_string(k), x = "x" + number;
    enter("tensor " + x + "(4)");
    enter("random " + x);
    enter("y" + number + "(i) = 2 * " + x + "(i)");
  }
}

/// What the time grows with: each row doubles or more what the one before has.
std::vector<Source> growing() {
  std::vector<Source> all;
  for (const int count : {8, 16, 32}) all.push_back(operands(count));
  for (const int depth : {1, 2, 3, 4}) all.push_back(nested_unions(depth));
  for (const Reads reads : {Reads::one_tensor, Reads::the_one_before})
    for (const int count : {100, 300, 1000})
      if (count == 100 || !only_small()) all.push_back(equations(count, reads));
  return all;
}

Row row(const std::string& name, Summary summary, double target) {
  return {name, summary.median, summary.deviation, "", 0, target};
}

}  // namespace

Table bench_compile(const Options&) {
  Table table{"compile", "medians of 15 runs, from source text", {}};
  for (const Source& source : all_sources) {
    const std::string& name = source.name;
    table.rows.push_back(row(name + ": to C", time_repeated(15, [&] { to_c(source); }), 10));
    add_stages(table, source, only_once() ? 1 : 15);
    table.rows.push_back(
        row(name + ": to the first result, n = 100", time_repeated(15, [&] { to_first_result(source); }), 15));
    table.rows.push_back(row(name + ": all ascending orders", time_repeated(5, [&] { all_orders(source); }), 200));
  }
  for (const Source& source : growing())
    table.rows.push_back(row(source.name + ": to C", time_repeated(3, [&] { to_c(source); }), 1000));
  for (const int count : {100, 300, 1000})
    if (count == 100 || !only_small())
      table.rows.push_back(row(std::to_string(count) + " data and equations in turns",
                               time_repeated(3, [&] { data_and_equations_in_turns(count); }), 3000));
  return table;
}

}  // namespace trellis::bench
