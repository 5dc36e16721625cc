#pragma once
// What an expression means, element by element, every element: no fills, no supports, no rules. The judge of the rest.

#include <functional>
#include <map>
#include <string>

#include "engine/lazy/logic.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::lazy {

/// Values at all points of some fields, the last one fastest.
struct DenseArray {
  std::vector<Field> fields;
  format::ScalarType type = format::ScalarType::f64;
  std::vector<format::Value> values;
};

/// A coordinate of each field.
using At = std::map<Field, std::int64_t>;

/// As C computes it; nothing is absent here.
format::Value computed(const Operator& op, const std::vector<format::Value>& values);

format::Value& element(DenseArray& array, const At& at);
format::Value element(const DenseArray& array, const At& at);
void for_each_point(const std::vector<Field>& fields, const std::function<void(const At&)>& visit);

/// Over `fields`, among which are the expression's own.
DenseArray dense(const Expr& expr, const std::map<std::string, tensor::Tensor>& tables,
                 const std::vector<Field>& fields);
DenseArray dense(const Expr& expr, const std::map<std::string, tensor::Tensor>& tables);

/// Equal, or as near as rounding explains; not-a-numbers are equal.
bool alike(const format::Value& a, const format::Value& b);
/// Are all elements finite, and those of everything below?
bool is_finite_within(const Expr& expr, const std::map<std::string, tensor::Tensor>& tables);

}  // namespace trellis::lazy
