// tries: an exception's text clears the terminal, sets its title and turns the order of letters
// hand-in: nothing
// must: exception
#include <stdexcept>
#define IN_CALL() throw std::runtime_error("\x1b[2J\x1b]0;34 of 34 points\x07\xc2\x9b" "2J\u202e\u2066 34/34 \r\x7f\xff =1+1")
