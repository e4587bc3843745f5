// A submission that uses a function which is not defined.
#include "toy.hpp"

void helper_that_is_nowhere(int* data);

void toy_increment(int* data, std::size_t) { helper_that_is_nowhere(data); }
