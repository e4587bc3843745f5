// A submission whose global object ends the program before any function can be called.
#include <unistd.h>

#include "toy.hpp"

namespace {
struct Leaver {
  Leaver() { ::_exit(0); }
} leaver;
} // namespace

void toy_increment(int*, std::size_t) {}
