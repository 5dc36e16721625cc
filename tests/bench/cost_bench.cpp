// Estimates beside the clock: the legal orders of kernels of examples/, at sizes that take a while, each estimated and
// measured. What counts is whether both rank them alike.
#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "engine/session/running/kept_machine.hpp"
#include "engine/session/session.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/rank_correlation.hpp"

namespace trellis::bench {
namespace {

using Sizes = std::vector<std::pair<const char*, std::int64_t>>;

struct Case {
  const char* example;
  const char* kernel;
  Sizes sizes;
  const char* density = "";  ///< of what is filled sparsely, instead of what the example says
};

const Case cases[] = {
    {"matmul", "main", {{"n", 200}, {"m", 200}, {"p", 200}}},
    {"cholesky", "main", {{"n", 200}}},
    {"ldlt", "main", {{"n", 200}}},
    {"lu", "main", {{"n", 200}}},
    {"qr", "main", {{"n", 150}, {"m", 150}}},
    {"floyd_warshall", "main", {{"n", 200}}},
    {"lower_solve", "main", {{"n", 1000}}},
    {"viterbi", "forward", {{"states", 200}, {"steps", 200}}},
    {"needleman_wunsch", "main", {{"n", 500}, {"m", 500}}},
    {"blur", "main", {{"n", 300}, {"m", 400}}},
    {"convolution", "main", {{"n", 300}, {"m", 400}}},
    {"jacobi", "main", {{"n", 300}, {"steps", 20}}},
    {"softmax", "main", {{"n", 500}, {"m", 500}}},
    {"max_plus", "walk", {{"n", 200}, {"steps", 50}}},
    {"integral_image", "sums", {{"n", 500}, {"m", 500}}},
    {"triangular_inverse", "invert", {{"n", 200}}},
    {"spmv", "main", {{"n", 1000}, {"m", 1000}}, "0.02"},
    {"spmm", "main", {{"n", 500}, {"m", 500}, {"r", 50}}, "0.02"},
    {"sddmm", "main", {{"n", 300}, {"m", 300}, {"r", 50}}, "0.02"},
    {"spgemm_rows", "main", {{"n", 300}}, "0.02"},
    {"spgemm_inner", "main", {{"n", 300}}, "0.02"},
    {"spgemm_outer", "main", {{"n", 300}}, "0.02"},
    {"masked_product", "main", {{"n", 300}}, "0.02"},
    {"triangles", "count", {{"n", 300}}, "0.05"},
    {"mttkrp", "main", {{"n", 50}, {"m", 50}, {"p", 50}, {"rank", 16}}, "0.02"},
    {"ttm", "main", {{"n", 40}, {"m", 40}, {"p", 40}, {"r", 16}}, "0.02"},
};

bool begins_with(const std::string& line, std::initializer_list<const char*> words) {
  const std::size_t first = line.find_first_not_of(' ');
  for (const std::string word : words)
    if (first != std::string::npos && line.compare(first, word.size(), word) == 0) return true;
  return false;
}

/// `fill_with A [[1, 2], [3, 4]]` becomes `random A seed 1 density 1`, which has any size.
void fill_at_random(std::string& text) {
  for (std::size_t at; (at = text.find("\nfill_with ")) != std::string::npos;) {
    const std::size_t name = at + 11, end = text.find(' ', name);
    std::size_t close = text.find('[', end);
    for (int depth = 0; close < text.size(); ++close) {
      depth += text[close] == '[' ? 1 : text[close] == ']' ? -1 : 0;
      if (depth == 0) break;
    }
    text.replace(at, close + 1 - at, "\nrandom " + text.substr(name, end - name) + " seed 1 density 1");
  }
}

/// The example without its schedule and without what it shows.
std::string program_of(const Case& c) {
  std::string text, all;
  for (const session::Example& example : session::example_programs)
    if (example.name == c.example) all = example.text;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    std::string line = all.substr(at, end - at);
    at = end + 1;
    if (begins_with(line, {"check", "print", "plot", "order ", "parallel", "workspace", "tile", "vectorize"})) continue;
    const std::size_t density = line.find(" density 0.");
    if (*c.density && density != std::string::npos) {
      const std::size_t number = density + 9;
      line.replace(number, std::min(line.find(' ', number), line.size()) - number, c.density);
    }
    if (const std::size_t order = line.find("; order "); order != std::string::npos)
      line.erase(order, line.find_first_of(";}", order + 1) - order);
    text += line + "\n";
  }
  fill_at_random(text);
  return text;
}

Sizes sizes_of(const Case& c) {
  Sizes sizes = c.sizes;
  for (auto& [name, size] : sizes) size = sized(size, std::min<std::int64_t>(size, 12));
  return sizes;
}

/// The table that `orders KERNEL time native` shows; empty when there is none.
std::optional<explore::OrderTable> measured(const Case& c) {
  session::Options options;
  if (!only_once()) options.machine = session::kept_machine();
  options.limits.seconds = 120;
  for (const auto& [name, size] : sizes_of(c))
    options.parameters[name] = format::Value::of_integer(format::ScalarType::i64, size);
  std::optional<explore::OrderTable> table;
  session::Session session(options);
  session.feed(c.example, program_of(c) + "orders " + c.kernel + " time " + (only_small() ? "jit" : "native") + "\n",
               [&](const session::Reply& reply) {
                 if (const auto* listed = std::get_if<session::OrdersListed>(&reply.result)) table = listed->table;
               });
  return table;
}

std::string name_of(const Case& c) {
  std::string name = c.example, sizes;
  for (const auto& [parameter, size] : sizes_of(c))
    sizes += std::string(", ") + parameter + " = " + std::to_string(size);
  return name + sizes;
}

/// Ours: the order with the least estimate. The peer: the fastest one.
std::optional<Row> row_of(const Case& c) {
  const auto table = measured(c);
  if (!table) return std::nullopt;
  std::vector<double> estimated, timed;
  for (const explore::Verdict& v : table->orders)
    if (v.cost && v.median_ms) estimated.push_back(*v.cost), timed.push_back(*v.median_ms);
  if (timed.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(timed);
  Row row{name_of(c), timed.front(), 0, "the fastest of " + std::to_string(timed.size()), least, 0};
  constexpr double differs = 1.1;
  if (most > differs * least) row.agreement = rank_correlation(estimated, timed);
  return row;
}

}  // namespace

Table bench_cost(const Options&) {
  Table table{"cost", "", {}};
  double sum = 0;
  int ranked = 0;
  for (const Case& c : cases) {
    const auto row = row_of(c);
    if (!row && only_once()) table.broken.push_back(c.example);
    if (!row) continue;
    if (row->agreement) sum += *row->agreement, ++ranked;
    table.rows.push_back(*row);
  }
  char mean[160];
  std::snprintf(mean, sizeof mean,
                "the order that is estimated to be fastest beside the fastest one; mean rank correlation of estimates "
                "and medians over %d "
                "kernels: %.2f (aim: 0.8)",
                ranked, ranked ? sum / ranked : 0.0);
  table.remark = mean;
  return table;
}

}  // namespace trellis::bench
