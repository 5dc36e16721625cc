// The folders in which kernels are compiled.
#include "engine/run/cache.hpp"

#include <doctest/doctest.h>

#include <random>

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

TEST_CASE("cached code is used for what it was made of, and for nothing else") {
  const trellis::testing::Folder folder;
  const CachedCode code(folder.path().string(), "0123");
  std::ofstream(folder / "kernels.so") << "code";
  CHECK_FALSE(code.holds("int f;"));
  code.keep(folder / "kernels.so", "int f;");
  CHECK(code.holds("int f;"));
  CHECK_FALSE(code.holds("int g;"));  // another text with the same key
  code.keep(folder / "kernels.so", "int g;");
  CHECK(code.holds("int g;"));
  std::filesystem::remove(folder / "0123.c");
  CHECK_FALSE(code.holds("int g;"));
}

TEST_CASE("a cached object that is damaged is not taken, and is made again") {
  const trellis::testing::Folder folder;
  const CachedCode code(folder.path().string(), "0123");
  const std::string object(10'000, 'x');
  std::mt19937 random(42);
  for (int k = 0; k < 200; ++k) {
    CAPTURE(k);
    const std::string made = folder.file("kernels" + std::to_string(k) + ".so", object);
    code.keep(made, "int f;");
    REQUIRE(code.holds("int f;"));
    const std::size_t at = random() % object.size();
    if (k % 2) {
      std::filesystem::resize_file(code.file(), at);
    } else {
      std::fstream file(code.file(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(at)).put('y');
    }
    CHECK_FALSE(code.holds("int f;"));
  }
}

TEST_CASE("cached code that cannot be read is not taken, and what is made instead is used without being kept") {
  const trellis::testing::Folder folder;
  const CachedCode code(folder.path().string(), "0123");
  std::filesystem::create_directory(code.file());
  CHECK_FALSE(code.holds("int f;"));
  std::ofstream(folder / "kernels.so") << "code";
  CHECK_FALSE(code.keep(folder / "kernels.so", "int f;"));
  CHECK_FALSE(code.holds("int f;"));
}

TEST_CASE("the cache drops what was used longest ago") {
  const trellis::testing::Folder folder;
  std::ofstream(folder / "kernels.so") << std::string(1000, 'x');
  for (const char* key : {"a", "b", "c"}) {
    std::filesystem::copy_file(folder / "kernels.so", folder / (std::string("object") + key));
    CachedCode(folder.path().string(), key).keep(folder / (std::string("object") + key), key);
    std::filesystem::last_write_time(folder / (std::string(key) + ".so"),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours('z' - *key));
  }
  std::filesystem::remove(folder / "kernels.so");
  CHECK(CachedCode(folder.path().string(), "a").holds("a"));  // used again
  trim_cache(folder.path().string(), 2500);
  CHECK(CachedCode(folder.path().string(), "a").holds("a"));
  CHECK_FALSE(CachedCode(folder.path().string(), "b").holds("b"));
  CHECK(CachedCode(folder.path().string(), "c").holds("c"));
}

}  // namespace trellis::run
