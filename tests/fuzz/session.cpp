// For libFuzzer: the input is what is typed at the prompt, in lines.
#include <cstdio>
#include <cstdlib>

#include "tests/mutate/sessions.hpp"
#include "tests/mutate/typist.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace trellis::mutate;
  Sitting sitting;
  for (const std::string& entry : entries_of(std::string(reinterpret_cast<const char*>(data), size))) {
    sitting.enter(without_slow_words(entry), entry.size());
    if (!sitting.objection().empty()) break;
  }
  if (sitting.objection().empty()) sitting.save_and_read();
  if (sitting.objection().empty()) return 0;
  std::fprintf(stderr, "%s\n", sitting.objection().c_str());
  std::abort();
}
