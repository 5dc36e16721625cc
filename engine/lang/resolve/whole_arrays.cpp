#include "engine/lang/resolve/whole_arrays.hpp"

#include <algorithm>
#include <array>

#include "engine/lang/foreign.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using Names = std::vector<std::string>;

namespace {

template <class Node>
syntax::Expr node_of(Node node, text::Span span) {
  return syntax::Expr(syntax::ExprNode{std::move(node), span});
}

syntax::Expr binary_of(BinaryOp op, const syntax::Expr& left, const syntax::Expr& right, text::Span span) {
  return node_of(syntax::Binary{op, left, right}, span);
}

syntax::Expr number_of(const std::string& spelling, text::Span span) { return node_of(syntax::Number{spelling}, span); }

syntax::Argument argument_of(syntax::Expr value) {
  syntax::Argument argument;
  argument.value = std::move(value);
  return argument;
}

/// `name(arguments)`, or `name(arguments)(body)`.
syntax::Expr applied_to(const std::string& name, const std::vector<syntax::Expr>& arguments, text::Span span,
                        std::optional<syntax::Expr> body = std::nullopt) {
  syntax::Reference r{{name, span}, {}, std::vector<syntax::Argument>{}, std::move(body)};
  for (const syntax::Expr& argument : arguments) r.arguments->push_back(argument_of(argument));
  return node_of(std::move(r), span);
}

std::vector<syntax::Expr> as_expressions(const Names& names, text::Span span) {
  std::vector<syntax::Expr> all;
  for (const std::string& name : names) all.push_back(name_expr(name, span));
  return all;
}

WholeArray scalar_of(const syntax::Expr& e) {
  return {{}, [e](const Names&) { return e; }};
}

using Does = ArrayFunction::Kind;
constexpr auto array_functions = std::to_array<ArrayFunction>({
    {Does::transpose, "transpose", "a transpose is its indices swapped, as in A(j,i)"},
    {Does::product, "matmul", "a product of matrices is summed over an index, as in A(i,k) * B(k,j)"},
    {Does::product, "dot", "a product of vectors is summed over an index, as in sum(i)(x(i) * y(i))"},
    {Does::mean, "mean", "an average is a sum by its count, as in sum(i)(x(i)) / n"},
    {Does::mean, "average", "an average is a sum by its count, as in sum(i)(x(i)) / n"},
    {Does::norm, "norm", "a norm is written out, as in sqrt(sum(i)(x(i)^2))"},
    {Does::fill, "zeros", "a tensor holds its fill from the start, 0 unless it says another: tensor A(n, n)"},
    {Does::fill, "ones", "a tensor holds its fill from the start: tensor A(n, n): fill 1"},
    {Does::identity, "eye", "an element is said by its indices, as in A(i,j) = i == j ? 1 : 0"},
    {Does::length, "len", "sizes have names: tensor x(n) is n long"},
    {Does::length, "length", "sizes have names: tensor x(n) is n long"},
    {Does::length, "numel", "sizes have names: tensor x(n) is n long"},
    {Does::length, "size", "sizes have names: tensor A(n, m) is n by m"},
});

}  // namespace

const ArrayFunction* array_function(const Resolution& resolution, const syntax::Expr& e) {
  const auto* r = e.as<syntax::Reference>();
  if (!r || !r->arguments || r->body || r->step || resolution.has_meaning(r->name.text)) return nullptr;
  const auto found =
      std::ranges::find_if(array_functions, [&](const ArrayFunction& f) { return r->name.text == f.name; });
  return found == array_functions.end() ? nullptr : &*found;
}

text::Diagnostic& report_notation(Resolution& resolution, text::Span span, const std::string& notation) {
  return resolution.error(
      "E0240", span, "`" + notation + "` is the notation of other languages; an equation says what one element is");
}

bool is_whole_tensor(const Resolution& resolution, const syntax::Expr& e) {
  const std::string* name = bare_name(e);
  const TensorInfo* info = name ? resolution.tensor(*name) : nullptr;
  return info && !info->shape.empty();
}

bool reduces_whole(const Resolution& resolution, const syntax::Reference& r) {
  const auto op = format::reduce_op(r.name.text);
  if (!op || format::is_arg(*op) || r.body || !r.arguments || r.arguments->size() != 1) return false;
  return !resolution.has_meaning(r.name.text);
}

bool is_end(const Resolution& resolution, const syntax::Expr& index) {
  const std::string* name = bare_name(index);
  return name && *name == "end" && !resolution.has_meaning(*name);
}

syntax::Expr written(const math::Affine& size, text::Span span) {
  std::optional<syntax::Expr> sum;
  const auto add = [&](std::int64_t coefficient, std::optional<syntax::Expr> factor) {
    const std::int64_t count = coefficient < 0 && sum ? -coefficient : coefficient;
    syntax::Expr term = factor ? *factor : number_of(std::to_string(count), span);
    if (factor && count != 1) term = binary_of(BinaryOp::multiply, number_of(std::to_string(count), span), term, span);
    sum = sum ? binary_of(coefficient < 0 ? BinaryOp::subtract : BinaryOp::add, *sum, term, span) : term;
  };
  for (const auto& [name, coefficient] : size.terms) add(coefficient, name_expr(name, span));
  for (const math::Quotient& q : size.quotients)
    add(q.coefficient, binary_of(q.kind == math::Quotient::Kind::div ? BinaryOp::divide : BinaryOp::modulo,
                                 written(*q.numerator, span), number_of(std::to_string(q.divisor), span), span));
  if (size.constant != 0 || !sum) add(size.constant, std::nullopt);
  return *sum;
}

std::vector<syntax::Expr> ArrayReader::sizes_of(const TensorInfo& info, text::Span span) const {
  if (resolution_.shapeless.contains(info.name)) return std::vector<syntax::Expr>(info.shape.size());
  std::vector<syntax::Expr> sizes;
  for (const math::Affine& size : info.shape) sizes.push_back(written(size, span));
  return sizes;
}

std::optional<WholeArray> ArrayReader::read(const syntax::Expr& e) {
  if (is_whole_tensor(resolution_, e)) {
    WholeArray whole;
    whole.sizes = sizes_of(*resolution_.tensor(*bare_name(e)), e->span);
    whole.element = [e](const Names& indices) {
      return applied_to(*bare_name(e), as_expressions(indices, e->span), e->span);
    };
    return whole;
  }
  if (const auto* r = e.as<syntax::Reference>()) return read_reference(e, *r);
  const auto* b = e.as<syntax::Binary>();
  if (b && b->op == BinaryOp::multiply && star_ == Star::product) {
    const auto left = read(b->left), right = read(b->right);
    if (!left || !right) return std::nullopt;
    const syntax::Reference* notation = foreign(b->left);
    const bool row = notation && notation->name.text == transposed;
    if (!right->sizes.empty() && (left->sizes.size() == 2 || (row && left->sizes.size() == 1)))
      return product(*left, *right, e->span);
  }
  return elementwise(e);
}

std::optional<WholeArray> ArrayReader::read_reference(const syntax::Expr& e, const syntax::Reference& r) {
  if (foreign(e)) return read_foreign(e, r);
  if (!r.arguments) return scalar_of(e);
  if (const ArrayFunction* f = array_function(resolution_, e)) return read_function(e, r, *f);
  if (reduces_whole(resolution_, r)) {
    const auto whole = read(r.arguments->front().value);
    if (!whole || whole->sizes.empty()) return std::nullopt;
    return reduced(r.name.text, *whole, e->span);
  }
  switch (kind_of(resolution_, r)) {
    case ReferenceKind::access: return section(e, r);
    case ReferenceKind::reduction:
    case ReferenceKind::shape: return scalar_of(e);
    default: return elementwise(e);
  }
}

std::optional<WholeArray> ArrayReader::read_foreign(const syntax::Expr& e, const syntax::Reference& r) {
  if (r.name.text == whole_dimension) return std::nullopt;  // of no tensor
  if (const auto op = dotted_operator(r.name.text))
    return elementwise(binary_of(*op, r.arguments->at(0).value, r.arguments->at(1).value, e->span));
  const auto parts = arguments(r);
  if (!parts) return std::nullopt;
  return r.name.text == transposed ? transpose(parts->front()) : product(parts->front(), parts->at(1), e->span);
}

std::optional<WholeArray> ArrayReader::transpose(WholeArray whole) {
  if (whole.sizes.size() > 2) return std::nullopt;
  std::ranges::reverse(whole.sizes);
  whole.element = [at = whole.element](Names indices) {
    std::ranges::reverse(indices);
    return at(indices);
  };
  return whole;
}

std::optional<ArrayReader::Parts> ArrayReader::arguments(const syntax::Reference& r) {
  Parts parts;
  for (const syntax::Argument& argument : *r.arguments) {
    auto part = argument.high ? std::nullopt : read(argument.value);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return parts;
}

std::optional<WholeArray> ArrayReader::read_function(const syntax::Expr& e, const syntax::Reference& r,
                                                     const ArrayFunction& f) {
  if (f.kind == Does::fill || f.kind == Does::identity) return filled(r, f, e->span);
  const auto parts = arguments(r);
  if (!parts || parts->size() != (f.kind == Does::product ? 2U : 1U)) return std::nullopt;
  const WholeArray& first = parts->front();
  if (first.sizes.empty()) return std::nullopt;
  switch (f.kind) {
    case Does::transpose: return transpose(first);
    case Does::product: return product(first, parts->at(1), e->span);
    case Does::mean: return mean(first, e->span);
    case Does::length:
      return first.sizes.size() == 1 && first.sizes[0] ? std::optional(scalar_of(first.sizes[0])) : std::nullopt;
    default: break;
  }
  const WholeArray squares{first.sizes, [at = first.element, span = e->span](const Names& indices) {
                             return binary_of(BinaryOp::power, at(indices), number_of("2", span), span);
                           }};
  const WholeArray sum = reduced("sum", squares, e->span);
  return WholeArray{{}, [sum, span = e->span](const Names&) { return applied_to("sqrt", {sum.element({})}, span); }};
}

/// `A(0,:)`, `x(end)`.
std::optional<WholeArray> ArrayReader::section(const syntax::Expr& e, const syntax::Reference& r) {
  const TensorInfo* info = resolution_.tensor(r.name.text);
  if (!info || info->shape.size() != r.arguments->size()) return std::nullopt;
  const std::vector<syntax::Expr> sizes = sizes_of(*info, e->span);
  WholeArray part;
  syntax::Reference at = r;
  std::vector<std::size_t> open;  // dimensions that are not fixed
  for (std::size_t d = 0; d < at.arguments->size(); ++d) {
    syntax::Expr& index = at.arguments->at(d).value;
    if (at.arguments->at(d).high) return std::nullopt;
    if (const syntax::Reference* notation = foreign(index)) {
      if (notation->name.text != whole_dimension) return std::nullopt;
      open.push_back(d);
      part.sizes.push_back(sizes[d]);
    } else if (!sizes[d] && mentions_any(index, {"end"})) {
      return std::nullopt;
    }
    const std::function<syntax::Expr(const syntax::Expr&)> without_end = [&](const syntax::Expr& inner) {
      if (is_end(resolution_, inner)) return written(info->shape[d] - math::Affine(1), inner->span);
      return map_children(inner, without_end);
    };
    index = without_end(index);
  }
  part.element = [at, open, span = e->span](const Names& indices) {
    syntax::Reference element = at;
    for (std::size_t k = 0; k < open.size(); ++k) element.arguments->at(open[k]).value = name_expr(indices[k], span);
    return node_of(std::move(element), span);
  };
  return part;
}

std::optional<WholeArray> ArrayReader::elementwise(const syntax::Expr& e) {
  Parts parts;
  bool fit = true;
  WholeArray all;
  for_each_child(e, [&](const syntax::Expr& child) {
    auto part = fit ? read(child) : std::nullopt;
    fit = part && (part->sizes.empty() || all.sizes.empty() || part->sizes.size() == all.sizes.size());
    if (!fit) return;
    if (all.sizes.empty()) all.sizes = part->sizes;
    parts.push_back(std::move(*part));
  });
  if (!fit) return std::nullopt;
  all.element = [e, parts](const Names& indices) {
    std::size_t next = 0;
    return map_children(e, [&](const syntax::Expr&) {
      const WholeArray& part = parts[next++];
      return part.element(part.sizes.empty() ? Names{} : indices);
    });
  };
  return all;
}

std::optional<WholeArray> ArrayReader::product(const WholeArray& left, const WholeArray& right, text::Span span) {
  const std::size_t rows = left.sizes.size() - 1, columns = right.sizes.size() - 1;
  if (left.sizes.empty() || right.sizes.empty() || rows > 1 || columns > 1) return std::nullopt;
  WholeArray made;
  if (rows == 1) made.sizes.push_back(left.sizes[0]);
  if (columns == 1) made.sizes.push_back(right.sizes[1]);
  made.element = [this, left, right, rows, columns, span](const Names& indices) {
    const std::string k = summed_ = new_index_();
    const Names l = rows == 1 ? Names{indices.front(), k} : Names{k};
    const Names r = columns == 1 ? Names{k, indices.back()} : Names{k};
    return applied_to("sum", {name_expr(k, span)}, span,
                      binary_of(BinaryOp::multiply, left.element(l), right.element(r), span));
  };
  return made;
}

WholeArray ArrayReader::reduced(const std::string& reduction, const WholeArray& whole, text::Span span) {
  return {{}, [this, reduction, whole, span](const Names&) {
            Names indices;
            while (indices.size() < whole.sizes.size()) indices.push_back(new_index_());
            return applied_to(reduction, as_expressions(indices, span), span, whole.element(indices));
          }};
}

/// Of integers too, whose quotient would be rounded.
std::optional<WholeArray> ArrayReader::mean(const WholeArray& whole, text::Span span) {
  if (std::ranges::any_of(whole.sizes, [](const syntax::Expr& size) { return !size; })) return std::nullopt;
  const WholeArray sum = reduced("sum", whole, span);
  return WholeArray{{}, [this, sum, whole, span](const Names&) {
                      syntax::Expr total = sum.element({});
                      const Natural own = NaturalTypes(resolution_).of(total);
                      if (own.kind == Natural::Kind::fixed && format::is_integer(own.type))
                        total = applied_to("f64", {total}, span);
                      for (const syntax::Expr& size : whole.sizes)
                        total = binary_of(BinaryOp::divide, total, size, span);
                      return total;
                    }};
}

/// A matrix of ones on its diagonal for `eye`.
std::optional<WholeArray> ArrayReader::filled(const syntax::Reference& r, const ArrayFunction& f, text::Span span) {
  WholeArray made;
  for (const syntax::Argument& argument : *r.arguments) {
    const auto* tuple = argument.value.as<syntax::Tuple>();
    if (argument.high) return std::nullopt;
    if (tuple) made.sizes.insert(made.sizes.end(), tuple->items.begin(), tuple->items.end());
    else made.sizes.push_back(argument.value);
  }
  if (f.kind == Does::identity && made.sizes.size() == 1) made.sizes.push_back(made.sizes[0]);
  const bool diagonal = f.kind == Does::identity;
  if (made.sizes.empty() || (diagonal && made.sizes.size() != 2)) return std::nullopt;
  const std::string everywhere = std::string(f.name) == "ones" ? "1.0" : "0.0";
  made.element = [diagonal, everywhere, span](const Names& indices) {
    if (!diagonal) return number_of(everywhere, span);
    const syntax::Expr on = binary_of(BinaryOp::equal, name_expr(indices[0], span), name_expr(indices[1], span), span);
    return node_of(syntax::Select{on, number_of("1.0", span), number_of("0.0", span)}, span);
  };
  return made;
}

}  // namespace trellis::lang::resolving
