// tries: ends the program with the exit status of success
// hand-in: right
// must: early-exit
#define IN_CALL() std::quick_exit(0)
