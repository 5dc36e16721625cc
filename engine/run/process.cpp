#include "engine/run/process.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "engine/run/descriptor.hpp"
#include "engine/run/watcher.hpp"
#include "engine/tensor/shared_array.hpp"

namespace trellis::run {
namespace {

// Messages in one language, whoever runs us; and what a compiler that was killed leaves behind goes with its folder.
std::vector<std::string> environment(const std::string& folder) {
  std::vector<std::string> all{"LC_ALL=C"};
  if (!folder.empty()) all.push_back("TMPDIR=" + folder);
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view variable = *entry;
    const bool replaced = variable.starts_with("LC_ALL=") || (!folder.empty() && variable.starts_with("TMPDIR="));
    if (!replaced) all.emplace_back(variable);
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// The child hears no signal before it listens.
pid_t fork_deaf() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  const int reason = errno;
  if (child != 0) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return child;
}

std::string content(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = pread(file, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

Ending judge(const Verdict& verdict) {
  if (verdict.error != 0) return {Ending::Kind::not_started, verdict.error};
  return ending_of(verdict.status);
}

}  // namespace

Finished run_program(const std::vector<std::string>& command, const Wait& wait, const std::string& folder,
                     Priority priority) {
  if (wait.interrupted()) return {{Ending::Kind::interrupted}, ""};
  // A file rather than a pipe: nobody has to read while the program runs, nor to wait for whoever else holds an end.
  const Descriptor output(memfd_create("output", MFD_CLOEXEC));
  const auto page = tensor::SharedArray::allocate(sizeof(Verdict), tensor::Writer::child_process);
  if (output.get() < 0 || !page) return {{Ending::Kind::not_started, ENOMEM}, ""};

  Verdict& verdict = *new (page->data()) Verdict{};
  const std::vector<std::string> variables = environment(folder);
  const std::vector<char*> words = pointers(command), settings = pointers(variables);
  const Program program{words.data(), settings.data(), output.get(), folder.c_str(), priority == Priority::lowest};
  const pid_t parent = getpid();
  const pid_t watcher = fork_deaf();
  if (watcher < 0) return {{Ending::Kind::not_started, errno}, ""};
  if (watcher == 0) live_as_watcher(program, parent, verdict);

  const Ending ending = wait.for_child(watcher, SIGTERM);
  return {ending.kind == Ending::Kind::exited ? judge(verdict) : ending, content(output.get())};
}

}  // namespace trellis::run
