// tries: stops itself, so that the grader waits for ever
// hand-in: nothing
// must: hang
#define IN_CALL() ::raise(SIGSTOP)
