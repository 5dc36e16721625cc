#include "engine/schedule/strips.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "engine/loop/context.hpp"

namespace trellis::schedule {

using format::Function;
using loop::Expr;
using loop::For;
using loop::Stmt;
using math::Affine;

std::int64_t tile_size(const For& f) {
  std::int64_t size = 0;
  for (const Affine& low : loop::alternatives(f.low, Function::max))
    for (const Affine& high : loop::alternatives(f.high, Function::min)) {
      const Affine length = high - low;
      if (length.is_constant() && length.constant > 0 && (size == 0 || length.constant < size)) size = length.constant;
    }
  return size;
}

namespace {

class Reader {
 public:
  explicit Reader(const std::string& tensor) : tensor_(tensor) {}

  void visit(const Stmt& stmt, std::map<std::string, std::int64_t> tiles) {
    const auto* f = stmt.as<For>();
    if (f && f->registers) tiles[f->variable] = tile_size(*f);
    const auto* assign = stmt.as<loop::Assign>();
    if (assign && assign->op && tiles.size() == 2) read(assign->value, tiles);
    loop::for_each_child(
        stmt, [&](const Stmt& child) { visit(child, tiles); }, [](const Expr&) {});
  }

  std::optional<Strips> result() const { return fits_ && found_.width > 1 ? std::optional(found_) : std::nullopt; }

 private:
  void read(const Expr& expr, const std::map<std::string, std::int64_t>& tiles) {
    lang::for_each_child(expr, [&](const Expr& child) { read(child, tiles); });
    const auto* access = expr.as<lang::Access>();
    if (!access || access->tensor != tensor_) return;
    for (std::size_t d = 0; d < access->indices.size(); ++d) {
      const auto* variable = access->indices[d].as<lang::Variable>();
      const auto tile = variable ? tiles.find(variable->name) : tiles.end();
      if (tile != tiles.end()) note(static_cast<int>(d), tile->second);
    }
  }

  void note(int dimension, std::int64_t size) {
    if (size == 0) return;  // a part of a tile
    if (found_.width == 0) found_ = {dimension, size};
    const std::int64_t narrow = std::min(size, found_.width), wide = std::max(size, found_.width);
    fits_ = fits_ && dimension == found_.dimension && wide % narrow == 0;
    found_.width = wide;
  }

  const std::string& tensor_;
  Strips found_;
  bool fits_ = true;
};

}  // namespace

std::optional<Strips> strips_of(const Stmt& loops, const std::string& tensor) {
  Reader reader(tensor);
  reader.visit(loops, {});
  return reader.result();
}

lang::TensorInfo in_strips(const lang::TensorInfo& tensor, const Strips& strips, const std::string& name) {
  const auto cut = static_cast<std::size_t>(strips.dimension);
  const std::size_t rank = tensor.shape.size();
  format::Layout layout;
  layout.name = "strips(" + std::to_string(strips.width) + ")";
  format::Layout::Branch branch;
  const auto level = [](std::size_t l) { return Affine::name(format::level_coordinate(l)); };
  for (std::size_t d = 0; d < rank; ++d) layout.dimensions.push_back("d" + std::to_string(d));
  const Affine of_cut = Affine::name(layout.dimensions[cut]);
  branch.to.push_back(Affine::div(of_cut, strips.width));
  branch.back.resize(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    if (d == cut) continue;
    branch.back[d] = level(branch.to.size());
    branch.to.push_back(Affine::name(layout.dimensions[d]));
  }
  branch.back[cut] = strips.width * level(0) + level(branch.to.size());
  branch.to.push_back(Affine::mod(of_cut, strips.width));
  layout.branches.push_back(std::move(branch));

  lang::TensorInfo packed = tensor;
  packed.name = name;
  packed.kind = lang::TensorInfo::Kind::temporary;
  packed.format = format::Format::dense(static_cast<int>(rank) + 1);
  packed.format.name = "strips";
  packed.format.layout = std::make_shared<format::Layout>(std::move(layout));
  packed.shape[cut] = strips.width * Affine::div(tensor.shape[cut] + (strips.width - 1), strips.width);
  packed.promises = {};
  return packed;
}

}  // namespace trellis::schedule
