#pragma once
// Counts reads that come too early while a nest is interpreted: of an element that nothing has written yet, or of one
// that is written again later. An accumulation that reads its own element is no such read.

#include <map>
#include <set>
#include <utility>

#include "engine/loop/interpret.hpp"

namespace trellis::place {

class EarlyReads : public loop::Observer {
 public:
  int undefined = 0;  ///< reads of elements that nothing had written
  int changed = 0;    ///< writes to elements that had been read
  bool any() const { return undefined + changed > 0; }

  Go begin(const loop::Moment&) override {
    read_before_.insert(reading_.begin(), reading_.end());
    reading_.clear();
    return Go::on;
  }
  void read(const loop::Moment&, const loop::Element& e, const format::Value&) override {
    if (!e.defined) ++undefined;
    reading_.insert(key(e));
  }
  void write(const loop::Moment&, const loop::Element& e, const format::Value&, const format::Value&) override {
    reading_.erase(key(e));
    if (read_before_.count(key(e))) ++changed;
  }
  void declare(const loop::Moment&, const std::string& tensor) override {
    std::erase_if(read_before_, [&](const Key& k) { return k.first == tensor; });
  }

 private:
  using Key = std::pair<std::string, tensor::Index>;
  static Key key(const loop::Element& e) { return {e.tensor, tensor::Index(e.index.begin(), e.index.end())}; }

  std::set<Key> reading_;      ///< by the statement that runs
  std::set<Key> read_before_;  ///< by earlier ones
};

}  // namespace trellis::place
