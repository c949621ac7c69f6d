// Where the threads of a team run. Left to itself, the scheduler may wake a helper on the processor that its
// team's caller is busy on; a kernel of a millisecond is over before anyone moves it, and takes twice as long
// as it could, again and again.
#pragma once

#include <span>
#include <thread>
#include <vector>

namespace sparsight {

/// For a team that takes every processor it may use: keeps each helper on one of its own, apart from the
/// caller, who stays free, so that what the caller starts beside the team may run anywhere. Other teams are
/// left alone, and so is one whose threads the system refuses to move.
class ThreadPlacement {
public:
    /// Before the first apart_from_caller(); the threads must outlive its last call.
    void place(std::span<std::jthread> helpers);

    /// Called by the caller before a region: when it runs on a helper's processor, the two change places.
    /// Costs a few nanoseconds when it does not.
    void apart_from_caller();

private:
    struct Place {
        std::thread::native_handle_type helper{};
        int processor = -1;
    };
    std::vector<Place> places_;
    int caller_processor_ = -1; ///< no helper's
};

} // namespace sparsight
