// tries: outlives the grader, becomes readable for debuggers, and gets back what was given up
// hand-in: right
// must: as without it
__attribute__((constructor)) static void run() {
  attack::must_fail(::prctl(PR_SET_PDEATHSIG, 0) == 0, "PR_SET_PDEATHSIG");
  attack::must_fail(::prctl(PR_SET_DUMPABLE, 1) == 0, "PR_SET_DUMPABLE");
  attack::must_fail(::prctl(0x59616d61, -1) == 0, "PR_SET_PTRACER");
  attack::must_fail(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "PR_SET_CHILD_SUBREAPER");
  attack::must_fail(::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0) == 0, "PR_CAP_AMBIENT");
  attack::must_fail(::prctl(PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0) == 0, "PR_SET_MM");
  attack::must_fail(::prctl(PR_GET_DUMPABLE) != 0, "this process can be read by others");
  attack::must_fail(::setsid() >= 0, "setsid");
  attack::must_fail(::setpgid(0, ::getppid()) == 0, "setpgid");
}
