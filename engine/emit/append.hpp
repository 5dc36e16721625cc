#pragma once
// Entries of results in sparse formats. An entry of an inner level is new unless it is the present fiber's last one.

#include <string>
#include <vector>

#include "engine/emit/context.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/result.hpp"

namespace trellis::emit {

class Appends {
 public:
  Appends(Context& out, Results& results, Counts& counts) : out_(out), results_(results), counts_(counts) {}

  void append(const flow::Append& append, const text::Origin& origin, bool last);

 private:
  /// Variables or literals, outermost level first: where the entries begin, and of runs where they end.
  struct Coordinates {
    std::vector<std::string> first;
    std::vector<c::Expr> last;
  };

  Coordinates coordinates_of(const flow::Append& append, const flow::Tensor& tensor);
  std::string named(const flow::Tensor& tensor, c::Expr value, const text::Origin& origin);
  void store_element(const flow::Tensor& tensor, const Coordinates& coordinates, const c::Expr& value);
  void scatter(const flow::Tensor& tensor, const Coordinates& coordinates, bool counted, const c::Expr& value);
  void store_run(const flow::Tensor& tensor, const Coordinates& coordinates, c::Expr value);
  c::Expr goes_on(const flow::Tensor& tensor, const c::Expr& parent, const c::Expr& start, const c::Expr& value);
  void show_entries(const flow::Tensor& tensor, const Coordinates& coordinates);
  void take_slot(const flow::Tensor& tensor);
  c::Expr slot(const flow::Tensor& tensor);
  c::Expr descend(const flow::Tensor& tensor, int levels, const Coordinates& coordinates);
  c::Expr append_entry(const flow::Tensor& tensor, int level, const c::Expr& parent, const Coordinates& coordinates);
  c::Expr is_new(const flow::Tensor& tensor, int level, const c::Expr& parent, const Coordinates& coordinates);
  void list_coordinates(const flow::Tensor& tensor, int level, const Coordinates& coordinates);
  void begin_block(const flow::Tensor& tensor, int level);
  c::Expr block_below(const flow::Tensor& tensor, int level);

  Context& out_;
  Results& results_;
  Counts& counts_;
};

}  // namespace trellis::emit
