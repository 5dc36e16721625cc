#include "tests/bench/scaled_examples.hpp"

#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "tests/bench/contest.hpp"

namespace trellis::bench {
namespace {

const std::vector<ScaledExample> examples = {
    {"matmul", "main", {{"n", 200}, {"m", 200}, {"p", 200}}},
    {"cholesky", "main", {{"n", 200}}},
    {"ldlt", "main", {{"n", 200}}},
    {"lu", "main", {{"n", 200}}},
    {"qr", "main", {{"n", 150}, {"m", 150}}},
    {"floyd_warshall", "main", {{"n", 200}}},
    {"lower_solve", "main", {{"n", 4000}}},
    {"viterbi", "forward", {{"states", 200}, {"steps", 200}}},
    {"needleman_wunsch", "main", {{"n", 500}, {"m", 500}}},
    {"blur", "main", {{"n", 300}, {"m", 400}}},
    {"convolution", "main", {{"n", 3000}, {"m", 4000}}},
    {"jacobi", "main", {{"n", 300}, {"steps", 20}}},
    {"softmax", "main", {{"n", 500}, {"m", 500}}},
    {"max_plus", "walk", {{"n", 200}, {"steps", 50}}},
    {"integral_image", "sums", {{"n", 500}, {"m", 500}}},
    {"triangular_inverse", "invert", {{"n", 200}}},
    {"spmv", "main", {{"n", 1000}, {"m", 1000}}, "0.02"},
    {"spmm", "main", {{"n", 500}, {"m", 500}, {"r", 50}}, "0.02"},
    {"sddmm", "main", {{"n", 300}, {"m", 300}, {"r", 50}}, "0.02"},
    {"spgemm_rows", "main", {{"n", 300}}, "0.02"},
    {"spgemm_inner", "main", {{"n", 500}}, "0.02"},
    {"spgemm_outer", "main", {{"n", 300}}, "0.02"},
    {"masked_product", "main", {{"n", 300}}, "0.02"},
    {"triangles", "count", {{"n", 300}}, "0.05"},
    {"mttkrp", "main", {{"n", 50}, {"m", 50}, {"p", 50}, {"rank", 16}}, "0.02"},
    {"ttm", "main", {{"n", 40}, {"m", 40}, {"p", 40}, {"r", 16}}, "0.02"},
};

std::int64_t size_of(std::int64_t size) { return sized(size, std::min<std::int64_t>(size, 12)); }

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

}  // namespace

const std::vector<ScaledExample>& scaled_examples() { return examples; }

std::string program_of(const ScaledExample& c) {
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

void set_sizes(session::Options& options, const ScaledExample& c) {
  for (const auto& [name, size] : c.sizes)
    options.parameters[name] = format::Value::of_integer(format::ScalarType::i64, size_of(size));
}

std::string name_of(const ScaledExample& c) {
  std::string name = c.example, sizes;
  for (const auto& [parameter, size] : c.sizes)
    sizes += std::string(", ") + parameter + " = " + std::to_string(size_of(size));
  return name + sizes;
}

}  // namespace trellis::bench
