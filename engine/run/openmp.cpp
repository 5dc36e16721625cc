#include "engine/run/openmp.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace trellis::run {

OpenMp OpenMp::find() {
  return {reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")),
          reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "omp_pause_resource_all"))};
}

void OpenMp::release_threads() const {
  constexpr int omp_pause_hard = 2;
  if (pause_resources) pause_resources(omp_pause_hard);
}

void wait_briefly() {
  if (!std::getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "3000", 0);
}

}  // namespace trellis::run
