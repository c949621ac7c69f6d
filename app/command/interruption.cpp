#include "command/interruption.h"

#include "command/exit_code.h"

#include <pthread.h>
#include <unistd.h>

namespace sparsight {

namespace {

/// SIGUSR1 is how the waiting thread is told that there is nothing to wait for any more.
sigset_t awaited_signals() {
    sigset_t signals{};
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1})
        sigaddset(&signals, signal);
    return signals;
}

} // namespace

Interruption::Interruption() {
    const sigset_t signals = awaited_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    waiter_ = std::thread([this] { wait_for_signals(); });
}

Interruption::~Interruption() {
    over_ = true;
    pthread_kill(waiter_.native_handle(), SIGUSR1);
    waiter_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interruption::wait_for_signals() {
    const sigset_t signals = awaited_signals();
    while (!over_) {
        int signal = 0;
        if (sigwait(&signals, &signal) != 0 || signal == SIGUSR1)
            continue;
        if (stop_.stop_requested())
            _exit(static_cast<int>(ExitCode::Interrupted));
        stop_.request_stop();
    }
}

} // namespace sparsight
