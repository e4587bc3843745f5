// Types of surface objects. Numbers are those of CUDA 13.
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__

typedef unsigned long long cudaSurfaceObject_t;

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

#endif
