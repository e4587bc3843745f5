// tries: sends a reply of 60 MiB that unfolds to many times that in the grader's memory
// hand-in: nothing
// must: protocol-error
#include <string>
#define IN_CALL() run()
static void run() {
  int file = 3;
  for (struct stat status = {}; file < 64; ++file) // the runner has one for its own long messages
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && ::ftruncate(file, 0) == 0) break;
  const std::string piece(1 << 20, '[');
  const std::uint64_t length = 60 * piece.size();
  for (std::uint64_t written = 0; written < length; written += piece.size())
    static_cast<void>(!::pwrite(file, piece.data(), piece.size(), static_cast<off_t>(written)));
  std::string packet = "Warpbook";
  const std::uint32_t yes = 1, no = 0;
  packet.append(reinterpret_cast<const char*>(&length), 8);
  packet.append(reinterpret_cast<const char*>(&yes), 4);
  packet.append(reinterpret_cast<const char*>(&no), 4);
  char control[CMSG_SPACE(sizeof file)] = {};
  iovec part = {packet.data(), packet.size()};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  ::sendmsg(3, &message, MSG_NOSIGNAL);
}
