// Complex numbers as pairs, with the functions that cuComplex.h names.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SIMT_COMPLEX(C, T, suffix)                                                                           \
  SIMT_INLINE T cuCreal##suffix(C z) { return z.x; }                                                         \
  SIMT_INLINE T cuCimag##suffix(C z) { return z.y; }                                                         \
  SIMT_INLINE C cuConj##suffix(C z) { return C(z.x, -z.y); }                                                 \
  SIMT_INLINE C cuCadd##suffix(C a, C b) { return C(a.x + b.x, a.y + b.y); }                                 \
  SIMT_INLINE C cuCsub##suffix(C a, C b) { return C(a.x - b.x, a.y - b.y); }                                 \
  SIMT_INLINE C cuCmul##suffix(C a, C b) { return C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }         \
  SIMT_INLINE C cuCdiv##suffix(C a, C b) {                                                                   \
    const T scale = T(1) / (std::fabs(b.x) + std::fabs(b.y));                                                \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                          \
    const T norm = T(1) / (bx * bx + by * by);                                                               \
    return C((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);                                        \
  }                                                                                                          \
  SIMT_INLINE T cuCabs##suffix(C z) { return std::hypot(z.x, z.y); }                                         \
  SIMT_INLINE C cuCfma##suffix(C a, C b, C c) { return cuCadd##suffix(cuCmul##suffix(a, b), c); }
SIMT_COMPLEX(cuFloatComplex, float, f)
SIMT_COMPLEX(cuDoubleComplex, double, )
#undef SIMT_COMPLEX

SIMT_INLINE cuFloatComplex make_cuFloatComplex(float x, float y) { return cuFloatComplex(x, y); }
SIMT_INLINE cuDoubleComplex make_cuDoubleComplex(double x, double y) { return cuDoubleComplex(x, y); }
SIMT_INLINE cuComplex make_cuComplex(float x, float y) { return cuComplex(x, y); }
SIMT_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return cuDoubleComplex(z.x, z.y); }
SIMT_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return cuFloatComplex(static_cast<float>(z.x), static_cast<float>(z.y));
}

#endif
