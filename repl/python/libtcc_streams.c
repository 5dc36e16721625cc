// The data of libc that libtcc reads, for the module: Debian's libtcc.a is made for programs, whose code may address it
// directly, which a shared object's may not. The build has the archive look for these names instead.
#include <stdio.h>
#include <unistd.h>

extern char** environ;

__attribute__((visibility("hidden"))) FILE *trellis_tcc_stdout, *trellis_tcc_stderr;
__attribute__((visibility("hidden"))) char** trellis_tcc_environ;

__attribute__((constructor)) static void find_streams(void) {
  trellis_tcc_stdout = stdout;
  trellis_tcc_stderr = stderr;
  trellis_tcc_environ = environ;
}
