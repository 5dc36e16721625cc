// Kernels on ranks that MPI starts, beside the same by hand. Both say how long their ranks took between two barriers.
#include <cstdio>
#include <fstream>
#include <memory>

#include "engine/distribute/cuts.hpp"
#include "engine/lang/parse.hpp"
#include "engine/run/backends.hpp"
#include "engine/run/cache.hpp"
#include "engine/run/on_mpi.hpp"
#include "engine/run/process.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/factor_problems.hpp"
#include "tests/bench/ranks_by_hand.hpp"
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

constexpr int ranks = 2;

struct OnRanks {
  std::string name, program;
  run::Bindings data;         ///< sizes, and tensors that the program is given
  std::string given, result;  ///< dense tensors that the program by hand reads and writes
  const char* by_hand;
  std::vector<std::string> defined;
};

OnRanks heat(std::int64_t n, std::int64_t count) {
  OnRanks p{"heat, " + std::to_string(n) + " x " + std::to_string(n) + ", " + std::to_string(count) + " steps, 2 ranks",
            "param n = " + std::to_string(n) + "\nparam steps = " + std::to_string(count) +
                "\ntensor u(n, n)\n"
                "u[t](i,j) = u[t-1](i,j) + 0.1 * (u[t-1](i-1,j) + u[t-1](i+1,j) + u[t-1](i,j-1) + u[t-1](i,j+1)"
                " - 4*u[t-1](i,j)) : 1 <= i < n-1, 1 <= j < n-1, t < steps\norder t i j\nvectorize j\nranks p\n"
                "distribute i over p\n",
            {},
            "u",
            "u",
            heat_by_hand,
            {"-DN=" + std::to_string(n), "-DSTEPS=" + std::to_string(count)}};
  p.data.sizes = {{"n", n}, {"steps", count}};
  p.data.arrays = {{"u", random_matrix(n, n, 1)}};
  return p;
}

OnRanks conjugate_gradients(std::int64_t side, std::int64_t count) {
  const std::int64_t n = side * side * side;
  const std::string s = std::to_string(side);
  OnRanks p{"conjugate gradients, " + s + "x" + s + "x" + s + " grid, " + std::to_string(count) + " steps, 2 ranks",
            "param n = " + std::to_string(n) + "\nparam steps = " + std::to_string(count) +
                "\ntensor A(n, n): csr\ntensor b(n)\ntensor x(n)\n"
                "r[-1](i) = b(i) - sum(j)(A(i,j)*x[-1](j))\np[-1](i) = r[-1](i)\nrs[-1] = sum(i)(r[-1](i)^2)\n"
                "q[t](i) = sum(j)(A(i,j)*p[t-1](j)) : t < steps\nalpha[t] = rs[t-1] / sum(i)(p[t-1](i)*q[t](i))\n"
                "x[t](i) = x[t-1](i) + alpha[t]*p[t-1](i)\nr[t](i) = r[t-1](i) - alpha[t]*q[t](i)\n"
                "rs[t] = sum(i)(r[t](i)^2)\np[t](i) = r[t](i) + rs[t]/rs[t-1]*p[t-1](i)\n"
                "order t i j\nranks w\ndistribute i over w\n",
            {},
            "b",
            "x",
            cg_by_hand,
            {"-DSIDE=" + s, "-DSTEPS=" + std::to_string(count)}};
  p.data.sizes = {{"n", n}, {"steps", count}};
  p.data.arrays = {{"A", packed(grid_matrix(side, 3), *format::Format::named("csr", 2), no_entry)},
                   {"b", random_vector(n, 2)}};
  return p;
}

/// What a run of ours needs.
struct Ours {
  run::Kernel kernel;
  run::RankJob job;
  std::shared_ptr<run::Bindings> written;
};

std::optional<Measured> ours(const OnRanks& p) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(sources, sources.add("bench", p.program), diagnostics);
  const auto program = lang::resolve(file, diagnostics);
  if (!program) return std::nullopt;
  const Compilation whole = compile(*program, program->kernels.front(), diagnostics);
  const distribute::Numbers sizes(p.data.sizes.begin(), p.data.sizes.end());
  const auto cuts = whole.distributed ? distribute::cut(*whole.distributed, {ranks}, sizes) : std::nullopt;
  const auto of_rank = cuts ? session::compiled_for_ranks(whole, diagnostics) : std::nullopt;
  if (!of_rank) return std::nullopt;
  const run::RankPlan plan = session::rank_plan(*whole.distributed, *of_rank);
  run::Bindings bindings = with_tensors(p.program, p.data);
  for (const std::string& size : plan.sizes) bindings.sizes[size] = cuts->sizes.at(size);
  auto made = run::compile(of_rank->module, run::Backend::native, {});
  auto* const kernel = std::get_if<run::Kernel>(&made);
  auto job = kernel ? run::rank_job(kernel->module(), plan, bindings, cuts->grid, cuts->places, false) : std::nullopt;
  if (!job) return std::nullopt;
  const auto held = std::make_shared<Ours>(
      Ours{std::move(*kernel), std::move(*job), std::make_shared<run::Bindings>(std::move(bindings))});
  const auto run = [held] {
    const run::MpiOutcome ran = run::execute_on_mpi(held->kernel, held->job, {.seconds = 120});
    if (!ran.ran.outcome.message.empty()) std::fprintf(stderr, "trellis: %s\n", ran.ran.outcome.message.c_str());
    return ran.ran.outcome.run_ms;
  };
  return Measured(run, held->written);
}

struct Hand {
  run::ScratchFolder folder;
  std::shared_ptr<run::Bindings> written = std::make_shared<run::Bindings>();
};

void write_numbers(const std::string& path, const tensor::Tensor& dense) {
  std::ofstream(path, std::ios::binary)
      .write(static_cast<const char*>(dense.array(-1, format::Array::values)),
             static_cast<std::streamsize>(dense.array_bytes(-1, format::Array::values)));
}

std::optional<Measured> theirs(const OnRanks& p) {
  const auto held = std::make_shared<Hand>();
  const tensor::Tensor& given = p.data.arrays.at(p.given);
  held->written->arrays = {{p.result, given.clone()}};
  const std::string source = held->folder.file("program.c"), program = held->folder.file("program");
  std::ofstream(source) << p.by_hand;
  write_numbers(held->folder.file("given"), given);
  write_numbers(held->folder.file("result"), given);  // as large
  std::vector<std::string> command{run::mpi_compiler(), "-O3", "-march=native", "-falign-loops=64"};
  command.insert(command.end(), p.defined.begin(), p.defined.end());
  command.insert(command.end(), {"-o", program, source});
  if (!run::run_program(command).succeeded()) return std::nullopt;
  const auto run = [held, program, result = p.result] {
    std::vector<std::string> start = run::mpi_command(held->folder.path(), ranks, 1);
    start.insert(start.end(), {program, held->folder.file("given"), held->folder.file("result")});
    const run::Finished ran = run::run_program(start, run::Wait(120), held->folder.path());
    const std::size_t told = ran.output.find("took ");
    const tensor::Tensor& read = held->written->arrays.at(result);
    if (only_once())
      std::ifstream(held->folder.file("result"), std::ios::binary)
          .read(static_cast<char*>(read.array(-1, format::Array::values)),
                static_cast<std::streamsize>(read.array_bytes(-1, format::Array::values)));
    return told == std::string::npos ? 0 : std::atof(ran.output.c_str() + told + 5);
  };
  return Measured(run, held->written);
}

}  // namespace

Table bench_ranks(const Options&) {
  if (run::in_path(run::mpi_compiler()).empty() || run::in_path(run::mpi_starter()).empty())
    return {"ranks", "SKIPPED: there is no mpicc or no mpiexec", {}};
  std::vector<std::optional<Row>> rows;
  for (const OnRanks& p : {heat(sized(1024, 24), sized(400, 4)), conjugate_gradients(sized(64, 6), sized(60, 4))})
    rows.push_back(contest(p.name, {"", ours(p)}, {"MPI by hand", theirs(p)}, 9, 0.9));
  Table table = table_of("ranks", std::move(rows));
  table.remark = "2 ranks over MPI, native, in turns, medians";
  return table;
}

}  // namespace trellis::bench
