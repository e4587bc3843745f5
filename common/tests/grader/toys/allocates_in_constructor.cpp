// A global object that asks for more memory than there is.
#include <vector>

#include "toy.hpp"

namespace {
volatile std::size_t size = std::size_t{1}
                            << 38; // unknown to compilers that would run the constructor themselves
const std::vector<char> everything(size, 'x');
} // namespace

void toy_increment(int*, std::size_t) {}
