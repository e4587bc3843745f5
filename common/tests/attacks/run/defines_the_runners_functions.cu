// tries: defines functions that the runner and the standard library import, so that the runner calls these
// hand-in: uncoalesced
// must: as without it
extern "C" __attribute__((visibility("default"))) ssize_t sendmsg(int, const msghdr*, int) {
  attack::got_through("sendmsg");
}
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t, timespec*) {
  attack::got_through("clock_gettime");
}
extern "C" __attribute__((visibility("default"))) int sigaction(int, const struct sigaction*, struct sigaction*) {
  attack::got_through("sigaction");
}
extern "C" __attribute__((visibility("default"))) pid_t waitpid(pid_t, int*, int) { attack::got_through("waitpid"); }
