// mutant: the steps are counted from one
// item: mandelbrot_adaptive draws the flat picture
// diagnosis: dwell-off-by-one
//
// The mistake: a dwell of its own, which counts the point before the first step, too.
// Read: the handout, "The rule of Mariani and Silver".

// GIVEN(dwell)
__device__ int dwell(float re, float im, int max_dwell) {
  float x = 0, y = 0;
  int steps = 0;
  while (steps < max_dwell) {
    const float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
    if (__fadd_rn(xx, yy) > 4) break;
    y = __fadd_rn(__fmul_rn(__fadd_rn(x, x), y), im);
    x = __fadd_rn(__fsub_rn(xx, yy), re);
    ++steps;
  }
  return steps < max_dwell ? steps + 1 : steps;
}
// END GIVEN(dwell)
