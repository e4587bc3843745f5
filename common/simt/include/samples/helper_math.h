// What NVIDIA's samples find in helper_math.h: arithmetic with the vector types, component by component, written for
// the simulator. A copy of the real header beside the program, or on its -I path, comes before this one.
#ifndef SIMT_INCLUDE_SAMPLES_HELPER_MATH_H
#define SIMT_INCLUDE_SAMPLES_HELPER_MATH_H

#include "cuda_runtime.h"

#include <cmath>

typedef unsigned int uint;
typedef unsigned short ushort;

/// E(component) for each component of the result.
#define SIMT_EACH2(V, E) V(E(x), E(y))
#define SIMT_EACH3(V, E) V(E(x), E(y), E(z))
#define SIMT_EACH4(V, E) V(E(x), E(y), E(z), E(w))

#define SIMT_AB_ADD(c) a.c + b.c
#define SIMT_AB_SUB(c) a.c - b.c
#define SIMT_AB_MUL(c) a.c* b.c
#define SIMT_AB_DIV(c) a.c / b.c
#define SIMT_AS_ADD(c) a.c + b
#define SIMT_AS_SUB(c) a.c - b
#define SIMT_AS_MUL(c) a.c* b
#define SIMT_AS_DIV(c) a.c / b
#define SIMT_SB_ADD(c) b + a.c
#define SIMT_SB_SUB(c) b - a.c
#define SIMT_SB_MUL(c) b* a.c
#define SIMT_SB_DIV(c) b / a.c

#define SIMT_OPERATOR(V, T, EACH, op, NAME)                                                                  \
  SIMT_INLINE V operator op(V a, V b) { return EACH(V, SIMT_AB_##NAME); }                                    \
  SIMT_INLINE V operator op(V a, T b) { return EACH(V, SIMT_AS_##NAME); }                                    \
  SIMT_INLINE V operator op(T b, V a) { return EACH(V, SIMT_SB_##NAME); }                                    \
  SIMT_INLINE void operator op##=(V& a, V b) { a = a op b; }                                                 \
  SIMT_INLINE void operator op##=(V& a, T b) { a = a op b; }

#define SIMT_LEAST(c) a.c < b.c ? a.c : b.c
#define SIMT_MOST(c) a.c < b.c ? b.c : a.c
#define SIMT_BETWEEN(c) a.c<low.c ? low.c : a.c> high.c ? high.c : a.c
#define SIMT_BETWEEN_TWO(c) a.c<low ? low : a.c> high ? high : a.c

#define SIMT_ARITHMETIC(V, T, EACH)                                                                          \
  SIMT_OPERATOR(V, T, EACH, +, ADD)                                                                          \
  SIMT_OPERATOR(V, T, EACH, -, SUB)                                                                          \
  SIMT_OPERATOR(V, T, EACH, *, MUL)                                                                          \
  SIMT_INLINE V min(V a, V b) { return EACH(V, SIMT_LEAST); }                                                \
  SIMT_INLINE V max(V a, V b) { return EACH(V, SIMT_MOST); }                                                 \
  SIMT_INLINE V clamp(V a, V low, V high) { return EACH(V, SIMT_BETWEEN); }                                  \
  SIMT_INLINE V clamp(V a, T low, T high) { return EACH(V, SIMT_BETWEEN_TWO); }

SIMT_ARITHMETIC(float2, float, SIMT_EACH2)
SIMT_ARITHMETIC(float3, float, SIMT_EACH3)
SIMT_ARITHMETIC(float4, float, SIMT_EACH4)
SIMT_ARITHMETIC(int2, int, SIMT_EACH2)
SIMT_ARITHMETIC(int3, int, SIMT_EACH3)
SIMT_ARITHMETIC(int4, int, SIMT_EACH4)
SIMT_ARITHMETIC(uint2, uint, SIMT_EACH2)
SIMT_ARITHMETIC(uint3, uint, SIMT_EACH3)
SIMT_ARITHMETIC(uint4, uint, SIMT_EACH4)
SIMT_OPERATOR(float2, float, SIMT_EACH2, /, DIV)
SIMT_OPERATOR(float3, float, SIMT_EACH3, /, DIV)
SIMT_OPERATOR(float4, float, SIMT_EACH4, /, DIV)

SIMT_INLINE float clamp(float a, float low, float high) { return a < low ? low : a > high ? high : a; }
SIMT_INLINE int clamp(int a, int low, int high) { return a < low ? low : a > high ? high : a; }
SIMT_INLINE uint clamp(uint a, uint low, uint high) { return a < low ? low : a > high ? high : a; }
SIMT_INLINE float lerp(float a, float b, float t) { return a + t * (b - a); }
SIMT_INLINE float fracf(float a) { return a - std::floor(a); }
SIMT_INLINE float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

SIMT_INLINE float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
SIMT_INLINE float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SIMT_INLINE float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
SIMT_INLINE int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
SIMT_INLINE int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SIMT_INLINE int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
SIMT_INLINE uint dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
SIMT_INLINE uint dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SIMT_INLINE uint dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
SIMT_INLINE float3 cross(float3 a, float3 b) {
  return float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#define SIMT_NEGATIVE(c) -a.c
#define SIMT_FLOOR(c) std::floor(a.c)
#define SIMT_FRACTION(c) fracf(a.c)
#define SIMT_REMAINDER(c) std::fmod(a.c, b.c)
#define SIMT_ABSOLUTE(c) std::fabs(a.c)
#define SIMT_INTEGER_ABSOLUTE(c) a.c < 0 ? -a.c : a.c
#define SIMT_SMOOTH(c) smoothstep(a.c, b.c, x.c)

#define SIMT_GEOMETRY(V, EACH)                                                                               \
  SIMT_INLINE V operator-(V a) { return EACH(V, SIMT_NEGATIVE); }                                            \
  SIMT_INLINE V fminf(V a, V b) { return min(a, b); }                                                        \
  SIMT_INLINE V fmaxf(V a, V b) { return max(a, b); }                                                        \
  SIMT_INLINE V floorf(V a) { return EACH(V, SIMT_FLOOR); }                                                  \
  SIMT_INLINE V fracf(V a) { return EACH(V, SIMT_FRACTION); }                                                \
  SIMT_INLINE V fmodf(V a, V b) { return EACH(V, SIMT_REMAINDER); }                                          \
  SIMT_INLINE V fabs(V a) { return EACH(V, SIMT_ABSOLUTE); }                                                 \
  SIMT_INLINE V lerp(V a, V b, float t) { return a + t * (b - a); }                                          \
  SIMT_INLINE V smoothstep(V a, V b, V x) { return EACH(V, SIMT_SMOOTH); }                                   \
  SIMT_INLINE float length(V a) { return std::sqrt(dot(a, a)); }                                             \
  SIMT_INLINE V normalize(V a) { return a * rsqrtf(dot(a, a)); }
SIMT_GEOMETRY(float2, SIMT_EACH2)
SIMT_GEOMETRY(float3, SIMT_EACH3)
SIMT_GEOMETRY(float4, SIMT_EACH4)
SIMT_INLINE float3 reflect(float3 a, float3 normal) { return a - 2.0f * normal * dot(normal, a); }
SIMT_INLINE int2 operator-(int2 a) { return SIMT_EACH2(int2, SIMT_NEGATIVE); }
SIMT_INLINE int3 operator-(int3 a) { return SIMT_EACH3(int3, SIMT_NEGATIVE); }
SIMT_INLINE int4 operator-(int4 a) { return SIMT_EACH4(int4, SIMT_NEGATIVE); }
SIMT_INLINE int2 abs(int2 a) { return SIMT_EACH2(int2, SIMT_INTEGER_ABSOLUTE); }
SIMT_INLINE int3 abs(int3 a) { return SIMT_EACH3(int3, SIMT_INTEGER_ABSOLUTE); }
SIMT_INLINE int4 abs(int4 a) { return SIMT_EACH4(int4, SIMT_INTEGER_ABSOLUTE); }

// One value for all components, and vectors from others.
#define SIMT_FROM(name, T, other2, other3, other4)                                                           \
  SIMT_INLINE name##2 make_##name##2(T s) { return name##2(s, s); }                                          \
  SIMT_INLINE name##3 make_##name##3(T s) { return name##3(s, s, s); }                                       \
  SIMT_INLINE name##4 make_##name##4(T s) { return name##4(s, s, s, s); }                                    \
  SIMT_INLINE name##2 make_##name##2(name##3 a) { return name##2(a.x, a.y); }                                \
  SIMT_INLINE name##2 make_##name##2(name##4 a) { return name##2(a.x, a.y); }                                \
  SIMT_INLINE name##3 make_##name##3(name##2 a) { return name##3(a.x, a.y, T(0)); }                          \
  SIMT_INLINE name##3 make_##name##3(name##2 a, T z) { return name##3(a.x, a.y, z); }                        \
  SIMT_INLINE name##3 make_##name##3(name##4 a) { return name##3(a.x, a.y, a.z); }                           \
  SIMT_INLINE name##4 make_##name##4(name##3 a) { return name##4(a.x, a.y, a.z, T(0)); }                     \
  SIMT_INLINE name##4 make_##name##4(name##3 a, T w) { return name##4(a.x, a.y, a.z, w); }                   \
  SIMT_INLINE name##2 make_##name##2(other2 a) { return name##2(T(a.x), T(a.y)); }                           \
  SIMT_INLINE name##3 make_##name##3(other3 a) { return name##3(T(a.x), T(a.y), T(a.z)); }                   \
  SIMT_INLINE name##4 make_##name##4(other4 a) { return name##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
SIMT_FROM(float, float, int2, int3, int4)
SIMT_FROM(int, int, float2, float3, float4)
SIMT_FROM(uint, uint, int2, int3, int4)
SIMT_INLINE float2 make_float2(uint2 a) { return float2(float(a.x), float(a.y)); }
SIMT_INLINE float3 make_float3(uint3 a) { return float3(float(a.x), float(a.y), float(a.z)); }
SIMT_INLINE float4 make_float4(uint4 a) { return float4(float(a.x), float(a.y), float(a.z), float(a.w)); }
SIMT_INLINE int2 make_int2(uint2 a) { return int2(int(a.x), int(a.y)); }
SIMT_INLINE int3 make_int3(uint3 a) { return int3(int(a.x), int(a.y), int(a.z)); }
SIMT_INLINE int4 make_int4(uint4 a) { return int4(int(a.x), int(a.y), int(a.z), int(a.w)); }

#undef SIMT_EACH2
#undef SIMT_EACH3
#undef SIMT_EACH4
#undef SIMT_AB_ADD
#undef SIMT_AB_SUB
#undef SIMT_AB_MUL
#undef SIMT_AB_DIV
#undef SIMT_AS_ADD
#undef SIMT_AS_SUB
#undef SIMT_AS_MUL
#undef SIMT_AS_DIV
#undef SIMT_SB_ADD
#undef SIMT_SB_SUB
#undef SIMT_SB_MUL
#undef SIMT_SB_DIV
#undef SIMT_OPERATOR
#undef SIMT_LEAST
#undef SIMT_MOST
#undef SIMT_BETWEEN
#undef SIMT_BETWEEN_TWO
#undef SIMT_ARITHMETIC
#undef SIMT_NEGATIVE
#undef SIMT_FLOOR
#undef SIMT_FRACTION
#undef SIMT_REMAINDER
#undef SIMT_ABSOLUTE
#undef SIMT_INTEGER_ABSOLUTE
#undef SIMT_SMOOTH
#undef SIMT_GEOMETRY
#undef SIMT_FROM

#endif
