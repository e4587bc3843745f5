#pragma once
/// \file
/// Where the files lie that a program needs beside itself: where it was built, or in an installed wheel (common/wheel).

#include <string>

namespace warpbook {

/// `built`, where the build has it; for a program of an installed wheel, `place` below the wheel's folder. A wheel has the
/// file wheel.json beside the folder of its programs.
std::string installed(const std::string& built, const std::string& place);

} // namespace warpbook
