#include "engine/distribute/arrays.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/math/points.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

std::vector<bool> none(const tensor::Tensor& t) {
  return std::vector<bool>(static_cast<std::size_t>(t.count()), false);
}

/// No dimension is longer: elements lie within their tensor's shape.
constexpr std::int64_t whole_range = std::int64_t{1} << 40;

bool same_bits(const format::Value& a, const format::Value& b) {
  const bool neither = std::isnan(a.real) && std::isnan(b.real);
  return a.integer == b.integer &&
         (neither || std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real));
}

/// Of a part of a sum: it changes nothing that it is added to, -0 of floating numbers.
format::Value beginning(format::ReduceOp op, format::ScalarType type) {
  const bool signs_zero = op == format::ReduceOp::sum && format::is_floating(type);
  return signs_zero ? format::Value::of(type, -0.0) : format::identity(op, type);
}

std::size_t place(const tensor::Tensor& t, const tensor::Index& index) {
  return static_cast<std::size_t>(t.offset(index));
}

}  // namespace

void Arrays::hold(const Tensor& tensor, const tensor::Tensor& whole) {
  auto held = std::make_unique<Held>();
  held->tensor = tensor;
  held->home = plan_.home(tensor);
  for (std::int64_t r = 0; r < cuts_.ranks(); ++r) {
    held->values.push_back(whole.clone());
    held->valid.push_back(none(whole));
    held->touched.push_back(none(whole));
    tensor::for_each_index(whole.shape(), [&](const tensor::Index& index) {
      held->valid.back()[place(whole, index)] = owns(*held, r, index);
    });
  }
  names[tensor.name] = held.get();
  held_[tensor] = std::move(held);
}

bool Arrays::declare(const Tensor& tensor, const Numbers& sizes) {
  const lang::TensorInfo& info = plan_.tensors.at(tensor);
  tensor::Index shape;
  for (const math::Affine& size : info.shape) {
    const auto extent = size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      const auto found = sizes.find(name);
      return found == sizes.end() ? std::nullopt : std::optional(found->second);
    });
    shape.push_back(std::max<std::int64_t>(0, extent.value_or(0)));
  }
  const auto whole =
      tensor::Tensor::create(info.type, shape, format::Format::dense(static_cast<int>(shape.size())), info.fill);
  if (!whole) return false;
  hold(tensor, *whole);
  for (std::vector<bool>& valid : held_.at(tensor)->valid) valid.assign(valid.size(), false);
  return true;
}

Held* Arrays::find(const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

bool Arrays::owns(const Held& held, std::int64_t rank, const tensor::Index& index) const {
  if (!held.home) return true;
  const Numbers numbers = numbers_of(plan_, cuts_, rank);
  for (std::size_t d = 0; d < index.size(); ++d) {
    if ((*held.home)[d] < 0) continue;
    const Partition& p = plan_.partitions[static_cast<std::size_t>((*held.home)[d])];
    if (!has(p, numbers, index[d])) return false;
  }
  return true;
}

void Arrays::begin_phase() {
  for (auto& [tensor, held] : held_) {
    held->saved.clear();
    for (std::vector<bool>& touched : held->touched) touched.assign(touched.size(), false);
  }
}

void Arrays::end_phase() {
  for (auto& [tensor, held] : held_) {
    if (!held->saved.empty()) continue;
    for (std::size_t e = 0; e < held->touched.front().size(); ++e) {
      const bool written = std::ranges::any_of(held->touched, [&](const auto& touched) { return touched[e]; });
      for (std::size_t r = 0; written && r < held->touched.size(); ++r)
        if (!held->touched[r][e]) held->valid[r][e] = false;
    }
  }
}

std::vector<tensor::Index> Arrays::elements(const Exchange& exchange, const Numbers& around, std::int64_t from,
                                            std::int64_t to) const {
  Numbers numbers = numbers_of(plan_, cuts_, exchange.kind == Exchange::Kind::ghosts ? to : from);
  numbers.insert(around.begin(), around.end());
  const math::Assignment values(numbers.begin(), numbers.end());
  std::vector<tensor::Index> all;
  for (const math::Domain& piece : elements_between(plan_, cuts_, exchange, from, to))
    math::for_each_point(
        piece, values, [&](const math::Point& point) { all.push_back(point); }, whole_range);
  return all;
}

void Arrays::send(const Exchange& exchange, const Numbers& around, Sent& sent) {
  ++sent.executions;
  std::vector<Copy> copies;  // all at once: what one receives it does not hand on
  for (std::int64_t to = 0; to < cuts_.ranks(); ++to) collect(to, exchange, around, sent, copies);
  put(exchange.tensor, copies);
}

void Arrays::send_to(std::int64_t rank, const Exchange& exchange, const Numbers& around, Sent& sent) {
  std::vector<Copy> copies;
  collect(rank, exchange, around, sent, copies);
  put(exchange.tensor, copies);
}

void Arrays::collect(std::int64_t to, const Exchange& exchange, const Numbers& around, Sent& sent,
                     std::vector<Copy>& copies) const {
  const Held& held = *held_.at(exchange.tensor);
  for (std::int64_t from = 0; from < cuts_.ranks(); ++from) {
    if (from == to) continue;
    const std::vector<tensor::Index> all = elements(exchange, around, from, to);
    sent.messages += !all.empty();
    sent.elements += std::ssize(all);
    const auto source = static_cast<std::size_t>(from);
    for (const tensor::Index& index : all) {
      // Undefined at its owner as well, as an element that nothing writes: whoever reads it will be told.
      const bool undefined = held.home && !held.valid[source][place(held.values[source], index)];
      if (undefined && exchange.kind == Exchange::Kind::ghosts) continue;
      copies.push_back({to, index, held.values[source].get(index)});
    }
  }
}

void Arrays::put(const Tensor& tensor, const std::vector<Copy>& copies) {
  Held& held = *held_.at(tensor);
  for (const Copy& copy : copies) {
    const auto to = static_cast<std::size_t>(copy.to);
    held.values[to].set(copy.index, copy.value);
    held.valid[to][place(held.values[to], copy.index)] = true;
  }
}

void Arrays::begin_sums(const Exchange& exchange) {
  Held& held = *held_.at(exchange.tensor);
  if (!held.saved.empty()) return;
  held.saved_valid = held.valid;
  for (tensor::Tensor& values : held.values) {
    held.saved.push_back(values.clone());
    const format::Value first = beginning(*exchange.op, values.type());
    for (std::int64_t e = 0; e < values.count(); ++e) values.set_flat(e, first);
  }
  for (std::vector<bool>& valid : held.valid) valid.assign(valid.size(), true);
}

void Arrays::add_parts(const Exchange& exchange, const Numbers& around, Sent& sent) {
  Held& held = *held_.at(exchange.tensor);
  ++sent.executions;
  for (std::int64_t from = 0; from < cuts_.ranks(); ++from)
    for (std::int64_t to = 0; to < cuts_.ranks(); ++to) {
      if (from == to) continue;
      const auto count = std::ssize(elements(exchange, around, from, to));
      sent.messages += count > 0;
      sent.elements += count;
    }
  std::vector<tensor::Tensor> parts;
  for (const tensor::Tensor& values : held.values) parts.push_back(values.clone());
  const auto adds_to = [&](std::int64_t from, std::int64_t to) {
    const auto a = coordinates_of(cuts_, from), b = coordinates_of(cuts_, to);
    for (std::size_t g = 0; g < a.size(); ++g)
      if (!contains(exchange.along, plan_.grid[g].name) && a[g] != b[g]) return false;
    return true;
  };
  for (std::int64_t to = 0; to < cuts_.ranks(); ++to) {
    const auto r = static_cast<std::size_t>(to);
    tensor::for_each_index(held.values[r].shape(), [&](const tensor::Index& index) {
      const std::size_t e = place(held.values[r], index);
      format::Value sum = held.saved[r].get(index);
      const bool added = std::ranges::any_of(held.touched, [&](const auto& touched) { return touched[e]; });
      const bool own = owns(held, to, index);
      for (std::int64_t from = 0; added && own && from < cuts_.ranks(); ++from)
        if (adds_to(from, to) && held.touched[static_cast<std::size_t>(from)][e])
          sum = format::combine(*exchange.op, sum, parts[static_cast<std::size_t>(from)].get(index));
      held.values[r].set(index, sum);
      held.valid[r][e] = held.saved_valid[r][e] && (own || !added);
    });
  }
  held.saved.clear();
}

std::optional<tensor::Tensor> Arrays::gather(const Tensor& tensor) {
  Held& held = *held_.at(tensor);
  tensor::Tensor whole = held.values.front().clone();
  tensor::for_each_index(whole.shape(), [&](const tensor::Index& index) {
    const std::size_t e = place(whole, index);
    std::optional<format::Value> first;
    for (std::int64_t r = 0; r < cuts_.ranks(); ++r) {
      const auto at = static_cast<std::size_t>(r);
      if (!owns(held, r, index)) continue;
      const format::Value value = held.values[at].get(index);
      const std::string element = text::element_text(tensor.name, index);
      if (!held.valid[at][e] && astray.empty()) astray = "rank " + std::to_string(r) + " was not sent its " + element;
      if (first && !same_bits(*first, value) && astray.empty()) astray = "ranks have different copies of " + element;
      if (!first) first = value;
    }
    if (first) whole.set(index, *first);
    else if (astray.empty()) astray = "nobody has " + text::element_text(tensor.name, index);
  });
  return astray.empty() ? std::optional(whole) : std::nullopt;
}

}  // namespace trellis::distribute
