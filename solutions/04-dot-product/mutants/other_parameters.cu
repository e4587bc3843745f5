// mutant: arrays that are not const
// item: dot_f32 gives the dot product at any length
// diagnosis: wrong-parameters
//
// The mistake: a and b are pointers to const in the contract, and here they are not. In C++ a function is its name and its
// parameters: this compiles, as another function beside the one that lab.hpp declares, which has no definition.
// Read: lab.hpp, dot_f32.

// GIVEN(dot_f32)
void dot_f32(float* result, float* a, float* b, std::size_t n) { dot<float>(result, a, b, n); }
// END GIVEN(dot_f32)
