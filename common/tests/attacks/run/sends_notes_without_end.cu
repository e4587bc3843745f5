// tries: sends the notes that precede a crash without end, so that the grader never stops to wait
// hand-in: nothing
// must: protocol-error
#include <string>
#define IN_CALL() run()
static void run() {
  const std::string text = R"({"event":"out-of-memory"})";
  std::string packet = "Warpbook";
  const std::uint64_t length = text.size(), no = 0;
  packet.append(reinterpret_cast<const char*>(&length), 8);
  packet.append(reinterpret_cast<const char*>(&no), 8);
  packet += text;
  while (true) {
    if (::send(3, packet.data(), packet.size(), MSG_NOSIGNAL) < 0) ::usleep(1000);
  }
}
