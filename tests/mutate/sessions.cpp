#include "tests/mutate/sessions.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/lang/parse.hpp"
#include "engine/session/typing/colouring.hpp"
#include "engine/session/typing/complete.hpp"
#include "engine/view/json.hpp"
#include "tests/programs.hpp"

namespace trellis::mutate {
namespace {

namespace fs = std::filesystem;

session::Options options_in(const fs::path& folder) {
  session::Options options;
  options.limits.seconds = 2;
  options.data_limit = std::size_t{64} << 20;
  options.folder = folder.string();
  return options;
}

std::string objection_to(const session::Reply& reply, const text::Sources& sources) {
  // Everything that a front end would do with it.
  session::output_of(reply, session::Elision::when_large);
  session::remarks_of(reply);
  view::written(session::to_json(reply, sources));
  for (const text::Diagnostic& d : reply.diagnostics.all()) {
    text::render(d, sources, text::Colour::off);
    if (d.code == "E0510") return "a fault: " + text::render(d, sources, text::Colour::off);
  }
  const bool said = reply.ok() || reply.diagnostics.has_errors() || reply.exit == session::Exit::difference;
  return said ? "" : "failed, without an error";
}

}  // namespace

Sitting::Sitting() : before_(fs::current_path()) {
  for (const auto& entry : fs::directory_iterator(fs::path(TRELLIS_SOURCE_DIR) / "examples"))
    if (entry.is_regular_file() && entry.path().extension() != ".tr")
      fs::copy_file(entry.path(), folder_.path() / entry.path().filename());
  fs::current_path(folder_.path());
  session_ = std::make_unique<session::Session>(options_in(folder_.path()));
}

Sitting::~Sitting() { fs::current_path(before_); }

void Sitting::object(const std::string& what) {
  if (objection_.empty()) objection_ = "`" + entered_ + "`: " + what;
}

void Sitting::judge(const session::Reply& reply) {
  if (const std::string wrong = objection_to(reply, session_->sources()); !wrong.empty()) object(wrong);
}

void Sitting::begin(const std::string& program, session::Session::Extent extent) {
  entered_ = program;
  try {
    session_->feed("program", program, extent, [&](const session::Reply& reply) { judge(reply); });
  } catch (const std::exception& thrown) { object(std::string("threw ") + thrown.what()); }
}

void Sitting::enter(const std::string& entry, std::size_t cursor) {
  entered_ = entry;
  try {
    std::size_t at = 0;
    for (const auto& stretch : session::coloured_stretches(entry, session::TextLanguage::program)) {
      if (stretch.begin < at || stretch.end < stretch.begin || stretch.end > entry.size()) object("coloured beside it");
      at = stretch.end;
    }
    if (session::complete(session_->state(), entry, cursor).begin > cursor) object("completed behind the cursor");
    session_->enter("typed", entry, [&](const session::Reply& reply) { judge(reply); });
  } catch (const std::exception& thrown) { object(std::string("threw ") + thrown.what()); }
}

void Sitting::save_and_read() {
  const std::string path = folder_ / "session.tr";
  entered_ = "save \"" + path + "\"";
  bool saved = true;
  session_->feed("typed", entered_, [&](const session::Reply& reply) {
    judge(reply);
    saved = saved && reply.ok();
    if (reply.ok()) return;
    const std::string why = reply.diagnostics.all().empty() ? "refused" : reply.diagnostics.all().front().message;
    object(why + "\n" + lang::print(session_->state().declarations.file()).characters);
  });
  if (!saved) return;
  text::Diagnostics wrong;
  session_->state().program(wrong);
  session::Session again(session_->state().options);
  const std::string text = testing::read(path);
  again.feed(path, text, session::Session::Extent::declarations, [&](const session::Reply& reply) {
    if (reply.ok() || wrong.has_errors()) return;
    const bool none = reply.diagnostics.all().empty();
    object("what was saved is refused: " + (none ? "" : reply.diagnostics.all().front().message) + "\n" + text);
  });
  const bool same = text.find(lang::print(again.state().declarations.file()).characters) != std::string::npos;
  if (!wrong.has_errors() && !same) object("what was saved declares something else:\n" + text);
}

}  // namespace trellis::mutate
