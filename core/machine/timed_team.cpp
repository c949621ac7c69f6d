#include "machine/timed_team.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <exception>
#include <new>
#include <sched.h>
#include <thread>

namespace sparsight {

namespace {

using Clock = std::chrono::steady_clock;

/// Without it the scheduler may move a thread away from the memory that it touched first. Where it is refused
/// the thread stays free, which costs accuracy and nothing else.
void bind_this_thread(int processor) {
    const auto index = static_cast<std::size_t>(processor);
    std::vector<cpu_set_t> mask(index / (8 * sizeof(cpu_set_t)) + 1);
    CPU_SET_S(index, mask.size() * sizeof(cpu_set_t), mask.data());
    static_cast<void>(sched_setaffinity(0, mask.size() * sizeof(cpu_set_t), mask.data()));
}

class TimedTeam {
public:
    TimedTeam(const TeamWork& work, std::size_t threads, Seconds budget, std::stop_token stop)
        : work_(work)
        , budget_(budget)
        , stop_(std::move(stop))
        , barrier_(static_cast<std::ptrdiff_t>(threads)) {}

    void run_thread(int thread, int processor) {
        bind_this_thread(processor);
        try {
            work_.prepare(thread);
        } catch (...) {
            failed_ = true;
        }
        barrier_.arrive_and_wait(); // nobody works before all know whether all are prepared
        while (true) {
            if (thread == 0)
                decide();
            barrier_.arrive_and_wait();
            if (done_)
                return;
            const Clock::time_point begin = Clock::now();
            try {
                work_.round(thread);
            } catch (...) {
                failed_ = true;
            }
            barrier_.arrive_and_wait();
            if (thread == 0)
                rounds_.push_back(Clock::now() - begin);
        }
    }

    /// For threads that could not be started, so that those that were don't wait for them.
    void give_up(std::size_t missing) {
        failed_ = true;
        for (; missing > 0; --missing)
            barrier_.arrive_and_drop();
    }

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] Seconds median() {
        rounds_.erase(rounds_.begin()); // the warm-up
        const auto middle = rounds_.begin() + static_cast<std::ptrdiff_t>(rounds_.size() / 2);
        std::ranges::nth_element(rounds_, middle);
        return *middle;
    }

private:
    void decide() {
        const bool enough = rounds_.size() >= 4 && Clock::now() - start_ + longest() > budget_;
        done_ = enough || rounds_.size() >= 10'000 || failed_ || stop_.stop_requested();
    }
    [[nodiscard]] Seconds longest() const { return *std::ranges::max_element(rounds_); }

    const TeamWork& work_;
    Seconds budget_;
    std::stop_token stop_;
    std::barrier<> barrier_;
    Clock::time_point start_ = Clock::now();
    std::atomic<bool> failed_ = false;
    bool done_ = false;           ///< written by thread 0 before the barrier, read by all after it
    std::vector<Seconds> rounds_; ///< thread 0's only
};

} // namespace

Result<Seconds> median_round(const std::vector<int>& processors, Seconds budget, const std::stop_token& stop,
                             const TeamWork& work) {
    try {
        TimedTeam team(work, processors.size(), budget, stop);
        {
            std::vector<std::jthread> threads;
            threads.reserve(processors.size());
            try {
                for (const int processor : processors)
                    threads.emplace_back(&TimedTeam::run_thread, &team, static_cast<int>(threads.size()),
                                         processor);
            } catch (const std::exception&) { // no more threads, or no memory for one
                team.give_up(processors.size() - threads.size());
            }
        }
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "the measurement of the machine was stopped");
        if (team.failed())
            return fail(Fault::Environment, "there are not enough threads or memory to measure the machine");
        return team.median();
    } catch (const std::bad_alloc&) {
        return fail(Fault::Environment, "there is not enough memory to measure the machine");
    }
}

} // namespace sparsight
