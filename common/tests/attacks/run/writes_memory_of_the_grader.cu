// tries: writes into the memory of the grader and of its parents, through /proc and by system calls
// hand-in: nothing
// must: as without it
#include <string>
__attribute__((constructor)) static void run() {
  for (const pid_t process : attack::others()) {
    const std::string folder = "/proc/" + std::to_string(process);
    attack::must_fail(attack::can_open((folder + "/mem").c_str(), O_RDWR), "/proc/…/mem");
    attack::must_fail(attack::can_open((folder + "/oom_score_adj").c_str(), O_WRONLY), "/proc/…/oom_score_adj");
    attack::must_fail(attack::can_open((folder + "/comm").c_str(), O_WRONLY), "/proc/…/comm");
    long word = 0;
    const iovec here = {&word, sizeof word}, there = {reinterpret_cast<void*>(&run), sizeof word};
    attack::must_fail(::process_vm_writev(process, &here, 1, &there, 1, 0) > 0, "process_vm_writev");
    attack::must_fail(::ptrace(PTRACE_ATTACH, process, nullptr, nullptr) == 0, "PTRACE_ATTACH");
    attack::must_fail(::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0, "PTRACE_SEIZE");
  }
  attack::must_fail(attack::can_open("/proc/self/mem", O_RDWR), "/proc/self/mem");
}
