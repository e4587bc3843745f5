// mutant: the last part has no block
// item: reduce_neighbored adds up every part
// diagnosis: last-part-missing
//
// The mistake: n / 256 rounds down: the elements behind the last whole part have no block.
// Read: the handout, "Parts and blocks".

// GIVEN(parts_of)
std::size_t parts_of(std::size_t count) { return count / part_size; }
// END GIVEN(parts_of)

// GIVEN(reduce_neighbored)
void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n) {
  if (n < part_size) return;
  neighbored_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
// END GIVEN(reduce_neighbored)
