// A submission whose global object never finishes its constructor.
#include <unistd.h>

#include "toy.hpp"

namespace {
struct Sleeper {
  Sleeper() {
    while (true) ::pause();
  }
} sleeper;
} // namespace

void toy_increment(int*, std::size_t) {}
