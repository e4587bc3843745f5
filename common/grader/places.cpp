#include "grader/places.hpp"

#include "process/installed.hpp"

namespace warpbook {

std::string yardstick_modules() { return installed(WARPBOOK_YARDSTICK_MODULES, "modules/yardsticks"); }
std::string yardstick_contract() { return installed(WARPBOOK_YARDSTICK_CONTRACT, "yardsticks.hpp"); }

} // namespace warpbook
