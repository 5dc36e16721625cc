#include "gui/files.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/session/program/documents.hpp"
#include "engine/session/program/files.hpp"
#include "gui/export.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

Files::Files(Document& document, Settings& settings, Console& console, std::string folder)
    : document_(document),
      settings_(settings),
      console_(console),
      folder_(std::move(folder)),
      left_(left_behind(folder_)) {}

std::string why_not_opened(const std::string& path) {
  std::string problem;
  session::read_text(path, problem);
  std::vector<std::string> names;
  for (const session::Example& one : session::example_programs) names.emplace_back(one.name);
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::string like = text::did_you_mean(stem, names);
  return "cannot read " + path + ": " + problem + ", and no example has that name" +
         (like.empty() ? "" : "; did you mean `" + like + "`?");
}

bool Files::open(const std::string& path) {
  const auto example = std::ranges::find(session::example_programs, path, &session::Example::name);
  if (example != session::example_programs.end()) {
    document_.open("", std::string(example->text), path + ".tr");
    return true;
  }
  std::string problem;
  auto text = session::read_text(path, problem);
  if (!text) {
    console_.say("window open " + in_quotes(path), why_not_opened(path), true);
    return false;
  }
  document_.open(path, std::move(*text));
  remember(path);
  return true;
}

std::string Files::save(const std::string& path) {
  const std::string problem = write_text(path, document_.editor().text());
  console_.say("window save " + in_quotes(path), problem, !problem.empty());
  if (!problem.empty()) return problem;
  document_.saved(path);
  remember(path);
  file_time_.reset();
  keep_unsaved();
  return "";
}

void Files::reload() {
  std::string problem;
  const auto text = session::read_text(document_.path(), problem);
  if (!text) return console_.say("window reload", "cannot read " + document_.path() + ": " + problem, true);
  document_.editor().replace_all(*text);
  document_.saved(document_.path());
}

bool Files::would_lose() const {
  return document_.modified() && document_.editor().text().find_first_not_of(" \n") != std::string::npos;
}

void Files::recover(bool take) {
  const auto left = std::exchange(left_, {});
  if (!left) return;
  if (take) {
    document_.recover(left->path, left->text);
    keep_unsaved();  // before the file that it comes from goes
    console_.say("window recover", "");
  }
  std::error_code ignored;
  std::filesystem::remove(left->file, ignored);
}

void Files::watch(double now) {
  now_ = now;
  if (now_ - watched_at_ >= 0.5 && !document_.path().empty()) watched_at_ = now_, read_again();
  if (now_ - kept_at_ > 2 && kept_revision_ != document_.editor().revision()) keep_unsaved();
}

void Files::read_again() {
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(document_.path(), missing);
  if (missing) return;
  const std::int64_t time = written.time_since_epoch().count();
  if (std::exchange(file_time_, time).value_or(time) == time) return;
  std::string problem;
  if (session::read_text(document_.path(), problem) == document_.editor().text()) return;
  if (document_.modified())
    return console_.say("window reload",
                        "the file has changed; `window reload` takes it, and drops what was typed here");
  reload();
}

void Files::keep_unsaved() {
  kept_at_ = now_;
  kept_revision_ = document_.editor().revision();
  if (document_.modified()) autosave(folder_, {document_.path(), document_.editor().text()});
  else drop_autosave(folder_);
}

void Files::remember(const std::string& path) {
  const std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  std::erase(settings_.recent, absolute);
  settings_.recent.insert(settings_.recent.begin(), absolute);
  if (settings_.recent.size() > 12) settings_.recent.resize(12);
}

}  // namespace trellis::gui
