#include "engine/run/work.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/run/clock.hpp"
#include "engine/run/code.hpp"
#include "engine/run/native.hpp"
#include "engine/tensor/arena.hpp"
#include "engine/tensor/fence.hpp"

namespace trellis::run {
namespace {

/// Hands out one piece of memory, part by part.
class Parts {
 public:
  explicit Parts(void* begin) : next_(static_cast<std::byte*>(begin)) {}

  template <class T>
  std::span<T> of(std::size_t count) {
    static_assert(alignof(T) <= alignof(double) && std::is_trivially_destructible_v<T>);
    T* const first = reinterpret_cast<T*>(next_);
    std::uninitialized_value_construct_n(first, count);
    next_ += (count * sizeof(T) + alignof(double) - 1) / alignof(double) * alignof(double);
    return {first, count};
  }
  const char* text(const std::string& text) {
    if (text.empty()) return nullptr;
    return std::strcpy(of<char>(text.size() + 1).data(), text.c_str());
  }

 private:
  std::byte* next_;
};

/// A size, a real or a capacity takes as much as a double.
std::size_t bytes_for(std::size_t arguments, std::size_t runs, std::size_t kept, const Kernel::Code& code) {
  const std::size_t of_argument = sizeof(void*) + sizeof(double) + sizeof(Work::Array);
  return sizeof(Work) + (arguments + 2) * of_argument + runs * sizeof(double) + kept * sizeof(Kept) + code.file.size() +
         code.symbol.size() + 4 * alignof(double);
}

// The module's arguments in order, then the fault record and the number of steps.
void fill_arguments(Work& work, const emit::Module& module, const Bindings& bindings, Parts& parts) {
  work.arguments = parts.of<void*>(module.arguments.size() + 2);
  const auto arrays = parts.of<Work::Array>(module.arguments.size());
  std::size_t next = 0, next_array = 0;
  const auto put = [&](auto value) {
    const auto place = parts.of<decltype(value)>(1);
    place[0] = value;
    work.arguments[next++] = place.data();
  };
  for (const emit::Argument& argument : module.arguments) switch (argument.kind) {
      case emit::Argument::Kind::size: put(bindings.sizes.at(argument.name)); break;
      case emit::Argument::Kind::real: put(bindings.reals.at(argument.name)); break;
      case emit::Argument::Kind::capacity: put(bindings.arrays.at(argument.name).capacity()); break;
      case emit::Argument::Kind::tensor:                                          // no child can grow it
      case emit::Argument::Kind::ranks: work.arguments[next++] = nullptr; break;  // on_threads.cpp has them
      case emit::Argument::Kind::array: {
        const tensor::Tensor& tensor = bindings.arrays.at(argument.name);
        void* const data = work.arguments[next++] = tensor.array(argument.level, argument.array);
        if (data)
          arrays[next_array++] = {data, tensor.array_room(argument.level, argument.array),
                                  tensor.array_in_memory(argument.level, argument.array), argument.written};
        break;
      }
    }
  work.arguments[next] = work.report.fault;
  work.arguments[next + 1] = &work.report.steps;
  work.arrays = arrays.first(next_array);
}

/// Beside the session's, which the child would change as well: data of the code is private to each run.
bool make_private(std::span<std::byte> image) {
  const std::vector<std::byte> copy(image.begin(), image.end());
  void* const place = mmap(image.data(), image.size(), PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (place == MAP_FAILED) return false;
  std::ranges::copy(copy, image.begin());
  return true;
}

}  // namespace

std::optional<PreparedWork> PreparedWork::make(const Kernel& kernel, const Bindings& bindings, int threads,
                                               std::size_t runs, const Snapshot& before) {
  const emit::Module& module = kernel.module();
  const Kernel::Code& code = *kernel.code();
  PreparedWork prepared;
  const std::size_t bytes = bytes_for(module.arguments.size(), runs, before.kept().size(), code);
  prepared.memory_ = tensor::SharedArray::allocate(bytes, tensor::Writer::child_process);
  if (!prepared.memory_) return std::nullopt;

  Parts parts(prepared.memory_->data());
  Work& work = *(prepared.work_ = parts.of<Work>(1).data());
  work.entry = code.entry;
  work.threads = threads;
  work.openmp = kernel.backend() == Backend::native ? OpenMp::find() : OpenMp{};
  fill_arguments(work, module, bindings, parts);
  work.ms = parts.of<double>(runs);
  const auto kept = parts.of<Kept>(before.kept().size());
  std::ranges::copy(before.kept(), kept.begin());
  work.kept = kept;
  work.itself = {static_cast<std::byte*>(prepared.memory_->data()), bytes};
  if (code.memory) work.image = {static_cast<std::byte*>(code.memory->data()), code.memory->size()};
  work.file = parts.text(code.file);
  work.symbol = parts.text(code.symbol);
  return prepared;
}

void reach_arrays(const Work& work) {
#ifdef MADV_POPULATE_READ
  constexpr std::size_t page = 4096, worth_a_call = 16 * page, small_operand = std::size_t{8} << 20;
  for (const Work::Array& array : work.arrays) {
    const std::size_t before = reinterpret_cast<std::uintptr_t>(array.data) % page;
    if ((array.written || array.in_memory <= small_operand) && array.in_memory >= worth_a_call)
      madvise(static_cast<char*>(array.data) - before, array.in_memory + before, MADV_POPULATE_READ);
  }
#endif
}

void perform(Work& work) {
  work.report.begun = true;
  if (work.openmp.set_threads) work.openmp.set_threads(work.threads);
  for (double& ms : work.ms) {
    if (&ms != work.ms.data()) put_back(work.kept);
    work.report.steps = 0;
    const auto start = Clock::now();
    work.report.result = work.entry(work.arguments.data());
    ms = milliseconds_since(start);
    if (work.report.result != 0 || work.report.fault[0] != 0) return;
  }
}

bool can_be_handed_over(const Work& work) {
  const tensor::Arena* const arena = tensor::Arena::of_process();
  const bool code_is_found = work.file || (!work.image.empty() && arena && arena->holds(work.image.data()));
  return arena && code_is_found && arena->holds(&work) &&
         std::ranges::all_of(work.arrays, [&](const Work::Array& a) { return arena->holds(a.data); }) &&
         std::ranges::all_of(work.kept, [&](const Kept& k) { return arena->holds(k.copy); });
}

bool take_over(Work& work) {
  using Access = tensor::Arena::Access;
  const tensor::Arena& arena = *tensor::Arena::of_process();
  const auto show = [&](const auto& part, Access access) { return arena.show(part.data, part.bytes, access); };
  const std::span<std::byte> itself = work.itself;  // which cannot be read while it is hidden
  if (!arena.hide() || !arena.show(itself.data(), itself.size(), Access::write)) return false;
  for (const Work::Array& array : work.arrays) {
    if (!show(array, Access::read)) return false;
    tensor::put_fence(static_cast<char*>(array.data), array.bytes);
  }
  for (const Work::Array& array : work.arrays)
    if (array.written && !show(array, Access::write)) return false;
  for (const Kept& kept : work.kept)
    if (!arena.show(kept.copy, kept.copied, Access::read)) return false;

  if (!work.file) return arena.show(work.image.data(), work.image.size(), Access::read) && make_private(work.image);
  return find_entry(work);
}

bool find_entry(Work& work) {
  if (work.entry) return true;
  work.entry = load_entry(work.file, work.symbol);
  work.openmp = OpenMp::find();  // which came with the code
  return work.entry != nullptr;
}

}  // namespace trellis::run
