#pragma once
// Kernels whose results were read from hardware (values.csv): what textures give between and beyond their texels, and what atomic
// functions leave in memory and return. The simulator must compute the same.

#include <cstddef>
#include <cstdint>

inline constexpr int value_name_bytes = 64;
inline constexpr int values_per_case = 64;

extern "C" {

/// Number of cases.
int value_cases();

/// Writes the name of case `index`, filled up with zeros, to value_name_bytes chars on the device.
void value_name(int index, char* name);

/// Runs case `index`, 0 <= index < value_cases(). values: values_per_case words on the device, to write.
void value_case(int index, std::uint32_t* values);
}
