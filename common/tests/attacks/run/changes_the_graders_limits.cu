// tries: takes time, memory and processors from the grader
// hand-in: right
// must: as without it
#include <sched.h>

__attribute__((constructor)) static void run() {
  const rlimit none = {0, 0};
  const cpu_set_t no_processors = {};
  const sched_param parameters = {};
  for (const pid_t process : attack::others()) {
    attack::must_fail(::prlimit(process, RLIMIT_CPU, &none, nullptr) == 0, "prlimit");
    attack::must_fail(::setpriority(PRIO_PROCESS, static_cast<id_t>(process), 19) == 0, "setpriority");
    attack::must_fail(::sched_setaffinity(process, sizeof no_processors, &no_processors) == 0, "sched_setaffinity");
    attack::must_fail(::sched_setscheduler(process, SCHED_IDLE, &parameters) == 0, "sched_setscheduler");
    attack::must_fail(::syscall(SYS_ioprio_set, 1, process, 0x6000) == 0, "ioprio_set");
    attack::must_fail(::setpgid(process, process) == 0, "setpgid");
  }
}
