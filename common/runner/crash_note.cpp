#include "runner/crash_note.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "call/channel.hpp"

namespace warpbook {
namespace {

int note_file = -1;
std::string note_packet;
std::string memory_packet;
std::string crash_packet; // filled in when the crash comes: a broken heap gives no memory then
std::uintptr_t stack_low = 0;
struct sigaction previous_action = {};

constexpr std::size_t crash_note_bytes = 8192;
constexpr std::uintptr_t overflow_window = 1 << 20; // a frame may step far over the guard page

void send_note(const std::string& packet) {
  static_cast<void>(::send(note_file, packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

// The submission may still catch the exception; if it does, the note does no harm.
void on_no_memory() {
  std::set_new_handler(nullptr); // one note is enough
  send_note(memory_packet);
}

void on_bad_address(int, siginfo_t* information, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
  if (address >= stack_low - overflow_window && address < stack_low + overflow_window / 16) {
    send_note(note_packet);
  }
  // Returning repeats the access, and this time whoever was there before deals with it.
  ::sigaction(SIGSEGV, &previous_action, nullptr);
}

} // namespace

void prepare_crash_note(int channel_file) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  ::pthread_attr_getstack(&attributes, &low, &size);
  ::pthread_attr_destroy(&attributes);
  stack_low = reinterpret_cast<std::uintptr_t>(low);
  note_file = channel_file;
  note_packet = Channel::packet(stack_overflow_note);
  memory_packet = Channel::packet(out_of_memory_note);
  crash_packet = Channel::packet(std::string(crash_note_bytes, ' '));
}

void send_crash_note(const char* cause, std::uintptr_t instruction) {
  if (note_file < 0) return;
  Dl_info module = {};
  const bool known = ::dladdr(reinterpret_cast<void*>(instruction), &module) != 0 &&
                     module.dli_fname != nullptr && std::strpbrk(module.dli_fname, "\"\\") == nullptr;
  static char text[crash_note_bytes];
  const int length = std::snprintf(
      text, sizeof text, R"({"event":"host-crash","cause":"%s","module":"%s","offset":%llu})", cause,
      known ? module.dli_fname : "",
      known
          ? static_cast<unsigned long long>(instruction - reinterpret_cast<std::uintptr_t>(module.dli_fbase))
          : 0);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof text) return;
  // Spaces behind the object are allowed, so that the packet's length is known before.
  std::memcpy(crash_packet.data() + crash_packet.size() - crash_note_bytes, text,
              static_cast<std::size_t>(length));
  send_note(crash_packet);
}

void arm_crash_note() {
  if (note_file < 0) return;
  std::set_new_handler(on_no_memory);
  struct sigaction installed = {};
  ::sigaction(SIGSEGV, nullptr, &installed);
  if ((installed.sa_flags & SA_SIGINFO) != 0 && installed.sa_sigaction == on_bad_address) return;

  // A full stack has no room for a handler.
  static std::vector<char> alternate_stack(64 * 1024);
  stack_t stack = {};
  stack.ss_sp = alternate_stack.data();
  stack.ss_size = alternate_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_bad_address;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  previous_action = installed;
  ::sigaction(SIGSEGV, &action, nullptr);
}

} // namespace warpbook
