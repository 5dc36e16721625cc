// The folders in which kernels are compiled.
#include "engine/run/cache.hpp"

#include <doctest/doctest.h>

#include "tests/environment.hpp"
#include "tests/folder.hpp"

namespace trellis::run {

TEST_CASE("a scratch folder goes with its scope, and those of the dead with the next one") {
  const trellis::testing::Folder folder;
  const trellis::testing::Environment cache("XDG_CACHE_HOME", folder.path().string());
  const std::filesystem::path ours = cache_folder().value();
  std::filesystem::create_directory(ours / "compile-dead01");
  std::ofstream(ours / "compile-dead01/kernels.c") << "int x;";
  std::ofstream(ours / "0123.so") << "kept";
  std::string used;
  {
    const ScratchFolder first;
    used = first.path();
    CHECK_FALSE(std::filesystem::exists(ours / "compile-dead01"));
    const ScratchFolder second;
    CHECK(std::filesystem::exists(first.path()));
    CHECK(std::filesystem::exists(second.path()));
    CHECK(first.path() != second.path());
  }
  CHECK_FALSE(std::filesystem::exists(used));
  CHECK(std::distance(std::filesystem::directory_iterator(ours), {}) == 1);
}

}  // namespace trellis::run
