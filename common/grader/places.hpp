#pragma once
/// Where the grader finds what is built with it, or was installed with it.

#include <string>

namespace warpbook {

std::string yardstick_modules();  ///< the folder of the yardsticks' modules, BACKEND.so
std::string yardstick_contract(); ///< the path of yardsticks.hpp

} // namespace warpbook
