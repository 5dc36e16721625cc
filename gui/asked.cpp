#include "gui/asked.hpp"

namespace trellis::gui {
namespace {

struct Asked {
  std::shared_ptr<const session::CompiledView> of;  ///< that it was asked about
  std::shared_ptr<const session::Reply> before;     ///< what the answer takes the place of
};

}  // namespace

const session::Reply* asked(const Scene& scene, Ui& ui, const std::string& command) {
  if (!scene.kernel || scene.side == 'B') return nullptr;
  auto& kept = ui.memory<Asked>("asked " + command);
  const auto found = scene.replies.find(command.substr(0, command.find(' ')));
  const auto reply = found == scene.replies.end() ? nullptr : found->second;
  const bool ready = !scene.busy && !scene.stale && scene.snapshot->accepted && scene.snapshot->wave == session::Wave::ran;
  if (kept.of != scene.kernel->compiled && scene.kernel->compiled && ready) {
    kept.of = scene.kernel->compiled, kept.before = reply;
    ui.act("window ask " + command);
  }
  return kept.of && kept.of == scene.kernel->compiled && reply != kept.before ? reply.get() : nullptr;
}

}  // namespace trellis::gui
