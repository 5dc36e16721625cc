#include "tests/random/sparse_data.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/pack.hpp"
#include "tests/random/locators.hpp"

namespace trellis::randomised {
namespace {

using format::Array;
using format::Value;

std::int64_t number_at(const void* array, bool wide, std::int64_t k) {
  return wide ? static_cast<const std::int64_t*>(array)[k] : static_cast<const std::int32_t*>(array)[k];
}
void put_number(void* array, bool wide, std::int64_t k, std::int64_t value) {
  if (wide) static_cast<std::int64_t*>(array)[k] = value;
  else static_cast<std::int32_t*>(array)[k] = static_cast<std::int32_t>(value);
}

Value random_value(const lang::TensorInfo& info, const tensor::Index& shape, bool locator, Dice& dice) {
  int number = locator ? dice.below(static_cast<int>(std::max<std::int64_t>(shape[0], 1)))
                       : dice.below(4) - (format::is_signed(info.type) ? 1 : 0);
  if (format::is_boolean(info.type)) number = dice.chance(80);
  else if (!locator && dice.chance(8)) return info.fill;
  return Value::of_integer(info.type, number);
}

/// Other numbers for a level's coordinates, which packing sorts by, so that the ones that it stands for come in any
/// order.
class Renumbering {
 public:
  Renumbering(const lang::TensorInfo& info, const tensor::Index& shape, Dice& dice)
      : levels_(format::facts(info.format)), numbers_(levels_.size()) {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      if (info.format.layout || levels_[l].ordered || levels_[l].table) continue;
      const auto size = static_cast<std::size_t>(shape[static_cast<std::size_t>(info.format.order[l])]);
      for (std::size_t k = 0; k < size; ++k) numbers_[l].push_back(static_cast<std::int64_t>(k));
      for (std::size_t k = size; k > 1; --k)
        std::swap(numbers_[l][k - 1], numbers_[l][static_cast<std::size_t>(dice.below(static_cast<int>(k)))]);
    }
  }

  std::int64_t operator()(std::size_t level, std::int64_t coordinate) const {
    const auto& numbers = numbers_[level];
    return numbers.empty() ? coordinate : std::find(numbers.begin(), numbers.end(), coordinate) - numbers.begin();
  }

  void undo(tensor::Tensor& tensor) const {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      if (numbers_[l].empty()) continue;
      const auto level = static_cast<int>(l);
      void* const coordinates = tensor.array(level, Array::coordinates);
      const auto count =
          static_cast<std::int64_t>(tensor.array_bytes(level, Array::coordinates)) / (levels_[l].wide ? 8 : 4);
      for (std::int64_t k = 0; k < count; ++k)
        put_number(coordinates, levels_[l].wide, k,
                   numbers_[l][static_cast<std::size_t>(number_at(coordinates, levels_[l].wide, k))]);
    }
  }

 private:
  std::vector<format::Facts> levels_;
  std::vector<std::vector<std::int64_t>> numbers_;  ///< by level: for each number that packing sees, the coordinate
};

}  // namespace

/// Which coordinates the levels of one region each take, in each of their fibers.
class SingleRegions {
 public:
  SingleRegions(const lang::TensorInfo& info, const tensor::Index& shape, bool locator, Dice& dice)
      : info_(info), shape_(shape), locator_(locator), dice_(dice), levels_(format::facts(info.format)) {}

  bool hold_runs() const {
    return !info_.format.layout && std::ranges::any_of(levels_, [](const format::Facts& l) {
      return is_one(l) && l.region == format::Region::run;
    });
  }

  /// The value of the element, if its levels take it; drawn for each run.
  std::optional<Value> value(const tensor::Index& index) {
    std::optional<Value> value;
    tensor::Index above;
    for (std::size_t l = 0; l < shape_.size() && !info_.format.layout; ++l) {
      const auto d = static_cast<std::size_t>(info_.format.order[l]);
      if (is_one(levels_[l])) {
        const Taken& taken = fibers_.try_emplace(above, drawn(l, shape_[d])).first->second;
        if (index[d] < taken.first || index[d] > taken.last) return std::nullopt;
        if (levels_[l].region == format::Region::run) value = taken.value;
      }
      above.push_back(index[d]);
    }
    return value ? value : random_value(info_, shape_, locator_, dice_);
  }

 private:
  struct Taken {
    std::int64_t first, last;
    Value value;
  };

  static bool is_one(const format::Facts& level) {
    return level.locate == format::Locate::one && level.region != format::Region::block;
  }

  Taken drawn(std::size_t level, std::int64_t size) {
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(dice_.below(static_cast<int>(std::max<std::int64_t>(n, 1))));
    };
    const std::int64_t first = below(size);
    const std::int64_t last = levels_[level].region == format::Region::run ? first + below(size - first) : first;
    return {first, last, random_value(info_, shape_, locator_, dice_)};
  }

  const lang::TensorInfo& info_;
  const tensor::Index& shape_;
  bool locator_;
  Dice& dice_;
  std::vector<format::Facts> levels_;
  std::map<tensor::Index, Taken> fibers_;  ///< by the level coordinates above
};

tensor::Tensor random_sparse(const lang::TensorInfo& info, const tensor::Index& shape, const lang::Kernel& kernel,
                             Dice& dice) {
  const std::vector<std::string> results = kernel.results();
  const bool computed =
      std::find(results.begin(), results.end(), info.name) != results.end() && !kernel.inherited.contains(info.name);
  std::vector<std::vector<std::int64_t>> columns(shape.size());
  std::vector<double> reals;
  const int density = computed ? 0 : dice.pick(std::vector<int>{0, 15, 35, 35, 60, 95, 100});
  const Renumbering renumbered(info, shape, dice);
  std::vector<bool> kept_rows;
  const bool by_rows = dice.chance(30);
  SingleRegions single(info, shape, locates(kernel, info.name), dice);
  std::optional<tensor::LayoutMap> map;
  if (info.format.layout) map.emplace(*info.format.layout, shape);
  tensor::for_each_index(shape, [&](const tensor::Index& index) {
    const auto row = static_cast<std::size_t>(index[0]);
    while (kept_rows.size() <= row) kept_rows.push_back(!by_rows || dice.chance(50));
    const bool in_run = single.hold_runs() && !computed;  // what a run covers is there
    if (!in_run && (!dice.chance(density) || !kept_rows[row])) return;
    if (map && map->branch(index) != 0) return;  // it has no place of its own
    const std::optional<Value> taken = single.value(index);
    if (!taken) return;
    for (std::size_t l = 0; l < shape.size(); ++l) {
      const std::size_t d = map ? l : static_cast<std::size_t>(info.format.order[l]);
      columns[d].push_back(map ? index[d] : renumbered(l, index[d]));
    }
    reals.push_back(format::is_floating(info.type) ? taken->real : static_cast<double>(taken->as_integer()));
  });
  tensor::PackFailure failure;
  const auto packed = [&] {
    tensor::Entries entries;
    entries.count = reals.size();
    for (const auto& column : columns) entries.indices.emplace_back(std::span<const std::int64_t>(column));
    entries.values = reals.data();
    return tensor::pack(info.type, shape, info.format, info.fill, entries, failure);
  };
  auto tensor = packed();
  // A level with so many places has no room for more.
  for (; !tensor && failure.kind == tensor::PackFailure::Kind::region_taken; tensor = packed()) {
    const auto entry = static_cast<std::ptrdiff_t>(failure.entry);
    for (auto& column : columns) column.erase(column.begin() + entry);
    reals.erase(reals.begin() + entry);
  }
  renumbered.undo(tensor.value());
  return *std::move(tensor);
}

namespace {

bool is_mask(const lang::Program& program, const std::string& name) {
  for (const lang::Kernel& kernel : program.kernels)
    if (std::ranges::any_of(kernel.schedule.masks, [&](const auto& mask) { return mask.pattern == name; })) return true;
  return false;
}

}  // namespace

lang::Program without_formats(lang::Program program) {
  for (lang::TensorInfo& tensor : program.tensors)
    if (!is_mask(program, tensor.name)) tensor.format = format::Format::dense(tensor.format.dimensions());
  return program;
}

check::State without_formats(const check::State& state, const lang::Program& program) {
  check::State plain{state.parameters, {}};
  for (const auto& [name, tensor] : state.tensors) {
    if (is_mask(program, name)) {
      plain.tensors[name] = tensor;
      continue;
    }
    auto dense =
        tensor::Tensor::create(tensor.type(), tensor.shape(), format::Format::dense(tensor.rank()), tensor.fill())
            .value();
    tensor::for_each_index(tensor.shape(), [&](const tensor::Index& index) { dense.set(index, tensor.get(index)); });
    plain.tensors[name] = dense;
  }
  return plain;
}

}  // namespace trellis::randomised
