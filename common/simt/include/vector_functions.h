// make_float4 and the like are beside the types.
#ifndef SIMT_INCLUDE_VECTOR_FUNCTIONS_H
#define SIMT_INCLUDE_VECTOR_FUNCTIONS_H
#include "vector_types.h"

#endif
