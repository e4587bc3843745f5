#pragma once

#include <functional>
#include <string>

#include "grader/submission.hpp"

/// Whether this executable's toys run on a GPU.
#ifdef TOY_CUDA
inline constexpr bool on_cuda = true;
#else
inline constexpr bool on_cuda = false;
#endif

/// The toy submission `name` (a file in toys/). Where it needs a GPU and there is none, the test
/// process ends with status 77.
warpbook::SubmissionOptions toy_options(const std::string& name);

/// The failure with which `action` ends. The running test fails if there is none.
warpbook::Failure failure_of(const std::function<void()>& action);

/// Sentence and details in one text.
std::string text_of(const warpbook::Failure& failure);

/// Whether `text` holds `part`.
bool contains(const std::string& text, const std::string& part);
