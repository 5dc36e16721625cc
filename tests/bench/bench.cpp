#include "tests/bench/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace trellis::bench {
namespace {

struct Benchmark {
  const char* name;
  Table (*run)(const Options&);
};
constexpr Benchmark benchmarks[] = {{"compile", bench_compile},
                                    {"edits", bench_edits},
                                    {"dense", bench_dense},
                                    {"sparse", bench_sparse},
                                    {"pack", bench_pack},
                                    {"masks", bench_masks},
                                    {"structures", bench_structures},
                                    {"shapes", bench_shapes},
                                    {"layouts", bench_layouts},
                                    {"recurrences", bench_recurrences},
                                    {"arrays", bench_arrays},
                                    {"cost", bench_cost},
                                    {"plans", bench_plans},
                                    {"defaults", bench_defaults},
                                    {"advice", bench_advice},
                                    {"ranks", bench_ranks},
                                    {"machine", bench_machine}};

/// Further apart than what two orders of adding up give.
bool differs(const Row& row) { return row.difference && !(*row.difference < 1e-6); }

void print(const Table& table) {
  std::printf("%s: %s\n", table.name.c_str(), table.remark.c_str());
  for (const Row& row : table.rows) {
    if (row.mean) {
      std::printf("  %-62s ratio %.2f\n", row.name.c_str(), *row.mean);
      continue;
    }
    if (row.failed.empty()) std::printf("  %-62s %9.3f ms ± %.3f", row.name.c_str(), row.ours_ms, row.spread_ms);
    else std::printf("  %-62s FAILS (%s)", row.name.c_str(), row.failed.c_str());
    if (!row.peer.empty()) std::printf("   %s %9.3f ms", row.peer.c_str(), row.peer_ms);
    if (!row.peer.empty() && row.failed.empty()) std::printf("   ratio %.2f", row.ratio());
    if (row.target > 0) std::printf(row.peer.empty() ? "   (aim: below %g ms)" : "   (aim: %g)", row.target);
    if (row.agreement) std::printf("   rank correlation %.2f", *row.agreement);
    if (differs(row)) std::printf("   DIFFERS by %.1e", *row.difference);
    std::printf("\n");
  }
  std::fflush(stdout);
}

void print_json(const Table& table) {
  nlohmann::ordered_json json{{"benchmark", table.name}, {"remark", table.remark}};
  for (const Row& row : table.rows) {
    if (row.mean) {
      json["rows"].push_back({{"name", row.name}, {"ratio", *row.mean}});
      continue;
    }
    nlohmann::ordered_json item{{"name", row.name}, {"median_ms", row.ours_ms}, {"mad_ms", row.spread_ms}};
    if (!row.peer.empty()) {
      item["peer"] = row.peer;
      item["peer_ms"] = row.peer_ms;
      item["ratio"] = row.ratio();
    }
    if (!row.failed.empty()) item["failed"] = row.failed;
    if (row.difference) item["difference"] = *row.difference;
    if (row.agreement) item["rank_correlation"] = *row.agreement;
    json["rows"].push_back(item);
  }
  std::printf("%s\n", json.dump().c_str());
}

const Benchmark* find(const std::string& name) {
  for (const Benchmark& benchmark : benchmarks)
    if (name == benchmark.name) return &benchmark;
  return nullptr;
}

}  // namespace

int run(const std::vector<std::string>& names, const Options& options, bool json) {
  std::vector<const Benchmark*> chosen;
  for (const std::string& name : names) {
    chosen.push_back(find(name));
    if (!chosen.back()) {
      std::string all;
      for (const Benchmark& benchmark : benchmarks) all += std::string(" ") + benchmark.name;
      std::fprintf(stderr, "trellis: there is no benchmark `%s`; there are:%s\n", name.c_str(), all.c_str());
      return 2;
    }
  }
  if (names.empty())
    for (const Benchmark& benchmark : benchmarks) chosen.push_back(&benchmark);
  bool right = true;
  for (const Benchmark* benchmark : chosen) {
    const Table table = benchmark->run(options);
    json ? print_json(table) : print(table);
    for (const std::string& row : table.broken)
      std::fprintf(stderr, "trellis: %s: `%s` does not compile\n", table.name.c_str(), row.c_str());
    right = right && table.broken.empty() && std::ranges::none_of(table.rows, differs);
  }
  return right || !options.once ? 0 : 4;
}

}  // namespace trellis::bench
