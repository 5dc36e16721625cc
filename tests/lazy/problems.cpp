#include "tests/lazy/problems.hpp"

#include <cmath>
#include <random>
#include <set>

#include "engine/lazy/fills.hpp"
#include "engine/lazy/structure.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/load_coordinates.hpp"

namespace trellis::lazy {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
using tensor::Index;

class Making {
 public:
  Making(Spread spread, std::uint64_t seed, double fill = 0) : spread_(spread), random_(seed), fill_(fill) {}

  /// A sparse one of so many entries, or of fewer where they meet.
  tensor::Tensor sparse(const Index& shape, std::int64_t entries) {
    double places = 1;
    for (const std::int64_t size : shape) places *= static_cast<double>(size);
    std::set<Index> chosen;
    const auto wanted = static_cast<std::size_t>(std::min(static_cast<double>(entries), places / 2));
    for (std::size_t tries = 0; chosen.size() < wanted && tries < 20 * wanted; ++tries) {
      Index index;
      for (const std::int64_t size : shape) index.push_back(coordinate(size));
      chosen.insert(std::move(index));
    }
    return of({chosen.begin(), chosen.end()}, shape);
  }

  tensor::Tensor of(const std::vector<Index>& places, const Index& shape) {
    tensor::Coordinates entries;
    entries.shape = shape;
    for (const Index& index : places) {
      entries.indices.insert(entries.indices.end(), index.begin(), index.end());
      entries.reals.push_back(value());
    }
    entries.count = places.size();
    auto made = tensor::Tensor::create(ScalarType::f64, shape, sparse_format(static_cast<int>(shape.size())), fill());
    text::Diagnostics diagnostics;
    load_into(*made, std::move(entries), {}, diagnostics);
    return *made;
  }

  tensor::Tensor dense(const Index& shape) {
    auto made =
        tensor::Tensor::create(ScalarType::f64, shape, format::Format::dense(static_cast<int>(shape.size())), fill());
    tensor::for_each_index(shape,
                           [&](const Index& index) { made->set(index, format::Value::of(ScalarType::f64, value())); });
    return *made;
  }

  format::Value fill() const { return format::Value::of(ScalarType::f64, fill_); }

 private:
  double value() { return static_cast<double>(1 + random_() % 4); }

  /// Of skewed ones the k-th is drawn about as often as k^-¾.
  std::int64_t coordinate(std::int64_t size) {
    const double u = static_cast<double>(random_() >> 11) * 0x1p-53;
    const double place = spread_ == Spread::even ? u : std::pow(u, 4);
    return static_cast<std::int64_t>(place * static_cast<double>(size));
  }

  Spread spread_;
  std::mt19937_64 random_;
  double fill_;
};

/// The places below the diagonal.
std::vector<Index> below_diagonal(const tensor::Tensor& of) {
  std::vector<Index> places;
  tensor::for_each_listed(of, [&](const Index& index, const format::Value&) {
    if (index[1] < index[0]) places.push_back(index);
  });
  return places;
}

class Posing {
 public:
  Posing(std::string name, Tensors tensors) : problem_{std::move(name), {}, std::move(tensors)} {}

  /// "A ij, B jk": what is multiplied; "B jk + C jk" is added before.
  Problem pose(const std::string& result, const std::string& factors, ReduceOp sum = ReduceOp::sum,
               Operator product = BinaryOp::multiply) {
    for (const char letter : result) axes_.push_back(letter);
    std::vector<Expr> all;
    std::size_t at = 0;
    while (at < factors.size()) {
      const std::size_t end = std::min(factors.find(", ", at), factors.size());
      all.push_back(added(factors.substr(at, end - at)));
      at = end + 2;
    }
    Expr whole = all[0];
    for (std::size_t k = 1; k < all.size(); ++k) whole = map(product, {whole, all[k]});
    std::vector<Field> fields;
    for (const char letter : result) fields.push_back(fields_.at(letter));
    problem_.query = {"R", fields, agg(sum, without(whole->fields, as_set(fields)), whole), {}, {}};
    return problem_;
  }

 private:
  Expr added(const std::string& text) {
    const std::size_t plus = text.find(" + ");
    if (plus == std::string::npos) return read(text);
    return map(BinaryOp::add, {read(text.substr(0, plus)), added(text.substr(plus + 3))});
  }

  Expr read(const std::string& text) {
    const std::size_t blank = text.find(' ');
    const std::string name = text.substr(0, blank), letters = text.substr(blank + 1);
    const tensor::Tensor& t = problem_.tensors.at(name);
    std::vector<Field> fields;
    for (std::size_t d = 0; d < letters.size(); ++d)
      fields.push_back(fields_.try_emplace(letters[d], fresh_field(t.shape()[d])).first->second);
    return table(name, t.type(), t.fill(), fields);
  }

  Problem problem_;
  std::string axes_;
  std::map<char, Field> fields_;
};

}  // namespace

Problem chain_with_vector(std::int64_t n, std::int64_t entries, Spread spread) {
  Making make(spread, 3);
  return Posing("A B v",
                {{"A", make.sparse({n, n}, entries)}, {"B", make.sparse({n, n}, entries)}, {"v", make.dense({n})}})
      .pose("i", "A ij, B jk, v k");
}

std::vector<Problem> plan_problems(std::int64_t n, Spread spread) {
  Making make(spread, 11), far(spread, 12, INFINITY);
  const Index square = {n, n};
  const auto a = make.sparse(square, 10 * n), b = make.sparse(square, 10 * n), few = make.sparse(square, n / 2);
  const auto low = make.of(below_diagonal(a), square);
  const std::int64_t m = std::max<std::int64_t>(n * 2 / 5, 4), q = std::max<std::int64_t>(n * 3 / 40, 4);
  const Tensors abc{{"A", a}, {"B", b}, {"C", few}};
  return {
      Posing("triple product", abc).pose("", "A ij, B jk, C kl"),
      Posing("chain, last small", abc).pose("il", "A ij, B jk, C kl"),
      Posing("chain, first small", abc).pose("il", "C ij, A jk, B kl"),
      Posing("A B v", {{"A", a}, {"B", b}, {"v", make.dense({n})}}).pose("i", "A ij, B jk, v k"),
      Posing("A B v, v sparse", {{"A", a}, {"B", b}, {"v", make.sparse({n}, n / 100)}}).pose("i", "A ij, B jk, v k"),
      Posing("triangles", {{"A", low}}).pose("", "A ij, A jk, A ik"),
      Posing("triangles of edges", abc).pose("ij", "A ij, A ik, A kj"),
      Posing("sddmm", {{"P", make.sparse({m, m}, 10 * m)}, {"U", make.dense({m, 32})}, {"V", make.dense({m, 32})}})
          .pose("ij", "P ij, U ik, V jk"),
      Posing("mttkrp", {{"X", make.sparse({q, q, q}, 20 * n)}, {"B", make.dense({q, 16})}, {"C", make.dense({q, 16})}})
          .pose("ir", "X ikl, B kr, C lr"),
      Posing("A (B + C)", {{"A", a}, {"B", b}, {"C", make.sparse(square, 10 * n)}}).pose("ik", "A ij, B jk + C jk"),
      Posing("min-plus rows", {{"A", far.sparse(square, 10 * n)}, {"B", far.sparse(square, 10 * n)}})
          .pose("i", "A ik, B kj", ReduceOp::min, BinaryOp::add),
      Posing("square of a product", abc).pose("", "C ik, B kj, C il, B lj"),
      Posing("weighted rows", {{"A", a}, {"W", make.dense({n, m / 4})}, {"x", make.dense({m / 4})}})
          .pose("i", "A ij, W jk, x k"),
  };
}

}  // namespace trellis::lazy
