#pragma once

#include <string>

#include "grader/failure.hpp"

namespace warpbook {

/// A module that has no function of the contract by this name: which other parameters the submission gives it, if it does
/// (`wrong-parameters`), for then C++ takes it for another function.
/// `module`, `source` and `contract` are the paths of the built file, of the submission's and of lab.hpp.
Failure missing_function(const std::string& function, const std::string& module, const std::string& source,
                         const std::string& contract);

/// The dynamic loader's complaint about a module as a sentence (`load-failed`).
Failure load_failure(const std::string& loader_text);

} // namespace warpbook
