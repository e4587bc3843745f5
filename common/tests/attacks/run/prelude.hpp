// Stands in front of every attack, and includes nothing that compilers take long for. @FOLDER@ is what the attack may want to change or read; run_test.py says what is in it.
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attack {

/// Ends the program, so that no point is left, and says what the kernel should have refused.
[[noreturn]] inline void got_through(const char* what) {
  std::printf("GOT THROUGH: %s\n", what);
  std::fflush(stdout);
  std::abort();
}
inline void must_fail(bool has_succeeded, const char* what) {
  if (has_succeeded) got_through(what);
}

/// This process's parents, as far as they can be known, and processes with numbers like theirs.
struct Others {
  pid_t all[48];
  std::size_t count = 0;
  const pid_t* begin() const { return all; }
  const pid_t* end() const { return all + count; }
};
inline Others others() {
  Others found;
  for (pid_t near = ::getppid(); near > 1 && near + 40 > ::getppid(); --near)
    if (near != ::getpid()) found.all[found.count++] = near;
  return found;
}

inline bool can_open(const char* path, int flags) {
  const int file = ::open(path, flags, 0666);
  if (file >= 0) ::close(file);
  return file >= 0;
}

} // namespace attack
