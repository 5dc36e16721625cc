#pragma once
// Watches an execution for what lowering relies on: a sparse result is only written from empty on, in strictly rising
// storage order, and what is read of it is finished: no element up to the one that was read is written later.

#include <map>
#include <string>

#include "engine/loop/interpret.hpp"

namespace trellis::schedule::testing {

class AppendWatch : public loop::Observer {
 public:
  /// `holds`: it may hold something when the loops begin.
  void watch(const lang::TensorInfo& tensor, bool holds) {
    watched_[tensor.name] = {tensor.format.order, holds, {}, {}};
  }
  const std::string& complaint() const { return complaint_; }

  void read(const loop::Moment&, const loop::Element& e, const format::Value&) override {
    const auto found = watched_.find(e.tensor);
    if (found == watched_.end()) return;
    const tensor::Index at = stored(e, found->second);
    if (!found->second.read || *found->second.read < at) found->second.read = at;
  }

  void write(const loop::Moment&, const loop::Element& e, const format::Value&, const format::Value&) override {
    const auto found = watched_.find(e.tensor);
    if (found == watched_.end()) return;
    Watched& w = found->second;
    const tensor::Index at = stored(e, w);
    const std::string element = text::element_text(e.tensor, {e.index.begin(), e.index.end()});
    if (w.holds) complain(element + " is appended to what " + e.tensor + " held before");
    if (w.written && !(*w.written < at)) complain(element + " is written after one behind it");
    if (w.read && !(*w.read < at)) complain(element + " is written after it, or one behind it, was read");
    w.written = at;
  }

  void reset(const loop::Moment&, const std::string& tensor, const format::Value&) override {
    const auto found = watched_.find(tensor);
    if (found != watched_.end()) found->second = {found->second.order, false, {}, {}};
  }

 private:
  struct Watched {
    std::vector<int> order;
    bool holds = false;
    std::optional<tensor::Index> read, written;
  };

  static tensor::Index stored(const loop::Element& e, const Watched& w) {
    tensor::Index at;
    for (int d : w.order) at.push_back(e.index[static_cast<std::size_t>(d)]);
    return at;
  }

  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = what;
  }

  std::map<std::string, Watched> watched_;
  std::string complaint_;
};

}  // namespace trellis::schedule::testing
