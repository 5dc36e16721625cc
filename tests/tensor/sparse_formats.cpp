#include "tests/tensor/sparse_formats.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/verify.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::tensor::testing {

std::int64_t draw(Random& random, std::int64_t below) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
}

format::Value f64(double number) { return format::Value::of(format::ScalarType::f64, number); }

Numbers32 numbers(const Tensor& tensor, int level, format::Array which) {
  const auto* begin = static_cast<const std::int32_t*>(tensor.array(level, which));
  return {begin, begin + tensor.array_bytes(level, which) / sizeof(std::int32_t)};
}

std::vector<double> stored_values(const Tensor& tensor) {
  const auto* begin = static_cast<const double*>(tensor.data());
  return {begin, begin + tensor.array_bytes(-1, format::Array::values) / sizeof(double)};
}

format::Format levels(const std::vector<std::string>& names, std::vector<int> order) {
  format::Format format = format::Format::dense(static_cast<int>(names.size()));
  format.name.clear();
  for (std::size_t l = 0; l < names.size(); ++l) {
    const std::size_t open = names[l].find('(');
    format.levels[l].name = names[l].substr(0, open);
    for (std::size_t at = open; at < names[l].size() && names[l][at] != ')';) {
      const std::size_t end = names[l].find_first_of(" )", at + 1);
      format.levels[l].options.push_back(names[l].substr(at + 1, end - at - 1));
      at = end;
    }
  }
  if (!order.empty()) format.order = std::move(order);
  return format;
}

format::Format random_format(Random& random, int rank, Wanted wanted) {
  static const std::vector<std::string> points{"dense", "compressed", "compressed", "hashed", "bytemap", "singleton"};
  static const std::vector<std::string> all{"dense", "compressed", "compressed", "hashed", "bytemap",  "singleton",
                                            "rle",   "sparse_rle", "vbl",        "band",   "interval", "pinpoint"};
  const std::vector<std::string>& names = wanted == Wanted::points ? points : all;
  const std::int64_t several = wanted == Wanted::any_number ? std::ssize(names) - 2 : std::ssize(names);
  while (true) {
    format::Format format = format::Format::dense(rank);
    format.name.clear();
    std::shuffle(format.order.begin(), format.order.end(), random);
    bool restrictive = false;
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
      format::Level& level = format.levels[l];
      level.name = names[static_cast<std::size_t>(draw(random, several))];
      for (const char* option : {"nonunique", "unordered", "decreasing", "wide"})
        if (draw(random, level.name == "dense" ? 100 : contains(points, level.name) || *option == 'w' ? 4 : 100) == 0)
          level.options.push_back(option);
      if (level.name == "vbl" && draw(random, 2) == 0) level.options.push_back(std::to_string(1 + draw(random, 3)));
      if (level.name != "singleton" || l == 0) continue;
      const format::Level& above = format.levels[l - 1];
      restrictive |= format::facts(above).unique;
    }
    if (!restrictive && format::objection(format).empty() && !format.all_dense()) return format;
  }
}

Index random_shape(Random& random, int rank) {
  Index shape;
  for (int d = 0; d < rank; ++d) shape.push_back(1 + draw(random, rank > 3 ? 4 : 7));
  if (draw(random, 30) == 0) shape[static_cast<std::size_t>(draw(random, rank))] = 0;
  return shape;
}

Model random_regions(Random& random, const Index& shape, double fill) {
  Model model;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return model;
  const std::int64_t chance = 1 + draw(random, 6);  // that a coordinate is like the one before it, in `chance + 1`
  std::map<Index, double> before;
  const std::function<void(Index, const std::function<double(const Index&)>&)> fill_in =
      [&](Index at, const std::function<double(const Index&)>& like) {
        const std::size_t d = at.size();
        if (d == shape.size()) {
          const double value = like(at);
          if (!std::isnan(value)) model[at] = value;
          return;
        }
        for (std::int64_t c = 0; c < shape[d]; ++c) {
          const bool again = c > 0 && draw(random, chance + 1) > 0;
          at.push_back(c);
          fill_in(at, again ? std::function<double(const Index&)>([&, d, c](const Index& index) {
                    Index same = index;
                    same[d] = c - 1;
                    const auto found = model.find(same);
                    return found == model.end() ? std::nan("") : found->second;
                  })
                            : like);
          at.pop_back();
        }
      };
  fill_in({}, [&](const Index&) {
    return draw(random, 2) == 0 ? std::nan("") : draw(random, 6) == 0 ? fill : static_cast<double>(1 + draw(random, 3));
  });
  return model;
}

Model random_model(Random& random, const Index& shape, int most, double fill) {
  Model model;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return model;
  for (std::int64_t k = draw(random, most + 1); k > 0; --k) {
    Index index;
    for (const std::int64_t size : shape) index.push_back(draw(random, size));
    model[index] = draw(random, 5) == 0 ? fill : static_cast<double>(1 + draw(random, 100));
  }
  return model;
}

Entries Triplets::entries() const {
  Entries entries;
  entries.count = values.size();
  for (const auto& column : columns) entries.indices.emplace_back(std::span<const std::int64_t>(column));
  entries.values = values.data();
  return entries;
}

Triplets shuffled(Random& random, const Model& model, int rank) {
  std::vector<std::pair<Index, double>> parts;
  for (const auto& [index, value] : model) {
    double rest = value;
    while (draw(random, 4) == 0 && std::isfinite(value)) {
      const auto part = static_cast<double>(draw(random, 10));
      parts.emplace_back(index, part);
      rest -= part;
    }
    parts.emplace_back(index, rest);
  }
  std::shuffle(parts.begin(), parts.end(), random);
  Triplets triplets;
  triplets.columns.resize(static_cast<std::size_t>(rank));
  for (const auto& [index, value] : parts) {
    for (std::size_t d = 0; d < index.size(); ++d) triplets.columns[d].push_back(index[d]);
    triplets.values.push_back(value);
  }
  return triplets;
}

namespace {

std::string text(const Index& index, const format::Value& value) {
  return element_text(index) + " is " + format::to_string(value);
}

}  // namespace

void check_holds(const Tensor& tensor, const Model& model, Holds holds) {
  REQUIRE(verify(tensor) == "");
  const auto expected = [&](const Index& index) {
    const auto found = model.find(index);
    return found != model.end() ? format::Value::of(tensor.type(), found->second) : tensor.fill();
  };
  std::string wrong;
  std::size_t known = 0;
  std::int64_t visited = 0;
  for_each_entry(tensor, [&](const Index& index, const format::Value& value) {
    ++visited;
    known += model.contains(index);
    if (!(value == expected(index))) wrong = "stored " + text(index, value);
  });
  if (holds == Holds::exactly) CHECK(known == model.size());
  CHECK(visited == tensor.entries());
  for_each_index(tensor.shape(), [&](const Index& index) {
    if (!(tensor.get(index) == expected(index)))
      wrong = "found " + text(index, tensor.get(index)) + ", not " + format::to_string(expected(index));
    if (holds == Holds::exactly && model.contains(index) && tensor.find(index) < 0)
      wrong = "not found: " + text(index, expected(index));
  });
  CHECK(wrong == "");
}

}  // namespace trellis::tensor::testing
