#include "engine/schedule/carried_instance.hpp"

#include <map>

#include "engine/loop/interpret.hpp"

namespace trellis::schedule {
namespace {

constexpr std::int64_t largest_size = 4;

/// Remembers who wrote each element, and stops at the first read across iterations of one loop.
class Watch : public loop::Observer {
 public:
  Watch(const std::string& variable, text::Point sizes) : variable_(variable), sizes_(std::move(sizes)) {}

  std::optional<text::Instance> found;

  Go begin(const loop::Moment&) override { return found ? Go::stop : Go::on; }
  void read(const loop::Moment& moment, const loop::Element& element, const format::Value&) override {
    const auto writer = writers_.find(key(element));
    if (found || writer == writers_.end() || !across(writer->second, moment.loops)) return;
    found = text::Instance{element.tensor, moment.loops, {element.index.begin(), element.index.end()}, writer->second, sizes_};
  }
  void write(const loop::Moment& moment, const loop::Element& element, const format::Value&, const format::Value&) override {
    writers_[key(element)] = moment.loops;
  }
  void declare(const loop::Moment&, const std::string& tensor) override {
    std::erase_if(writers_, [&](const auto& entry) { return entry.first.first == tensor; });
  }

 private:
  using Key = std::pair<std::string, std::vector<std::int64_t>>;
  static Key key(const loop::Element& element) { return {element.tensor, {element.index.begin(), element.index.end()}}; }

  // Both are inside one instance of the loop, in different iterations of it.
  bool across(const loop::LoopValues& writer, const loop::LoopValues& reader) const {
    for (std::size_t k = 0; k < writer.size() && k < reader.size(); ++k) {
      if (writer[k].first != reader[k].first) return false;
      if (writer[k].first == variable_) return writer[k].second != reader[k].second;
      if (writer[k].second != reader[k].second) return false;
    }
    return false;
  }

  const std::string& variable_;
  text::Point sizes_;
  std::map<Key, loop::LoopValues> writers_;
};

std::optional<loop::Bindings> bindings_at(const lang::Program& program, std::int64_t size, text::Point& sizes) {
  loop::Bindings bindings;
  for (const lang::ParameterInfo& p : program.parameters) {
    bindings.parameters[p.name] = p.real ? p.value.value_or(format::Value::of(format::ScalarType::f64, 1))
                                         : format::Value::of_integer(format::ScalarType::i64, size);
    if (!p.real) sizes.emplace_back(p.name, size);
  }
  const auto value = [&](const std::string& name) -> std::optional<std::int64_t> { return bindings.parameters.at(name).as_integer(); };
  for (const lang::TensorInfo& tensor : program.tensors) {
    tensor::Index shape;
    for (const math::Affine& dimension : tensor.shape) shape.push_back(std::max<std::int64_t>(0, dimension.evaluate(value).value_or(0)));
    auto made = tensor::Tensor::create(tensor.type, shape, tensor.format, tensor.fill);
    if (!made) return std::nullopt;
    bindings.tensors[tensor.name] = std::move(*made);
  }
  return bindings;
}

}  // namespace

std::optional<text::Instance> carried_instance(const loop::Stmt& loops, const lang::Program& program, const std::string& variable) {
  for (std::int64_t size = 1; size <= largest_size; ++size) {
    text::Point sizes;
    const auto bindings = bindings_at(program, size, sizes);
    if (!bindings) return std::nullopt;
    Watch watch(variable, std::move(sizes));
    loop::interpret(loops, *bindings, {}, &watch);
    if (watch.found) return watch.found;
  }
  return std::nullopt;
}

}  // namespace trellis::schedule
