#pragma once

#include <string>

#include "grader/failure.hpp"

namespace warpbook {

/// The dynamic loader's complaint about a module as a sentence (`load-failed`).
Failure load_failure(const std::string& loader_text);

} // namespace warpbook
