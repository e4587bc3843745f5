// mutant: the number of elements as an int
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: wrong-parameters
//
// The mistake: the contract counts elements with std::size_t, and here an int does. In C++ a function is its name and its
// parameters: this compiles, as another function beside the one that lab.hpp declares, which the file does not define.
// Read: lab.hpp, reverse_blocks.

// GIVEN(reverse_blocks)
void reverse_blocks(int* a, int n) {
  if (n == 0) return;
  reverse_kernel<<<pieces(n, reverse_piece), reverse_piece>>>(a, n);
}
// END GIVEN(reverse_blocks)
