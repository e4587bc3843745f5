// tries: sockets of every family, by every way to make one
// hand-in: right
// must: as without it
#include <vector>
__attribute__((constructor)) static void run() {
  for (int family = 0; family < 46; ++family) {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET})
      attack::must_fail(::socket(family, type, 0) >= 0, "socket");
  }
  int ends[2];
  attack::must_fail(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  sockaddr_un address = {AF_UNIX, "\0warpbook-attack"};
  for (int file = 0; file < 16; ++file) {
    attack::must_fail(::connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "connect");
    attack::must_fail(::bind(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
    attack::must_fail(::listen(file, 1) == 0, "listen");
    attack::must_fail(::accept(file, nullptr, nullptr) >= 0, "accept");
  }
  std::vector<char> parameters(256);
  attack::must_fail(::syscall(SYS_io_uring_setup, 8, parameters.data()) >= 0, "io_uring");
}
