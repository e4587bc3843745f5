// tries: locks its module and the system's libraries, so that others wait for ever, and changes their flags
// hand-in: right
// must: as without it
#include <sys/file.h>
__attribute__((constructor)) static void run() {
  Dl_info own = {};
  ::dladdr(reinterpret_cast<void*>(&run), &own);
  const int file = ::open(own.dli_fname, O_RDONLY);
  attack::must_fail(file < 0, "the attack cannot open its own module, and shows nothing");
  attack::must_fail(::flock(file, LOCK_EX | LOCK_NB) == 0, "flock");
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  attack::must_fail(::fcntl(file, F_SETLK, &lock) == 0, "F_SETLK");
  int flags = 0x10;
  attack::must_fail(::ioctl(file, 0x40086602, &flags) == 0, "FS_IOC_SETFLAGS");
  attack::must_fail(::fchmod(file, 0777) == 0, "fchmod");
  attack::must_fail(::syscall(SYS_fsetxattr, file, "user.note", "x", 1, 0) == 0, "fsetxattr");
}
