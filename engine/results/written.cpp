#include "engine/results/written.hpp"

#include <algorithm>

namespace trellis::results {

std::string to_string(const Written& written, const lang::Program& program) {
  if (written.how == Written::How::append) return written.tensor + ": each entry is appended as it is computed";
  if (written.how == Written::How::masked)
    return written.tensor + ": its entries are those of mask " + written.mask + ", which it shares";
  if (written.how == Written::How::shared)
    return written.tensor + ": it has an entry wherever " + written.mask + " has, whose arrays it shares";
  if (written.how == Written::How::scattered)
    return written.tensor + ": entries are counted, fiber by fiber, and then put where they belong, because " +
           written.reason;
  std::string workspaces;
  for (const lang::TensorInfo& w : written.workspaces) {
    std::string shape;
    for (const math::Affine& size : w.shape) shape += (shape.empty() ? "" : ", ") + math::to_string(size);
    workspaces += (workspaces.empty() ? "" : ", then ") + w.name +
                  (shape.empty() ? "" : "(" + shape + "): " + format::to_string(w.format));
  }
  if (written.how == Written::How::instead)
    return written.tensor + ": stored as " + format::to_string(written.workspaces.front().format) + ", because " +
           written.reason;
  if (written.how == Written::How::copied)
    return written.tensor + ": it is copied to " + workspaces + ", because " + written.reason;
  if (written.how == Written::How::anew)
    return written.tensor + ": what it held is copied to " + workspaces +
           ", and each entry is appended as it is computed of that";
  std::string what = "all of it";
  if (written.how == Written::How::slices) {
    const lang::TensorInfo* tensor = program.tensor(written.tensor);
    const std::size_t fixed = tensor->shape.size() - written.workspaces.front().shape.size();
    what = "each element";
    if (fixed < tensor->shape.size()) {
      what = "each " + written.tensor + "(";
      for (std::size_t d = 0; d < tensor->shape.size(); ++d) {
        const auto level = std::ranges::find(tensor->format.order, static_cast<int>(d)) - tensor->format.order.begin();
        what += std::string(d ? "," : "") + (static_cast<std::size_t>(level) < fixed ? "ijklmnop"[d % 8] : ':');
      }
      what += ")";
    }
  }
  return written.tensor + ": " + what + " is collected in " + workspaces + ", then appended, because " + written.reason;
}

}  // namespace trellis::results
