// A submission as a starter is: it compiles, runs and does nothing.
#include "toy.hpp"

void toy_increment(int*, std::size_t) {
  // TODO(1): add one to each of the n elements of data.
}
