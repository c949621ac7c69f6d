#include "learn/loading_watch.h"

#include "base/process.h"
#include "command/program.h"

#include <csignal>
#include <cstring>
#include <sys/time.h>
#include <unistd.h>

namespace sparsight {

namespace {

/// Processor time, so that a slow disk is no reason to give up.
constexpr time_t longest_loading = 60;

/// Neither streams nor fmt: nothing of the libraries is initialised.
void write_error(const char* reason) {
    for (const char* const part : {"sparsight-learn: error: ", reason, "\n"})
        (void)!::write(STDERR_FILENO, part, std::strlen(part));
}

void give_up_loading(int /*signal*/) {
    write_error("its libraries did not load within 60 s of processor time; they may lack memory");
    ::_exit(static_cast<int>(ExitCode::SomeFailed));
}

void set_timer(time_t seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

} // namespace

void begin_loading() {
    hold_interrupts();
    if (is_address_space_too_small()) {
        write_error(small_address_space);
        ::_exit(static_cast<int>(ExitCode::SomeFailed));
    }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // whose own signal() is not ready yet
    (void)std::signal(SIGPROF, &give_up_loading);
    set_timer(longest_loading);
#endif
}

void end_loading() {
    set_timer(0);
    (void)std::signal(SIGPROF, SIG_DFL);
}

} // namespace sparsight
