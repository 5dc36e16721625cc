#include "gui/asked.hpp"

namespace trellis::gui {
namespace {

struct Asked {
  std::shared_ptr<const text::Text>
      of;  ///< that it was asked about: what answers compile must not make them asked anew
  std::shared_ptr<const session::Reply> before;  ///< what the answer takes the place of
};

}  // namespace

const session::Reply* asked(const Scene& scene, Ui& ui, const std::string& command) {
  if (!scene.kernel || scene.side == 'B') return nullptr;
  auto& kept = ui.memory<Asked>("asked " + command);
  const auto found = scene.replies->find(command.substr(0, command.find(' ')));
  const auto reply = found == scene.replies->end() ? nullptr : found->second;
  const bool ready =
      !scene.busy && !scene.stale && scene.snapshot->accepted && scene.snapshot->wave == session::Wave::ran;
  const auto& text = scene.snapshot->text;
  // Of an illegal order there is nothing compiled to wait for.
  if (kept.of != text && (scene.kernel->compiled || scene.legal() == false) && ready) {
    kept.of = text, kept.before = reply;
    ui.act("window ask " + command);
  }
  return kept.of && kept.of == text && reply != kept.before ? reply.get() : nullptr;
}

}  // namespace trellis::gui
