// For libFuzzer: the first byte says which kind of file the rest is.
#include <cstdio>
#include <cstdlib>

#include "tests/mutate/files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace trellis::mutate;
  if (size == 0) return 0;
  const SoundFile& file = sound_files()[data[0] % sound_files().size()];
  const Loading loading = load(file, std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  if (loading.objection.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", file.name, loading.objection.c_str());
  std::abort();
}
