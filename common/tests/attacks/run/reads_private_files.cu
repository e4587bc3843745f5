// tries: reads the user's private files, the solution, the tests and what the kernel tells of other processes
// hand-in: nothing
// needs: Landlock
// must: as without it
#include <string>
__attribute__((constructor)) static void run() {
  for (const char* path : {"@FOLDER@/private.txt", "@SOLUTION@", "/etc/passwd", "/etc/shadow", "/proc/self/environ",
                           "/proc/self/maps", "/proc/self/cmdline", "/proc/1/cmdline", "/proc/cmdline", "/dev/mem", "/dev/kmsg",
                           "/dev/tty", "/sys/kernel/notes"}) {
    attack::must_fail(attack::can_open(path, O_RDONLY), path);
    attack::must_fail(attack::can_open((std::string("/proc/self/root") + path).c_str(), O_RDONLY), path);
    const struct {
      std::uint64_t flags, mode, resolve;
    } how = {};
    attack::must_fail(::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how) >= 0, "openat2");
  }
  for (const char* folder : {"/", "/home", "/root", "/proc", "/etc", "/tmp", ".", "..", "@FOLDER@"})
    attack::must_fail(::opendir(folder) != nullptr, folder);
  attack::must_fail(::syscall(SYS_name_to_handle_at, AT_FDCWD, "@FOLDER@/private.txt", nullptr, nullptr, 0) == 0, "a handle");
  const int path_only = ::open("@FOLDER@/private.txt", O_PATH);
  const std::string again = "/proc/self/fd/" + std::to_string(path_only);
  attack::must_fail(path_only >= 0 && attack::can_open(again.c_str(), O_RDONLY), "a file that was opened as a path");
  attack::must_fail(::chdir("@FOLDER@") == 0 && attack::can_open("private.txt", O_RDONLY), "a file in the current folder");
}
