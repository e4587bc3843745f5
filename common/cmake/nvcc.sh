#!/bin/sh
# nvcc.sh SIMTCC NVCC ARGUMENT... runs the command of a CUDA compiler; once more, with --extended-lambda, if that is what the
# file needs. Where it fails, what SIMTCC finds to be wrong with the file's brackets comes before the errors.
#
# The flag lets code name a lambda `__device__`, which few files do, and has nvcc read further headers for it: a third of
# the time that a lab's file takes to compile.
simtcc=$1
shift
errors=$("$@" 2>&1)
status=$?
case $status$errors in
  0*) ;;
  *--extended-lambda*)
    errors=$("$@" --extended-lambda 2>&1)
    status=$?
    ;;
esac
if [ $status -ne 0 ]; then
  shift
  "$simtcc" --brackets "$@" >&2 2>/dev/null
fi
[ -z "$errors" ] || printf '%s\n' "$errors" >&2
exit $status
