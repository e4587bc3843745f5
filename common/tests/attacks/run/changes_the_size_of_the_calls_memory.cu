// tries: shrinks, grows, punches and seals the memory that it shares with the grader, so that the grader crashes
// hand-in: right
// must: as without it
#define IN_CALL() run()
static void run() {
  for (int file = 3; file < 64; ++file) {
    struct stat status = {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) continue;
    attack::must_fail(::ftruncate(file, 0) == 0, "shrinking");
    attack::must_fail(::ftruncate(file, status.st_size + 4096) == 0, "growing");
    attack::must_fail(::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, status.st_size) == 0, "punching");
    attack::must_fail(::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_FUTURE_WRITE) == 0, "sealing");
  }
}
