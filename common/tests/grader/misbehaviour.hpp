#pragma once

/// What toy_misbehave(how, ...) does wrong.
enum class Misbehaviour {
  nothing,
  null_pointer,
  abort,
  divide_by_zero,
  endless_loop,
  exit_zero,
  throw_exception,
  throw_number,
  stack_overflow,
  close_files,
  leave_child,
  return_in_child,
  leave_daemon,
  write_garbage,
  forge_reply,
  print_success,
  print_much,
  write_past_end,
  write_before_start,
  modify_input,
  cuda_error,
  write_half,
  write_files,             ///< throws what it could write, change or reach, if anything
  write_files_from_stream, ///< the same, of fewer things, by a function that it puts into a stream
  stop,
  print_endlessly,
  take_memory,
  fill_disk,
  use_thread,
  work, ///< takes 0.3 s of processor time

  write_only_once,
};
