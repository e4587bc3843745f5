// tries: replaces the grader's program, and changes its rights
// hand-in: nothing
// must: as without it
__attribute__((constructor)) static void run() {
  const char* grader = "@FOLDER@/grade";
  attack::must_fail(attack::can_open(grader, O_WRONLY), "open");
  attack::must_fail(::unlink(grader) == 0, "unlink");
  attack::must_fail(::rename("@FOLDER@/results/me.json", grader) == 0, "rename");
  attack::must_fail(::syscall(SYS_renameat2, AT_FDCWD, "@FOLDER@/results/me.json", AT_FDCWD, grader, 2) == 0,
                    "an exchange of two files");
  attack::must_fail(::truncate(grader, 0) == 0, "truncate");
  attack::must_fail(::chmod(grader, 0777) == 0, "chmod");
  attack::must_fail(::syscall(452, AT_FDCWD, grader, 0777, 0) == 0, "fchmodat2");
  attack::must_fail(::chown(grader, ::getuid(), ::getgid()) == 0, "chown");
  attack::must_fail(::syscall(SYS_setxattr, grader, "user.note", "x", 1, 0) == 0, "setxattr");
}
