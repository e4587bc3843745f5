// tries: reads expected values, seed and environment out of the grader and its parents
// hand-in: nothing
// needs: Landlock
// must: as without it
#include <string>
__attribute__((constructor)) static void run() {
  for (const pid_t process : attack::others()) {
    const std::string folder = "/proc/" + std::to_string(process);
    for (const char* name : {"/mem", "/maps", "/environ", "/cmdline", "/stat", "/status", "/fd/0", "/root", "/cwd", "/exe"})
      attack::must_fail(attack::can_open((folder + name).c_str(), O_RDONLY), name);
    char word[8];
    const iovec here = {word, sizeof word}, there = {reinterpret_cast<void*>(&run), sizeof word};
    attack::must_fail(::process_vm_readv(process, &here, 1, &there, 1, 0) > 0, "process_vm_readv");
    attack::must_fail(::syscall(SYS_kcmp, ::getpid(), process, 0, 0, 0) >= 0, "kcmp");
  }
}
