#!/bin/sh
# Runs the command of a CUDA compiler; once more, with --extended-lambda, if that is what the file needs.
#
# The flag lets code name a lambda `__device__`, which few files do, and has nvcc read further headers for it: a third of
# the time that a lab's file takes to compile.
errors=$("$@" 2>&1)
status=$?
case $status$errors in
  0*) ;;
  *--extended-lambda*) exec "$@" --extended-lambda ;;
esac
[ -z "$errors" ] || printf '%s\n' "$errors" >&2
exit $status
