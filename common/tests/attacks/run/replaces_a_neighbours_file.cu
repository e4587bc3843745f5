// tries: empties, renames and dates another student's source and built module
// hand-in: right
// needs: Landlock
// must: as without it
__attribute__((constructor)) static void run() {
  for (const char* path : {"@FOLDER@/neighbour.cu", "@FOLDER@/neighbour.so"}) {
    attack::must_fail(attack::can_open(path, O_RDWR), path);
    attack::must_fail(::unlinkat(AT_FDCWD, path, 0) == 0, "unlinkat");
    attack::must_fail(::rename(path, "@FOLDER@/gone") == 0, "rename");
    const timespec times[2] = {};
    attack::must_fail(::utimensat(AT_FDCWD, path, times, 0) == 0, "utimensat");
    const int file = ::open(path, O_RDONLY);
    attack::must_fail(file >= 0, "reading it");
  }
  attack::must_fail(::rmdir("@FOLDER@/empty") == 0, "rmdir");
}
