// A process by more than its number, which another one gets when it has ended: so that it can be said later
// whether it still lives.
#pragma once

#include <cstdint>
#include <string>

namespace sparsight {

struct ProcessIdentity {
    std::int64_t id = 0;
    std::string start; ///< when, in which boot of which computer, and among whose processes

    bool operator==(const ProcessIdentity&) const = default;
};

[[nodiscard]] ProcessIdentity this_process();

/// False also for one that can't be seen from here, on another computer or in another container.
[[nodiscard]] bool is_alive(const ProcessIdentity& process);

} // namespace sparsight
