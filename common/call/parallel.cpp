#include "call/parallel.hpp"

namespace warpbook {
namespace {

// The system is asked once: each time it reads a file.
std::atomic<std::size_t>& threads() {
  static std::atomic<std::size_t> number = std::max(1u, std::thread::hardware_concurrency());
  return number;
}

} // namespace

std::size_t loop_threads() { return threads(); }

void set_loop_threads(std::size_t number) { threads() = std::max<std::size_t>(1, number); }

} // namespace warpbook
