// make_float4 and its kin live beside the types.
#pragma once
#include "vector_types.h"
