#include "process/process.hpp"

#include "call/file_descriptor.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace warpbook {
namespace {

pid_t start_program(const std::vector<std::string>& command, const Streams& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (streams.in >= 0) posix_spawn_file_actions_adddup2(&actions, streams.in, STDIN_FILENO);
  if (streams.out >= 0) posix_spawn_file_actions_adddup2(&actions, streams.out, STDOUT_FILENO);
  if (streams.error >= 0) posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const std::vector<char*> words = exec_words(command);
  const int failure = posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) throw std::system_error(failure, std::generic_category(), command.front());
  return child;
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

} // namespace

std::vector<char*> exec_words(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, __WALL) < 0 && errno == EINTR) {
  }
  return status;
}

int run_program(const std::vector<std::string>& command, const Streams& streams) {
  return exit_status(wait_for(start_program(command, streams)));
}

Output output_of(const std::vector<std::string>& command, bool errors) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  const FileDescriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const pid_t child =
      start_program(command, {nowhere.get(), writer.get(), errors ? writer.get() : nowhere.get()});
  writer.reset();
  Output output;
  char piece[4096];
  for (ssize_t length; (length = ::read(reader.get(), piece, sizeof piece)) != 0;) {
    if (length > 0) output.text.append(piece, static_cast<std::size_t>(length));
    if (length < 0 && errno != EINTR) break;
  }
  output.status = exit_status(wait_for(child));
  return output;
}

} // namespace warpbook
