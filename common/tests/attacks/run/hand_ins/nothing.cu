// No points in TODO(1) of lab 01.
#include <cstddef>

#ifndef IN_CALL
#define IN_CALL()
#endif

void offset_add_f32(float*, std::size_t, std::size_t) { IN_CALL(); }

void offset_add_f64(double*, std::size_t, std::size_t) { IN_CALL(); }
