// tries: copies open files of the grader, its end of the channel among them
// hand-in: right
// needs: Landlock
// must: as without it
#include <string>
__attribute__((constructor)) static void run() {
  for (const pid_t process : attack::others()) {
    const long other = ::syscall(SYS_pidfd_open, process, 0);
    for (int number = 0; number < 16; ++number) {
      attack::must_fail(other >= 0 && ::syscall(SYS_pidfd_getfd, other, number, 0) >= 0, "pidfd_getfd");
      const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
      attack::must_fail(attack::can_open(path.c_str(), O_RDWR), "/proc/…/fd");
    }
  }
}
