#include "engine/session/state/data.hpp"

#include "engine/format/misfit.hpp"
#include "engine/tensor/entries.hpp"

namespace trellis::session {
namespace {

/// Do the two store the same places? Where levels store what nobody listed, values tell which of them count.
bool stores_the_same(const tensor::Tensor& then, const tensor::Tensor& now) {
  format::Format own = now.format();
  own.pattern = true;
  if (!format::objection(own).empty()) return &then.storage() == &now.storage();
  return tensor::same_entries(then, now);
}

}  // namespace

const tensor::Tensor* Data::held(const std::string& name) const {
  const auto found = tensors_->find(name);
  return found == tensors_->end() || !found->second ? nullptr : &found->second;
}

void Data::put(const std::string& name, tensor::Tensor value, SharedText maker) {
  makers_.own()[name] = std::move(maker);
  store_anew(name, std::move(value));
}

void Data::store_anew(const std::string& name, tensor::Tensor value) {
  tensors_.own()[name] = std::move(value);
  kept_.erase(name);
  ++version_;
}

void Data::drop(const std::string& name) {
  kept_.erase(name);
  tensors_.own().erase(name);
  makers_.own().erase(name);
  ++version_;
}

void Data::drop_unfilled() {
  std::erase_if(tensors_.own(), [&](const auto& held) { return !makers_->contains(held.first); });
}

std::map<std::string, SharedText> Data::makers(const std::vector<std::string>& tensors) const {
  std::map<std::string, SharedText> found;
  for (const std::string& name : tensors)
    if (const auto maker = makers_->find(name); maker != makers_->end()) found.insert(*maker);
  return found;
}

const tensor::Tensor* Data::derived(const lang::TensorInfo& info, const tensor::Tensor& base) const {
  const auto known = derived_.find(info.name);
  if (known == derived_.end()) return nullptr;
  if (known->second.supernodes != info.supernodes) return nullptr;
  const tensor::Tensor& of = known->second.of;
  const bool same_entries_do = info.format.pattern && info.inverse_of.empty();
  if (same_entries_do ? !stores_the_same(of, base) : &of.storage() != &base.storage()) return nullptr;
  const tensor::Tensor& value = known->second.value;
  return format::same_storage(value.format(), format::widened(info.format, value.shape())) ? &value : nullptr;
}

const tensor::Tensor* Data::derive(const lang::TensorInfo& info, tensor::Tensor value, tensor::Tensor of) {
  return &(derived_[info.name] = {std::move(value), std::move(of), info.supernodes}).value;
}

bool Data::is_known_to_keep(const std::string& name, const Kept& promised) const {
  const auto known = kept_.find(name);
  return known != kept_.end() && known->second == promised;
}

void Data::restore(Sizes sizes, text::Shared<Tensors> tensors, text::Shared<Makers> makers) {
  sizes_ = std::move(sizes);
  tensors_ = std::move(tensors);
  makers_ = std::move(makers);
  kept_.clear();
  ++version_;
}

}  // namespace trellis::session
