// A global object that asks for more memory than there is.
#include <vector>

#include "toy.hpp"

namespace {
const std::vector<char> everything(std::size_t{1} << 38, 'x');
} // namespace

void toy_increment(int*, std::size_t) {}
