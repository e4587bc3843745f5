#pragma once

#include "simt/translate/command_line.hpp"

namespace simt::compiler {

/// Builds a student's file, as build() does, in a child that can read nothing but what a submission may be made of and
/// write nothing but a temporary folder, within limits of time, memory and size. This process does not look into the
/// file, nor into what becomes of it: it puts module and depfile where they belong. Verdicts of its own are lines
/// `FILE: error: SENTENCE [ID]` with ID compile-too-long, compile-out-of-memory, compile-too-large or foreign-file.
int build_submission(const CommandLine& command);

} // namespace simt::compiler
