// Arrays in files (tensor/spill.hpp), and files that stay where they are.
#include <doctest/doctest.h>

#include <cstring>

#include "engine/tensor/load.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/tensor.hpp"
#include "tests/folder.hpp"
#include "tests/tensor/spilling.hpp"

namespace trellis::testing {
namespace {

using tensor::SharedArray;
using tensor::Writer;

std::string content(const tensor::FilePlace& place, std::size_t bytes) {
  std::ifstream file(place.path, std::ios::binary);
  std::string text(bytes, ' ');
  file.seekg(static_cast<std::streamoff>(place.begin));
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  return text;
}

TEST_CASE("an array beyond the limit is a file without a name, which others can open") {
  const Folder folder;
  const Spilling spilling(folder, 10'000);
  CHECK(!SharedArray::allocate(10'000, Writer::this_process)->place());
  const auto array = SharedArray::allocate(20'000, Writer::this_process);
  REQUIRE(array);
  REQUIRE(array->place());
  CHECK(array->shared());
  CHECK(folder.count() == 0);
  std::memcpy(static_cast<char*>(array->data()) + 19'000, "abc", 3);
  CHECK(content({array->place()->path, 19'000}, 4) == std::string("abc\0", 4));
  array->shrink(12'000);
  CHECK(array->size() == 12'000);
  CHECK(content(*array->place(), 2) == std::string(2, '\0'));
}

TEST_CASE("a copy of a tensor in a file is another file, and has the same elements") {
  const Folder folder;
  const Spilling spilling(folder, 10'000);
  auto one = *tensor::Tensor::create(format::ScalarType::f64, {5000}, format::Format::dense(1),
                                     format::Value::of(format::ScalarType::f64, 0));
  one.set_flat(4321, format::Value::of(format::ScalarType::f64, 1.5));
  const tensor::Tensor other = one.clone(Writer::child_process);
  one.set_flat(4321, format::Value::of(format::ScalarType::f64, 2));
  CHECK(other.get_flat(4321).as_double() == 1.5);
  CHECK(other.get_flat(4320).as_double() == 0);
  const auto place = [](const tensor::Tensor& t) { return t.array_place(-1, format::Array::values)->path; };
  CHECK(place(one) != place(other));
}

TEST_CASE("an array file that is too large to be read stays where it is, if it has what memory would have") {
  const Folder folder;
  std::string numbers(8 * 3000, '\0');
  const double seven = 7;
  std::memcpy(numbers.data() + 8 * 2999, &seven, 8);
  const auto read = [&](const std::string& header) {
    text::Diagnostics diagnostics;
    const auto contents = tensor::read_contents({folder.file("x.npy", header + numbers), {}, 4000}, diagnostics);
    return contents ? std::optional(std::get<tensor::ArrayContents>(contents->is)) : std::nullopt;
  };
  const auto there = read(tensor::npy_header(format::ScalarType::f64, {3, 1000}, false));
  REQUIRE(there);
  CHECK(there->in_place);
  CHECK(there->tensor.get(tensor::Index{2, 999}).as_double() == 7);
  const auto place = there->tensor.array_place(-1, format::Array::values);
  REQUIRE(place);
  CHECK(content(*place, numbers.size()) == numbers);
  std::string swapped = tensor::npy_header(format::ScalarType::f64, {3, 1000}, false);
  swapped.replace(swapped.find("<f8"), 3, ">f8");
  CHECK(!read(swapped));
  CHECK(!read(tensor::npy_header(format::ScalarType::f64, {3, 999}, false)));
}

}  // namespace
}  // namespace trellis::testing
