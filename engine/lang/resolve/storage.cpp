// Schedule commands about what is stored while a kernel runs: `mask`, `march` and `workspace`. They are judged by what
// they say; whether a kernel can do as they wish is found out when it is compiled.

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/usage.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

class StorageReader {
 public:
  StorageReader(Resolution& resolution, Kernel& kernel, bool complete, const syntax::Command& command)
      : resolution_(resolution), kernel_(kernel), complete_(complete), command_(command) {}

  void read() {
    if (command_.name.text == "mask") read_mask();
    else if (command_.name.text == "march") read_march();
    else if (command_.name.text == "find") read_find();
    else if (command_.name.text == "supernodes") read_supernodes();
    else read_workspace();
  }

 private:
  // mask TENSOR (["!"] TENSOR ["values"] | auto)
  void read_mask() {
    const auto tensor = name();
    Schedule::Mask mask{tensor ? tensor->text : "", std::nullopt, whole_of(command_)};
    mask.complement = accept("!");
    const auto pattern = name();
    mask.by_value = accept("values");
    const bool plain = !mask.complement && !mask.by_value;
    const bool automatic = plain && pattern && pattern->text == "auto";
    if (!tensor || !pattern || !at_end()) return usage("mask L M`, `mask L M values`, `mask L !M` or `mask L auto");
    const TensorInfo* info = result(*tensor);
    if (!info) return;
    if (!automatic) {
      const TensorInfo* shape = known(*pattern);
      if (!shape || !may_mask(*info, *shape, pattern->span)) return;
      mask.pattern = pattern->text;
    }
    if (std::ranges::find(kernel_.schedule.masks, mask) == kernel_.schedule.masks.end())
      kernel_.schedule.masks.push_back(std::move(mask));
  }

  bool may_mask(const TensorInfo& tensor, const TensorInfo& pattern, text::Span at) {
    if (pattern.shape != tensor.shape)
      return refuse(at, pattern.name + " and " + tensor.name + " have different shapes",
                    shape_of(pattern) + " and " + shape_of(tensor));
    if (writes(pattern.name))
      return refuse(at, "kernel " + kernel_.name + " computes " + pattern.name + " itself",
                    "what a mask stores must be there before");
    return true;
  }

  // march TENSOR LOOP
  void read_march() {
    const auto tensor = name(), variable = name();
    if (!tensor || !variable || !at_end()) return usage("march L i");
    const TensorInfo* info = known(*tensor);
    if (!info || !is_loop(*variable)) return;
    const bool used = !complete_ || writes(info->name) || contains(kernel_.operands(), info->name);
    if (!used) refuse(tensor->span, "kernel " + kernel_.name + " does not use " + info->name);
    else if (info->format.all_dense())
      refuse(tensor->span, info->name + " is dense: any of its elements is at hand", "there is nothing to march along");
    else kernel_.schedule.marches.push_back({info->name, variable->text, whole_of(command_)});
  }

  // find TENSOR (merge | scan | gallop | binary | table | hash | auto)
  void read_find() {
    using How = Schedule::Find::How;
    const auto tensor = name(), how = name();
    if (!tensor || !how || !at_end()) return usage("find B scan");
    const TensorInfo* info = known(*tensor);
    if (!info) return;
    std::erase_if(kernel_.schedule.finds, [&](const Schedule::Find& one) { return one.tensor == info->name; });
    for (const How one : {How::merge, How::scan, How::gallop, How::binary, How::table, How::hash, How::automatic}) {
      if (name_of(one) != how->text) continue;
      if (complete_ && !contains(kernel_.operands(), info->name))
        refuse(tensor->span, "kernel " + kernel_.name + " does not read " + info->name);
      else if (info->format.all_dense())
        refuse(tensor->span, info->name + " is dense: any of its elements is at hand", "there is nothing to find");
      else kernel_.schedule.finds.push_back({info->name, one, whole_of(command_)});
      return;
    }
    auto& diagnostic = resolution_.error("E0323", how->span, "find does not take " + how->text + " here");
    diagnostic.notes.push_back({{}, "as in `find B scan`; merge, scan, gallop, binary, table, hash or auto"});
  }

  // supernodes [NAME of] TENSOR [relax NUMBER]
  void read_supernodes() {
    auto tensor = name();
    std::optional<syntax::Name> own;
    if (tensor && accept("of")) own = std::exchange(tensor, name());
    if (!tensor) return usage(supernodes_usage);
    Schedule::Supernodes made{tensor->text, own ? own->text : tensor->text + "_supernodes", std::nullopt,
                              whole_of(command_)};
    if (accept("relax")) {
      const auto columns = peek() && peek()->kind == syntax::Word::Kind::number ? parse_columns() : std::nullopt;
      if (!columns) return;
      made.relax = columns;
    }
    if (!at_end()) return usage(supernodes_usage);
    const TensorInfo* info = result(*tensor);
    if (!info || (own && is_taken(*own))) return;
    std::erase_if(kernel_.schedule.supernodes, [&](const auto& s) { return s.tensor == made.tensor; });
    kernel_.schedule.supernodes.push_back(std::move(made));
    const bool masked =
        std::ranges::any_of(kernel_.schedule.masks, [&](const auto& m) { return m.tensor == info->name; });
    if (!masked) kernel_.schedule.masks.push_back({info->name, std::nullopt, whole_of(command_)});
  }

  /// How many columns `relax` is about; empty is reported.
  std::optional<std::int64_t> parse_columns() {
    const syntax::Word& word = command_.words[next_++];
    std::int64_t columns = 0;
    const auto [end, problem] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), columns);
    if (problem == std::errc() && end == word.text.data() + word.text.size() && columns >= 1 && columns <= 1024)
      return columns;
    resolution_.error("E0324", word.span, "relax takes a number of columns from 1 to 1024, not " + word.text);
    return std::nullopt;
  }

  /// Another tensor's name, or anything else's: those of supernodes are patterns of their own.
  bool is_taken(const syntax::Name& name) {
    const TensorInfo* info = resolution_.tensor(name.text);
    const bool taken = (info && info->kind != TensorInfo::Kind::pattern) || resolution_.is_parameter(name.text) ||
                       resolution_.definitions.contains(name.text) || contains(kernel_.variables(), name.text);
    if (taken)
      resolution_.error("E0325", name.span, name.text + " is in use already")
          .notes.push_back({{}, "supernodes need a name of their own"});
    return taken;
  }

  // workspace NAME for TENSOR "(" (LOOP | ":") {"," (LOOP | ":")} ")" (dense | bytemap | hash | sort)
  void read_workspace() {
    using Kind = Schedule::Workspace::Kind;
    static const std::vector<std::pair<std::string, Kind>> kinds = {
        {"dense", Kind::dense}, {"bytemap", Kind::bytemap}, {"hash", Kind::hash}, {"sort", Kind::sort}};
    const auto fresh = name();
    if (!fresh || !accept("for")) return usage(workspace_usage);
    const auto tensor = name();
    if (!tensor || !accept("(")) return usage(workspace_usage);
    Schedule::Workspace workspace{fresh->text, tensor->text, {}, Kind::dense, whole_of(command_), {}};
    do {
      if (peek() && accept(":")) {
        workspace.inner.push_back(static_cast<int>(workspace.indices.size()));
        workspace.indices.emplace_back(":");
      } else if (const auto index = name()) {
        if (!is_loop(*index)) return;
        workspace.indices.push_back(index->text);
      } else {
        return usage(workspace_usage);
      }
    } while (accept(","));
    if (!accept(")")) return usage(workspace_usage);
    const auto kind = std::ranges::find_if(kinds, [&](const auto& k) { return peek() && peek()->text == k.first; });
    if (kind == kinds.end()) return usage(workspace_usage);
    ++next_;
    if (!at_end()) return usage(workspace_usage);
    workspace.kind = kind->second;
    const TensorInfo* info = known(*tensor);
    if (info && (writes(tensor->text) || may_copy(workspace, *tensor)) &&
        may_collect(workspace, *info, *fresh, tensor->span))
      keep(std::move(workspace));
  }

  /// What is read alone is copied as a whole.
  bool may_copy(const Schedule::Workspace& workspace, const syntax::Name& tensor) {
    if (!complete_) return true;
    if (!contains(kernel_.operands(), tensor.text))
      return refuse(tensor.span, "kernel " + kernel_.name + " does not use " + tensor.text);
    if (workspace.inner.size() == workspace.indices.size()) return true;
    return refuse(tensor.span, tensor.text + " is read, not computed: it is copied as a whole",
                  "write : for every dimension");
  }

  bool may_collect(const Schedule::Workspace& workspace, const TensorInfo& tensor, const syntax::Name& fresh,
                   text::Span at) {
    const char* use = writes(tensor.name) ? " is dense: it is written and read in place"
                                          : " is dense: any of its elements is at hand";
    if (tensor.format.stored().all_known()) return refuse(at, tensor.name + use, "it needs no workspace");
    if (workspace.indices.size() != tensor.shape.size())
      return refuse(at, tensor.name + " has " + std::to_string(tensor.shape.size()) +
                            (tensor.shape.size() == 1 ? " dimension" : " dimensions") + ", not " +
                            std::to_string(workspace.indices.size()));
    if (workspace.inner.empty())
      return refuse(at, "workspace " + workspace.name + " collects nothing",
                    "write : for the dimensions to collect, as in L(i,:)");
    const bool other = std::ranges::any_of(kernel_.schedule.workspaces, [&](const auto& w) {
      return w.name == workspace.name && w.tensor != workspace.tensor;
    });
    const bool taken = other || resolution_.tensor(fresh.text) || resolution_.is_parameter(fresh.text) ||
                       resolution_.definitions.contains(fresh.text) || contains(kernel_.variables(), fresh.text);
    if (taken)
      resolution_.error("E0325", fresh.span, fresh.text + " is in use already")
          .notes.push_back({{}, "a workspace needs a name of its own"});
    return !taken;
  }

  /// Of several for one tensor the last one holds.
  void keep(Schedule::Workspace workspace) {
    std::erase_if(kernel_.schedule.workspaces, [&](const auto& w) { return w.tensor == workspace.tensor; });
    kernel_.schedule.workspaces.push_back(std::move(workspace));
  }

  // ---- words ----

  const syntax::Word* peek() const { return next_ < command_.words.size() ? &command_.words[next_] : nullptr; }
  bool at_end() const { return !peek(); }
  bool accept(std::string_view text) {
    const bool here = peek() && peek()->kind != syntax::Word::Kind::string && peek()->text == text;
    next_ += here;
    return here;
  }
  std::optional<syntax::Name> name() {
    if (!peek() || peek()->kind != syntax::Word::Kind::name) return std::nullopt;
    const syntax::Word& word = command_.words[next_++];
    return syntax::Name{word.text, word.span};
  }
  void usage(const std::string& example) { report_usage(resolution_, command_, peek(), "as in `" + example + "`"); }

  // ---- what names stand for ----

  bool refuse(text::Span at, const std::string& message, const std::string& label = "") {
    resolution_.error("E0326", at, message, label);
    return false;
  }

  const TensorInfo* known(const syntax::Name& name) {
    const TensorInfo* info = resolution_.tensor(name.text);
    if (!info && !resolution_.poisoned.contains(name.text)) report_no_tensor(resolution_, name);
    return info;
  }

  /// A tensor that the kernel computes.
  const TensorInfo* result(const syntax::Name& name) {
    const TensorInfo* info = known(name);
    if (!info || !complete_ || writes(name.text)) return info;
    std::string results;
    for (const std::string& one : kernel_.results()) results += " " + one;
    refuse(name.span, "kernel " + kernel_.name + " does not compute " + name.text, "its results:" + results);
    return nullptr;
  }

  bool writes(const std::string& tensor) const { return contains(kernel_.results(), tensor); }

  bool is_loop(const syntax::Name& name) {
    if (!complete_ || contains(kernel_.variables(), name.text)) return true;
    std::string list;
    for (const std::string& v : kernel_.variables()) list += " " + v;
    resolution_.error("E0320", name.span, "no index is called " + name.text)
        .notes.push_back({{}, "indices of " + kernel_.name + ":" + list});
    return false;
  }

  static std::string shape_of(const TensorInfo& info) {
    std::string text;
    for (const math::Affine& size : info.shape) text += (text.empty() ? "" : " x ") + math::to_string(size);
    return text.empty() ? "a scalar" : text;
  }

  static constexpr const char* supernodes_usage = "supernodes S of L relax 48";
  static constexpr const char* workspace_usage = "workspace w for L(i,:) bytemap";

  Resolution& resolution_;
  Kernel& kernel_;
  const bool complete_;
  const syntax::Command& command_;
  std::size_t next_ = 0;
};

}  // namespace

void declare_patterns(Resolution& resolution) {
  std::vector<const syntax::Command*> commands = resolution.loose_schedule;
  for (const KernelDraft& kernel : resolution.kernels)
    commands.insert(commands.end(), kernel.schedule.begin(), kernel.schedule.end());
  for (const syntax::Command* command : commands) {
    if (command->name.text != "mask" || command->words.size() != 2 || command->words[1].text != "auto") continue;
    const TensorInfo* masked = resolution.tensor(command->words[0].text);
    const std::string name = command->words[0].text + "_mask";
    if (!masked || resolution.tensor(name) || resolution.is_parameter(name) || resolution.definitions.contains(name))
      continue;
    TensorInfo info = *masked;
    info.name = name;
    info.format = format::Format::dense(static_cast<int>(info.shape.size()));
    info.type = format::ScalarType::boolean;
    info.fill = format::Value::truth(false);
    info.kind = TensorInfo::Kind::pattern;
    info.pad = false;
    resolution.program.tensors.push_back(std::move(info));
  }
}

bool read_storage_command(Resolution& resolution, Kernel& kernel, bool complete, const syntax::Command& command) {
  const std::string& name = command.name.text;
  if (name != "mask" && name != "march" && name != "workspace" && name != "find" && name != "supernodes") return false;
  StorageReader(resolution, kernel, complete, command).read();
  return true;
}

}  // namespace trellis::lang::resolving
