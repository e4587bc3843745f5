// tries: leaves the confinement through namespaces, mounts and other roots
// hand-in: right
// must: as without it
#include <sched.h>
#include <sys/mount.h>

__attribute__((constructor)) static void run() {
  for (const int kind : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_FS, CLONE_FILES})
    attack::must_fail(::unshare(kind) == 0, "unshare");
  for (int file = 0; file < 8; ++file) attack::must_fail(::setns(file, 0) == 0, "setns");
  attack::must_fail(::mount("none", "@FOLDER@/empty", "tmpfs", 0, nullptr) == 0, "mount");
  attack::must_fail(::umount2("/proc", MNT_DETACH) == 0, "umount2");
  attack::must_fail(::chroot("@FOLDER@") == 0, "chroot");
  attack::must_fail(::syscall(SYS_pivot_root, "/", "@FOLDER@/empty") == 0, "pivot_root");
  attack::must_fail(::syscall(SYS_open_tree, AT_FDCWD, "/", 0) >= 0, "open_tree");
  attack::must_fail(::syscall(SYS_fsopen, "tmpfs", 0) >= 0, "fsopen");
  attack::must_fail(::setuid(0) == 0 && ::getuid() != 0, "setuid");
}
