// mutant: four floats as words
// item: gather_strided_f32x4 makes an array of each word of the records
// diagnosis: wrong-result
//
// The mistake: records of 16-byte words are taken for records of four times as many floats: the four come
//   apart.
// Read: the handout, "TODO(6): gather records".

// GIVEN(gather_strided_f32x4)
void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride) {
  gather_strided(reinterpret_cast<float*>(out), reinterpret_cast<const float*>(in), n, 4 * stride);
}
// END GIVEN(gather_strided_f32x4)
