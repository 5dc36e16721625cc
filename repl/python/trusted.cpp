#include "repl/python/trusted.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace trellis::python {
namespace {

using tensor::Trust;

/// Of the list, and what its coordinates have to be less than.
using ListSizes = std::array<std::int64_t, most_dimensions + 1>;

struct Verdict {
  std::array<PyObject*, 2> weak{};  ///< of the index arrays
  ListSizes sizes{};
  std::array<const void*, 2> data{};
  Trust trust = Trust::broken;

  bool about(const Operand& operand, const ListSizes& now) const {
    return PyWeakref_GET_OBJECT(weak[0]) == operand.index_arrays[0] &&
           PyWeakref_GET_OBJECT(weak[1]) == operand.index_arrays[1] && sizes == now &&
           data[0] == PyArray_DATA(reinterpret_cast<PyArrayObject*>(operand.index_arrays[0])) &&
           data[1] == PyArray_DATA(reinterpret_cast<PyArrayObject*>(operand.index_arrays[1]));
  }
  bool dead() const { return PyWeakref_GET_OBJECT(weak[0]) == Py_None || PyWeakref_GET_OBJECT(weak[1]) == Py_None; }
  void forget() {
    Py_CLEAR(weak[0]);
    Py_CLEAR(weak[1]);
  }
};

/// By the address of the coordinates. The GIL is its lock.
std::unordered_map<PyObject*, Verdict>& verdicts() {
  static auto& all = *new std::unordered_map<PyObject*, Verdict>;
  return all;
}

/// Once there are twice as many as were alive the last time.
void sweep() {
  static std::size_t most = 64;
  auto& all = verdicts();
  if (all.size() < most) return;
  for (auto one = all.begin(); one != all.end();) {
    const bool dead = one->second.dead();
    if (dead) one->second.forget();
    one = dead ? all.erase(one) : std::next(one);
  }
  most = std::max<std::size_t>(64, 2 * all.size());
}

bool has_fibers(const Operand& operand) { return operand.kind != Operand::Kind::coo; }

std::int64_t outer_size(const Operand& operand) {
  const std::int64_t size = operand.shape[operand.order[0]];
  return operand.kind == Operand::Kind::bsr ? size / operand.block[0] : size;
}

std::int64_t inner_size(const Operand& operand) {
  const std::int64_t size = operand.shape[operand.order[1]];
  return operand.kind == Operand::Kind::bsr ? size / operand.block[1] : size;
}

/// A matrix and its transpose share arrays, and verdicts.
ListSizes sizes_of(const Operand& operand) {
  if (has_fibers(operand)) return {operand.level[1].entries, outer_size(operand), inner_size(operand)};
  ListSizes sizes{operand.level[0].entries};
  std::copy_n(operand.shape.begin(), operand.rank, sizes.begin() + 1);
  return sizes;
}

Trust look(const Operand& operand) {
  const WithoutGil others_run;
  if (has_fibers(operand)) {
    const tensor::BorrowedLevel& level = operand.level[1];
    return tensor::look_at_fibers(level.positions, outer_size(operand), {level.coordinates, inner_size(operand)},
                                  level.entries, operand.wide);
  }
  std::array<tensor::IndexArray, most_dimensions> arrays{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(operand.rank); ++d)
    arrays[d] = {operand.level[d].coordinates, operand.shape[d]};
  return tensor::look_at_tuples({arrays.data(), static_cast<std::size_t>(operand.rank)}, operand.level[0].entries,
                                operand.wide);
}

}  // namespace

Trust trust(const Operand& operand, bool again) {
  PyObject* const key = operand.index_arrays[1];
  if (!key) return Trust::ordered;  // nothing of the kind, or our own
  const ListSizes sizes = sizes_of(operand);
  auto& all = verdicts();
  if (const auto found = all.find(key); found != all.end() && !again && found->second.about(operand, sizes))
    return found->second.trust;

  Verdict verdict;
  verdict.sizes = sizes;
  verdict.trust = look(operand);
  sweep();
  for (std::size_t k = 0; k < 2; ++k) {
    verdict.weak[k] = PyWeakref_NewRef(operand.index_arrays[k], nullptr);
    verdict.data[k] = PyArray_DATA(reinterpret_cast<PyArrayObject*>(operand.index_arrays[k]));
  }
  if (!verdict.weak[0] || !verdict.weak[1]) {
    PyErr_Clear();
    verdict.forget();
    return verdict.trust;
  }
  Verdict& kept = all[key];
  kept.forget();
  kept = verdict;
  return verdict.trust;
}

}  // namespace trellis::python
