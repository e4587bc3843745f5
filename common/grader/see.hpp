#pragma once

#include "grader/options.hpp"

namespace warpbook {

/// Writes a trace file (docs/trace-format.md) of a call of `options.see`: the one with which the first of its items fails, or
/// else its scene's. Says on the standard output, as a JSON object, of which call and what became of it. Returns 0, or 1 if
/// no kernel has accessed memory: then there is no file. Throws std::invalid_argument if there is no such scene.
int see(const GraderOptions& options);

} // namespace warpbook
