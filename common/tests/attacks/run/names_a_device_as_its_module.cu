// tries: has the grader read a file of its choice, named as the place of a crash, and a note of another shape
// hand-in: nothing
// must: crash, protocol-error
#include <string>
#define IN_CALL() run()
static void send(const std::string& text) {
  std::string packet = "Warpbook";
  const std::uint64_t length = text.size(), no = 0;
  packet.append(reinterpret_cast<const char*>(&length), 8);
  packet.append(reinterpret_cast<const char*>(&no), 8);
  packet += text;
  ::send(3, packet.data(), packet.size(), MSG_NOSIGNAL);
}
static void run() {
  send(R"({"event":"host-crash","cause":"x","module":"/proc/kmsg","offset":64})");
  send(R"({"event":"host-crash","cause":7,"module":[],"offset":"x"})");
  std::abort();
}
