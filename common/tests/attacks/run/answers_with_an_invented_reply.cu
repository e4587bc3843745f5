// tries: sends a reply of its own over the runner's end of the channel, with files attached
// hand-in: nothing
// must: protocol-error
#include <string>
#define IN_CALL() run()
static void run() {
  const std::string text = R"({"token":"1","status":"completed","error_name":"","error_origin":"","error_text":"","left_processes":false,)"
                           R"("report":"","returned":0,"strays":[],"times_ms":[],"trace":""})";
  for (int file = 3; file < 64; ++file) {
    std::string packet = "Warpbook";
    const std::uint64_t length = text.size();
    const std::uint32_t no = 0;
    packet.append(reinterpret_cast<const char*>(&length), 8);
    packet.append(reinterpret_cast<const char*>(&no), 4);
    packet.append(reinterpret_cast<const char*>(&no), 4);
    packet += text;
    ::send(file, packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}
