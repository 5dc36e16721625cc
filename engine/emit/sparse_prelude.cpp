// Helpers for tensors with sparse levels: searches in sorted and unsorted coordinates, and the tables of workspaces.
#include <map>

#include "engine/emit/helper_text.hpp"
#include "engine/emit/prelude.hpp"

namespace trellis::emit {

std::string Prelude::define_for(bool wide, const std::string& helper) {
  const std::string name = helper + std::string(ending_of(wide));
  define(name, helper_text(helper, wide));
  return name;
}

std::string Prelude::define_once(const std::string& helper) {
  define(helper, helper_text(helper));
  return helper;
}

std::string Prelude::use_seek(bool wide, bool falling) { return define_for(wide, falling ? "seek_down" : "seek"); }

std::string Prelude::use_seek(bool wide, Likely end) {
  const std::string seek = use_seek(wide, false);
  return end == Likely::any ? seek : define_for(wide, end == Likely::first ? "seek_first" : "seek_last");
}

std::string Prelude::use_rows_before(bool wide) { return define_for(wide, "rows_before"); }

std::string Prelude::use_thread_count() { return define_once("thread_count"); }

std::string Prelude::use_gallop(bool wide) {
  use_seek(wide, false);
  return define_for(wide, "gallop");
}

std::string Prelude::use_march_near(bool wide, bool returns) {
  if (!returns) return define_for(wide, "march_near");
  use_seek(wide, false);
  return define_for(wide, "march_back_near");
}

std::string Prelude::use_find(bool wide, Sorted sorted) {
  switch (sorted) {
    case Sorted::rising: use_seek(wide, false); return define_for(wide, "find");
    case Sorted::falling: use_seek(wide, true); return define_for(wide, "find_down");
    case Sorted::no: break;
  }
  return define_for(wide, "find_any");
}

std::string Prelude::use_march(bool wide, bool returns) {
  if (!returns) return define_for(wide, "march");
  use_march_near(wide, true);
  return define_for(wide, "march_back");
}

std::string Prelude::use_find_end(bool wide) { return define_for(wide, "find_end"); }

std::string Prelude::use_find_direct() { return define_once("find_direct"); }

std::string Prelude::use_find_hashed(bool wide) {
  define_once("hash");
  return define_for(wide, "find_hashed");
}

std::string Prelude::use_sort(bool wide) {
  use_clear();
  define_for(wide, "sort_near");
  return define_for(wide, "sort");
}

std::string Prelude::use_entries() { return define_once("entries"); }

std::string Prelude::use_find_entry() {
  use_entries();
  define_once("hash");
  return define_once("find_entry");
}

std::string Prelude::use_insert() {
  use_entries();
  use_memory();
  use_grow();
  define_once("calloc");
  define_once("hash");
  return define_once("insert");
}

std::string Prelude::use_list_entry() {
  use_entries();
  use_memory();
  use_grow();
  return define_once("list_entry");
}

std::string Prelude::use_sort_entries() {
  use_entries();
  use_memory();
  use_grow();
  define_once("sort_listed");
  return define_once("sort_entries");
}

std::string Prelude::use_order() {
  use_memory();
  use_find_entry();
  use_sort(true);
  use_grow();
  return define_once("order_entries");
}

std::string Prelude::use_empty() {
  use_entries();
  return define_once("empty");
}

std::string Prelude::use_release() {
  use_entries();
  use_memory();
  return define_once("release_entries");
}

std::string Prelude::use_seek_entry() { return define_once("seek_entry"); }

std::string Prelude::use_grow() { return define_once("realloc"); }

std::string Prelude::use_more_room() {
  use(Helper::record);
  use_tensors("append_room");
  return define_once("more_room");
}

void Prelude::use_tensors(const std::string& part) {
  static const std::map<std::string, std::vector<std::string>> needs{
      {"contract", {"tensors"}},
      {"level_of", {"tensors"}},
      {"complete", {"level_of", "product"}},
      {"refuse", {"tensors"}},
      {"check", {"contract", "level_of", "complete", "refuse"}},
      {"more", {"level_of"}},
      {"append_room", {"more", "product", "has_positions"}},
      {"append_begin", {"contract", "append_room"}},
      {"settle", {"level_of", "has_positions"}},
      {"values", {"more", "complete"}},
      {"same_entries", {"more"}}};
  if (const auto found = needs.find(part); found != needs.end())
    for (const std::string& needed : found->second) use_tensors(needed);
  define(part, part == "tensors" ? tensor_declarations() : helper_text(part));
}

std::string Prelude::use_clear() { return define_once("memset"); }

std::string Prelude::use_zeroed() {
  use_memory();
  define_once("calloc");
  return define_once("zeroed");
}

std::string Prelude::use_tasks(bool wide) { return define_for(wide, "tasks"); }

std::string Prelude::use_await() { return define_once("await"); }

std::string Prelude::use_finish() { return define_once("finish"); }

std::string Prelude::use_map_positions(bool wide) { return define_for(wide, "map_positions"); }

std::string Prelude::use_no_positions(bool wide) {
  use(Helper::allocate);
  return define_for(wide, "no_positions");
}

std::string Prelude::use_tabulate(bool wide, bool mapped) {
  return define_for(wide, mapped ? "tabulate_mapped" : "tabulate");
}

std::string Prelude::use_untabulate(bool wide) { return define_for(wide, "untabulate"); }

std::string Prelude::use_move_on(bool wide) { return define_for(wide, "move_on"); }

std::string Prelude::use_set_words() { return define_once("set_words"); }

std::string Prelude::use_set_enter() { return define_once("set_enter"); }

std::string Prelude::use_set_leave() { return define_once("set_leave"); }

std::string Prelude::use_set_nearest(bool backward) {
  use_limits();
  define_once("ends_of_word");
  return define_once(backward ? "set_previous" : "set_next");
}

void Prelude::use_ranks() { define("trellis_ranks", ranks_declarations()); }

void Prelude::use_limits() { define("INT64_MAX", helper_text("limits")); }

}  // namespace trellis::emit
