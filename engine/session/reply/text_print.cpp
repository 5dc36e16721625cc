// Tensors and values of expressions, as people read them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/session/reply/text.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::session {
namespace {

std::string number(const format::Value& value) {
  if (!format::is_floating(value.type)) return format::to_string(value);
  if (std::isnan(value.real)) return "nan";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value.real);
  return buffer;
}

// Elements as they are printed: columns aligned, and of large tensors only the first and last of each dimension.
//
//   A = [[ 1  2 …  9]
//        [10 20 … 90]]
//
// Vectors that are wider than the page go on in the next line, matrices leave out what is in the middle, unless they
// are printed whole.
class TensorText {
 public:
  TensorText(const Printed& printed, bool elides, const text::Page& page)
      : value_(printed.value), page_(page), elides_(elides), whole_(printed.extent == Printed::Extent::whole) {}

  std::string print(std::size_t margin) {
    margin_ = margin;
    if (value_.shape().size() >= 2) {
      measure();
      keep_what_fits();
    }
    print_dimension();
    return std::move(out_);
  }

 private:
  // Calls `visit` with each index of the present dimension that is shown, and `gap` once where some are not.
  template <class Visit, class Gap>
  void each_shown(const Visit& visit, const Gap& gap) {
    const std::int64_t size = value_.shape()[index_.size()];
    const bool innermost = index_.size() + 1 == value_.shape().size();
    const std::int64_t kept_at_ends = value_.rank() > 2 ? 2 : 4;
    const std::int64_t kept = std::min(elides_ ? kept_at_ends : size, innermost ? fitting_ : size);
    for (std::int64_t i = 0; i < size; ++i) {
      if (i == kept && size > 2 * kept) {
        gap();
        i = size - kept;
      }
      index_.push_back(i);
      visit(i);
      index_.pop_back();
    }
  }

  void measure() {
    if (index_.size() == value_.shape().size()) width_ = std::max(width_, number(value_.get(index_)).size());
    else each_shown([&](std::int64_t) { measure(); }, [] {});
  }

  void keep_what_fits() {
    const auto width = static_cast<std::int64_t>(width_),
               brackets = 2 * static_cast<std::int64_t>(value_.shape().size());
    const std::int64_t room = page_.columns - static_cast<std::int64_t>(margin_) - brackets;
    if (page_.columns > 0 && !whole_ && value_.shape().back() * (width + 1) - 1 > room)
      fitting_ = std::max<std::int64_t>((room - text::width_of(page_.ellipsis)) / (2 * (width + 1)), 1);
  }

  /// Behind it the line is full.
  bool is_last_in_line(const std::string& next) {
    const std::size_t line = out_.find_last_of('\n') + 1;  // npos + 1 is 0
    const std::size_t before = line == 0 ? margin_ : 0;
    return value_.shape().size() == 1 && page_.columns > 0 &&
           before + out_.size() - line + 2 + next.size() > static_cast<std::size_t>(page_.columns);
  }

  void print_dimension() {
    const std::size_t depth = index_.size();
    if (depth == value_.shape().size()) {
      const std::string text = number(value_.get(index_));
      out_ += std::string(width_ > text.size() ? width_ - text.size() : 0, ' ') + text;
      return;
    }
    const std::string line = "\n" + std::string(margin_ + depth + 1, ' '),
                      between = depth + 1 == value_.shape().size() ? " " : line;
    out_ += "[";
    each_shown(
        [&](std::int64_t i) {
          if (i > 0)
            out_ += depth == 0 && between == " " && is_last_in_line(number(value_.get(index_))) ? line : between;
          print_dimension();
        },
        [&] { out_ += between + std::string(page_.ellipsis); });
    out_ += "]";
  }

  const tensor::Tensor& value_;
  const text::Page page_;
  const bool elides_, whole_;
  std::int64_t fitting_ = std::numeric_limits<std::int64_t>::max() / 2;  ///< elements at each end of a row
  std::size_t margin_ = 0, width_ = 0;
  tensor::Index index_;
  std::string out_;
};

/// What values come to, in words: ", 7 other than 0, least -2, greatest 9", and of Booleans ", 7 true".
class Summary {
 public:
  explicit Summary(const format::Value& fill) : fill_(fill) {}

  void add(const format::Value& value) {
    ++count_;
    others_ += !(value == fill_);
    if (format::is_floating(value.type) && std::isnan(value.real)) {
      ++not_numbers_;
      return;
    }
    const format::Value low[] = {least_.value_or(value), value}, high[] = {greatest_.value_or(value), value};
    least_ = format::apply(format::Function::min, low, 2);
    greatest_ = format::apply(format::Function::max, high, 2);
  }

  std::string words() const {
    if (format::is_boolean(fill_.type))
      return ", " + std::to_string(fill_.is_true() ? count_ - others_ : others_) + " true";
    std::string out;
    if (others_ < count_) out += ", " + std::to_string(others_) + " other than " + number(fill_);
    if (not_numbers_ > 0) out += ", " + std::to_string(not_numbers_) + " not numbers";
    if (least_) out += ", least " + number(*least_) + ", greatest " + number(*greatest_);
    return out;
  }

 private:
  const format::Value fill_;
  std::int64_t count_ = 0, others_ = 0, not_numbers_ = 0;
  std::optional<format::Value> least_, greatest_;
};

std::string name_of(const Printed& printed) { return printed.expression.empty() ? printed.tensor : printed.expression; }

/// How all of what is shown in part can be seen.
std::string hint(const Printed& printed) { return "; `print " + name_of(printed) + " whole` prints all of it"; }

/// What stands above the corners of a large dense tensor.
std::string head_of_large(const Printed& printed) {
  const tensor::Tensor& value = printed.value;
  Summary summary(value.fill());
  for (std::int64_t place = 0; place < value.count(); ++place) summary.add(value.get_flat(place));
  return name_of(printed) + " = dense " + tensor::shape_text(value.shape()) + ", " + std::to_string(value.count()) +
         " elements" + summary.words() + hint(printed) + "\n";
}

/// What a sparse tensor stores, in storage order.
///
///   A = csr 3 x 3, 2 entries
///     (0,1)  1
///     (2,0)  20
std::string stored_text(const Printed& printed, bool may_elide) {
  constexpr std::int64_t most_entries = 100, kept_at_ends = 10;
  const tensor::Tensor& value = printed.value;
  const std::int64_t count = tensor::listed_entries(value);
  const bool elides = may_elide && count > most_entries, summarised = elides && !value.format().pattern;
  Summary summary(value.fill());
  std::string entries;
  std::int64_t at = 0;
  tensor::for_each_listed(value, [&](const tensor::Index& index, const format::Value& element) {
    const bool shown = !elides || at < kept_at_ends || at >= count - kept_at_ends;
    if (shown)
      entries += "  " + tensor::element_text(index) + (value.format().pattern ? "" : "  " + number(element)) + "\n";
    else if (at == kept_at_ends) entries += "  …\n";
    if (summarised) summary.add(element);
    ++at;
  });
  return name_of(printed) + " = " + format::to_string(value.format()) + " " + tensor::shape_text(value.shape()) + ", " +
         std::to_string(count) + (count == 1 ? " entry" : " entries") + (summarised ? summary.words() : "") +
         (value.fill().is_true() ? ", elsewhere " + number(value.fill()) : "") + (elides ? hint(printed) : "") + "\n" +
         entries;
}

}  // namespace

std::string text_of(const Printed& printed, Elision elision, const text::Page& page) {
  constexpr std::int64_t most_elements = 1000;
  using Extent = Printed::Extent;
  const bool may_elide =
      printed.extent == Extent::summary || (printed.extent == Extent::as_seen && elision == Elision::when_large);
  if (!printed.value.dense()) return stored_text(printed, may_elide);
  const bool elides = may_elide && printed.value.count() > most_elements;
  const std::string head = elides ? head_of_large(printed) + "  " : name_of(printed) + " = ";
  return head + TensorText(printed, elides, page).print(elides ? 2 : head.size()) + "\n";
}

}  // namespace trellis::session
