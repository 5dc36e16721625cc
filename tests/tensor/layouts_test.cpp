// Tensors with layouts: packing, finding, walking and conversion, element by element.

#include <doctest/doctest.h>

#include <map>

#include "engine/format/storage_order.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/verify.hpp"

using namespace trellis;
using format::Format;
using format::Value;
using tensor::Index;

namespace {

/// The format of A in a program.
Format format_in(const std::string& program) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(sources, sources.add("test", program), diagnostics);
  const auto resolved = lang::resolve(file, diagnostics);
  REQUIRE_MESSAGE(resolved, program);
  return resolved->tensor("A")->format;
}

struct Element {
  Index index;
  double value;
};

std::optional<tensor::Tensor> packed(const Format& format, const Index& shape, const std::vector<Element>& elements,
                                     tensor::PackFailure& failure) {
  std::vector<std::vector<std::int64_t>> columns(shape.size());
  std::vector<double> values;
  for (const Element& e : elements) {
    for (std::size_t d = 0; d < shape.size(); ++d) columns[d].push_back(e.index[d]);
    values.push_back(e.value);
  }
  tensor::Entries entries;
  entries.count = values.size();
  for (const auto& column : columns) entries.indices.emplace_back(std::span<const std::int64_t>(column));
  entries.values = values.data();
  return tensor::pack(format::ScalarType::f64, shape, format, Value::of(format::ScalarType::f64, 0), entries, failure);
}

const std::vector<Element> some{{{0, 1}, 1}, {{1, 0}, 2}, {{1, 4}, 3}, {{2, 2}, 4},
                                {{4, 0}, 5}, {{4, 4}, 6}, {{6, 3}, 7}};

}  // namespace

TEST_CASE("layouts: what is packed is found, walked and converted") {
  const std::string head = R"(layout skewed: (i, j) -> (i + j, j) {dense, compressed}
layout unaligned(R): (i, j) -> (i/R, j, i%R) {dense, compressed, dense}
layout tiles(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, dense, dense, dense}
layout slots: (i, j) -> (i, j/2, j%2) {dense, dense, compressed(2)}
layout ubcsr(R, C): (i, j) -> (i/R, j, i%R) {dense, vbl(C), dense}
layout folded: (i, j) -> (i + j, j) {dense, dense} : 0 <= i
layout shifted: (i, j) -> (i, i + j) {compressed, dense} : 0 <= j
tensor A(7, 5): )";
  for (const std::string name :
       {"bcsr(2, 2)", "bcsr(3, 2)", "bcsr(1, 7)", "bcsr(2, 2) @ (1, 0)", "dia", "dia @ (1, 0)", "ell(2)", "skewed",
        "unaligned(3)", "tiles(2, 3)", "slots", "ubcsr(2, 3)", "ubcsr(3, 4)", "folded", "folded @ (1, 0)", "shifted"}) {
    CAPTURE(name);
    const Format format = format_in(head + name);
    const Index shape{7, 5};
    tensor::PackFailure failure;
    const auto made = packed(format, shape, some, failure);
    REQUIRE(made);
    CHECK(tensor::verify(*made) == "");
    std::map<Index, double> wanted, walked;
    for (const Element& e : some) wanted[e.index] = e.value;
    tensor::for_each_index(shape, [&](const Index& index) {
      CHECK(made->get(index).real == (wanted.contains(index) ? wanted[index] : 0));
    });
    tensor::for_each_listed(*made, [&](const Index& index, const Value& value) { walked[index] = value.real; });
    CHECK(walked == wanted);
    for (const Format& other : {*Format::named("csc", 2), Format::dense(2), format_in(head + "bcsr(2, 3)")}) {
      const auto there = with_format(*made, other);
      REQUIRE(there);
      const auto back = with_format(*there, format);
      REQUIRE(back);
      CHECK(tensor::verify(*back) == "");
      tensor::for_each_index(shape, [&](const Index& index) {
        CHECK(there->get(index) == made->get(index));
        CHECK(back->get(index) == made->get(index));
      });
    }
  }
}

TEST_CASE("layouts: a symmetric one stores half, and its elements agree") {
  const Format format = format_in(R"(layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}
tensor A(n, n): sym)");
  tensor::PackFailure failure;
  const auto made = packed(format, {4, 4}, {{{1, 3}, 2}, {{3, 1}, 2}, {{2, 2}, 5}}, failure);
  REQUIRE(made);
  CHECK(made->entries() == 2);
  CHECK(made->get(Index{1, 3}).real == 2);
  CHECK(made->get(Index{3, 1}).real == 2);
  // Repetitions are summed before elements are compared.
  CHECK(packed(format, {4, 4}, {{{1, 3}, 1}, {{3, 1}, 2}, {{1, 3}, 1}}, failure));
  CHECK_FALSE(packed(format, {4, 4}, {{{1, 3}, 2}, {{3, 1}, 1}}, failure));
  CHECK(failure.kind == tensor::PackFailure::Kind::disagrees);
  CHECK_FALSE(packed(format, {4, 4}, {{{1, 3}, 2}}, failure));
  CHECK_FALSE(packed(format, {4, 4}, {{{3, 1}, 2}}, failure));
  CHECK(packed(format, {4, 4}, {{{3, 1}, 0}, {{2, 2}, 1}}, failure));
}

TEST_CASE("layouts: dense levels keep what lies within constraints") {
  const std::string head = R"(layout lower: (i, j) -> (i, j) {dense, dense} : j <= i
layout upper: (i, j) -> (i, j) {dense, dense} : j > i
layout banded(W): (i, j) -> (i, j) {dense, dense} : j - i <= W, i - j <= W
layout half: (i, j) -> (max(i, j), min(i, j)) {dense, dense}
layout rows: (i, j) -> (i, j) {compressed, dense} : j <= i
layout off: (i, j) -> (i, j) {dense, dense} : i != j
layout blocks: (i, j) -> (i/2, j/2, i%2, j%2) {dense, dense, dense, dense} : j/2 <= i/2
tensor A(6, 6): )";
  const std::vector<Element> lower{{{1, 0}, 1}, {{4, 2}, 2}, {{4, 4}, 3}};
  struct Case {
    const char* name;
    std::vector<Element> elements;
    std::size_t places;
  };
  for (const Case& one : {Case{"lower", lower, 21}, Case{"half", {{{1, 0}, 1}, {{0, 1}, 1}, {{3, 3}, 2}}, 21},
                          Case{"rows", lower, 7}, Case{"upper", {{{0, 5}, 1}, {{2, 3}, 2}}, 15},
                          Case{"banded(1)", {{{0, 1}, 1}, {{2, 2}, 2}, {{5, 4}, 3}}, 16}, Case{"blocks", lower, 24}}) {
    CAPTURE(std::string(one.name));
    tensor::PackFailure failure;
    const auto made = packed(format_in(head + one.name), {6, 6}, one.elements, failure);
    REQUIRE(made);
    CHECK(tensor::verify(*made) == "");
    CHECK(made->array_bytes(-1, format::Array::values) == one.places * 8);
    std::map<Index, double> wanted;
    for (const Element& e : one.elements) wanted[e.index] = e.value;
    tensor::for_each_index({6, 6}, [&](const Index& index) {
      CHECK(made->get(index).real == (wanted.contains(index) ? wanted[index] : 0));
    });
    const auto empty = tensor::Tensor::create(made->type(), {6, 6}, made->format(), made->fill());
    REQUIRE(empty);
    CHECK(tensor::verify(*empty) == "");
    CHECK(tensor::Tensor::bytes_needed(made->type(), {6, 6}, made->format()) == empty->bytes());
  }
}

TEST_CASE("layouts: what has no place is refused, and so is a row too long") {
  const std::string head = "layout lower: (i, j) -> (i, j) {dense, dense} : j <= i\ntensor A(4, 4): ";
  tensor::PackFailure failure;
  CHECK_FALSE(packed(format_in(head + "lower"), {4, 4}, {{{1, 3}, 2}}, failure));
  CHECK(failure.kind == tensor::PackFailure::Kind::not_stored);
  CHECK(packed(format_in(head + "lower"), {4, 4}, {{{1, 3}, 0}, {{3, 1}, 2}}, failure));
  CHECK_FALSE(packed(format_in(head + "ell(1)"), {4, 4}, {{{1, 3}, 2}, {{1, 2}, 2}}, failure));
  CHECK(failure.kind == tensor::PackFailure::Kind::region_taken);
}

TEST_CASE("layouts: slots that are free have the size of the level") {
  tensor::PackFailure failure;
  const auto made = packed(format_in("tensor A(7, 5): ell(3)"), {7, 5}, some, failure);
  REQUIRE(made);
  CHECK(made->entries() == 7);
  const auto* coordinates = static_cast<const std::int32_t*>(made->array(1, format::Array::coordinates));
  CHECK(std::vector<std::int32_t>(coordinates, coordinates + 6) == std::vector<std::int32_t>{1, 5, 5, 0, 4, 5});
  CHECK(made->array(1, format::Array::positions) == nullptr);
}

TEST_CASE("layouts: levels are as large as what they may store") {
  const auto sizes = [](const std::string& program, const Index& shape) {
    return format::level_sizes(format_in(program), shape);
  };
  CHECK(sizes("tensor A(7, 5): bcsr(2, 3)", {7, 5}) == Index{4, 2, 2, 3});
  CHECK(sizes("tensor A(7, 5): dia", {7, 5}) == Index{12, 7});
  CHECK(sizes("layout strip: (i, j) -> (j - i, i) {dense, dense} : -2 <= j - i <= 1\ntensor A(7, 5): strip", {7, 5}) ==
        Index{4, 7});
  CHECK(sizes("tensor A(n, m): bcsr(2, 3)", {0, 0}) == Index{0, 0, 2, 3});
}
