// Finds out what the computer that runs this is, and measures how fast it is.
#pragma once

#include "base/progress.h"
#include "machine/machine_description.h"

#include <filesystem>
#include <stop_token>

namespace sparsight {

struct ProbeOptions {
    bool measure = true; ///< without it only what Linux tells is there
    Seconds budget{
        1.5}; ///< for each of the five measurements; one takes two seconds at most with the default
    std::stop_token stop;
    ProgressSink progress;
};

/// The computer as this process may use it: its affinity mask and the memory limit of its control group
/// count. What can't be found out or measured stays unknown. Errors: Cancelled only.
[[nodiscard]] Result<MachineDescription> probe_this_computer(const ProbeOptions& options = {});

/// The facts alone, from the /proc and /sys below a root, for the given processors (all that are online when
/// the list is empty).
[[nodiscard]] MachineDescription read_machine(const std::filesystem::path& root,
                                              const std::vector<int>& processors = {});

} // namespace sparsight
