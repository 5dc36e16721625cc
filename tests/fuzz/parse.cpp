// For libFuzzer: the input is the text of a program.
#include <cstdio>
#include <cstdlib>

#include "tests/mutate/programs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string objection = trellis::mutate::objection_to_parsing(text);
  if (objection.empty()) return 0;
  std::fprintf(stderr, "%s\n", objection.c_str());
  std::abort();
}
