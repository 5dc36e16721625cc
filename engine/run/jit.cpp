#include "engine/run/jit.hpp"

#include <libtcc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "engine/run/clock.hpp"
#include "engine/run/code.hpp"
#include "engine/run/math_functions.hpp"
#include "engine/tensor/arena.hpp"

namespace trellis::run {
namespace {

template <typename Function>
void add(TCCState* state, const std::string& name, Function* function) {
  tcc_add_symbol(state, name.c_str(), reinterpret_cast<const void*>(function));
}

/// All that generated code may call. A closed list instead of linking libc spares libtcc from reading its linker
/// script, symbol table and start files for each kernel.
void add_library(TCCState* state) {
  for (const MathFunction& f : math_functions()) {
    tcc_add_symbol(state, f.name, f.wide);
    tcc_add_symbol(state, (std::string(f.name) + "f").c_str(), f.narrow);
  }
  add(state, "malloc", ::malloc);
  add(state, "aligned_alloc", ::aligned_alloc);
  add(state, "calloc", ::calloc);
  add(state, "realloc", ::realloc);
  add(state, "free", ::free);
  add(state, "madvise", ::madvise);
  add(state, "memset", ::memset);
  add(state, "memcpy", ::memcpy);
  add(state, "memmove", ::memmove);
  add(state, "abort", ::abort);
}

void collect_message(void* messages, const char* message) {
  std::string& all = *static_cast<std::string*>(messages);
  if (!all.empty()) all += '\n';
  all += message;
}

std::mutex& compiler_lock() {
  static std::mutex lock;  // libtcc keeps the state being compiled in a global
  return lock;
}

std::shared_ptr<TCCState> new_state() {
  const std::lock_guard guard(compiler_lock());
  return {tcc_new(), [](TCCState* state) {
            const std::lock_guard deletion_guard(compiler_lock());
            tcc_delete(state);
          }};
}

/// What keeps compiled code where it is. In an arena, other processes find it there.
struct Image {
  std::shared_ptr<TCCState> state;
  std::shared_ptr<tensor::SharedArray> memory = {};

  ~Image() {
    if (memory) mprotect(memory->data(), memory->size(), PROT_READ | PROT_WRITE);  // as the next array expects it
  }
  bool relocate() {
    if (!tensor::Arena::of_process()) return tcc_relocate(state.get(), TCC_RELOCATE_AUTO) == 0;
    const int bytes = tcc_relocate(state.get(), nullptr);
    if (bytes <= 0) return false;
    memory = tensor::SharedArray::allocate(static_cast<std::size_t>(bytes), tensor::Writer::child_process);
    return memory && tcc_relocate(state.get(), memory->data()) == 0;
  }
};

// The entry's address, or null with `messages` saying why.
void* build(Image& image, const emit::Module& module, std::string& messages) {
  TCCState* const state = image.state.get();
  const std::lock_guard guard(compiler_lock());
  tcc_set_error_func(state, &messages, collect_message);
  tcc_set_options(state, "-Werror -nostdlib");
  tcc_set_output_type(state, TCC_OUTPUT_MEMORY);
  add_library(state);
  if (tcc_compile_string(state, module.source.c_str()) != 0) return nullptr;

  // libtcc's own support routines, such as conversions to unsigned 64-bit integers; {B} stands for its folder.
  tcc_add_library_path(state, "{B}");
  if (tcc_add_library(state, "tcc1") != 0) {
    messages = "its support library is missing: install the package tcc";
    return nullptr;
  }
  if (!image.relocate()) return nullptr;
  tcc_set_error_func(state, nullptr, nullptr);  // the state outlives `messages`
  void* const entry = tcc_get_symbol(state, module.entry.c_str());
  if (!entry) messages = "it does not define `" + module.entry + "`";
  return entry;
}

}  // namespace

std::variant<Kernel, CompileError> compile_jit(const emit::Module& module) {
  const auto start = Clock::now();
  const std::shared_ptr<Image> image(new Image{new_state()});
  std::string messages;
  void* const entry = build(*image, module, messages);
  if (!entry) return CompileError{"libtcc could not compile kernel `" + module.kernel + "`: " + messages};

  auto code = std::make_shared<Kernel::Code>();
  code->entry = reinterpret_cast<Kernel::Entry>(entry);
  code->image = image;
  code->memory = image->memory;
  return Kernel(std::move(code), module, Backend::jit, milliseconds_since(start), false);
}

}  // namespace trellis::run
