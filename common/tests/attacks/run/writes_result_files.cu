// tries: a constructor writes results of its own into the folders of the build and of the class
// hand-in: nothing
// must: as without it
__attribute__((constructor)) static void run() {
  for (const char* path : {"@FOLDER@/results/me.json", "@FOLDER@/results/new.json", "@FOLDER@/journal/me.json"}) {
    for (const int flags : {O_WRONLY, O_RDWR, O_WRONLY | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC, O_RDONLY | O_CREAT,
                            O_RDONLY | O_TRUNC, O_WRONLY | O_APPEND})
      attack::must_fail(attack::can_open(path, flags), path);
    attack::must_fail(::creat(path, 0666) >= 0, "creat");
  }
  attack::must_fail(attack::can_open("@FOLDER@/results", O_TMPFILE | O_RDWR), "a file without a name");
  attack::must_fail(::mkdir("@FOLDER@/results/folder", 0777) == 0, "mkdir");
  attack::must_fail(::mkfifo("@FOLDER@/results/fifo", 0666) == 0, "mkfifo");
  attack::must_fail(::symlink("/etc/passwd", "@FOLDER@/results/link") == 0, "symlink");
  attack::must_fail(::link("@FOLDER@/results/me.json", "@FOLDER@/results/second.json") == 0, "link");
}
