#pragma once

#include "simt/translate/command_line.hpp"

namespace simt::compiler {

/// Builds a student's file, as build() does, in a child that can read nothing but what a submission may be made of and
/// write nothing but a temporary folder, within limits of time, memory and size. This process does not look into the
/// file, nor into what becomes of it: it puts module and depfile where they belong.
///
/// Returns 0; 2 if it could not work, by no fault of the file (a sentence says why); 3 if the file has errors, of which
/// all that is printed are the compiler's words; 4 for a verdict of its own, of which nothing else is printed than
/// `FILE: error: SENTENCE [ID]` with ID compile-too-long, compile-out-of-memory, compile-too-large, foreign-file or
/// not-a-source, and the line that it is about.
int build_submission(const CommandLine& command);

} // namespace simt::compiler
