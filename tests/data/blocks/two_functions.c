// two_functions.o: cc -O1 -c -fno-asynchronous-unwind-tables -fcf-protection=none two_functions.c, without
// the sections .comment and .note.GNU-stack.
long sum(long a, long b) { return a + b; }
long twice(long a) { return 2 * a; }
