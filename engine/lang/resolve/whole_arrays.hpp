#pragma once
// What an expression over whole arrays says of one element, as NumPy, MATLAB and Julia mean it: `A' * x`, `A(0,:)`,
// `mean(h)`. Such a program is wrong here; its message writes out the equation that it may have meant.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// What `*` of two arrays means: MATLAB's product of matrices, or NumPy's element by element.
enum class Star { product, elementwise };

/// A function of other languages that this one writes with indices.
struct ArrayFunction {
  enum class Kind { transpose, product, mean, norm, fill, identity, length } kind;
  const char* name;
  const char* instead;  ///< what is written here
};
/// Null when it is none, or when the program gives the name a meaning of its own.
const ArrayFunction* array_function(const Resolution& resolution, const syntax::Expr& e);

/// E0240 about notation of other languages.
text::Diagnostic& report_notation(Resolution& resolution, text::Span span, const std::string& notation);

/// How long each dimension is, null where that is not known yet, and the element at given indices, as many as there are
/// dimensions.
struct WholeArray {
  std::vector<syntax::Expr> sizes;
  std::function<syntax::Expr(const std::vector<std::string>&)> element;
};

/// A tensor that stands without indices, and has some.
bool is_whole_tensor(const Resolution& resolution, const syntax::Expr& e);
/// `sum(x)`, `max(x)`: a reduction that names no index.
bool reduces_whole(const Resolution& resolution, const syntax::Reference& r);
/// `end` as an index, when the program gives that name no meaning.
bool is_end(const Resolution& resolution, const syntax::Expr& index);
/// A size as it is written.
syntax::Expr written(const math::Affine& size, text::Span span);

class ArrayReader {
 public:
  /// `new_index` gives the indices that products and reductions are taken over.
  ArrayReader(const Resolution& resolution, Star star, std::function<std::string()> new_index)
      : resolution_(resolution), star_(star), new_index_(std::move(new_index)) {}

  /// Empty where the parts do not fit, or something has no counterpart here.
  std::optional<WholeArray> read(const syntax::Expr& e);
  /// Over what the last product of matrices is summed, once its element was asked for; "" when there is none.
  const std::string& summed() const { return summed_; }

 private:
  using Parts = std::vector<WholeArray>;
  std::vector<syntax::Expr> sizes_of(const TensorInfo& info, text::Span span) const;
  std::optional<WholeArray> read_reference(const syntax::Expr& e, const syntax::Reference& r);
  std::optional<WholeArray> read_function(const syntax::Expr& e, const syntax::Reference& r, const ArrayFunction& f);
  std::optional<WholeArray> read_foreign(const syntax::Expr& e, const syntax::Reference& r);
  std::optional<WholeArray> transpose(WholeArray whole);
  std::optional<WholeArray> section(const syntax::Expr& e, const syntax::Reference& r);
  std::optional<WholeArray> elementwise(const syntax::Expr& e);
  std::optional<WholeArray> product(const WholeArray& left, const WholeArray& right, text::Span span);
  WholeArray reduced(const std::string& reduction, const WholeArray& whole, text::Span span);
  std::optional<WholeArray> mean(const WholeArray& whole, text::Span span);
  std::optional<WholeArray> filled(const syntax::Reference& r, const ArrayFunction& f, text::Span span);
  std::optional<Parts> arguments(const syntax::Reference& r);

  const Resolution& resolution_;
  Star star_;
  std::function<std::string()> new_index_;
  std::string summed_;
};

}  // namespace trellis::lang::resolving
