// How much of this computer other programs take while something is measured on it.
#pragma once

#include "base/quantity.h"
#include "machine/probe/system_files.h"

#include <optional>
#include <vector>

namespace sparsight {

/// What processors did since the computer was started, added up over them.
struct ProcessorTime {
    Seconds busy{};  ///< with what a hypervisor gave to other guests
    Seconds total{}; ///< busy and idle
};

/// Of these processors, from /proc/stat, where the kernel counts in ticks of `tick`. Unknown where it does
/// not tell about one of them.
[[nodiscard]] std::optional<ProcessorTime> processor_time(const SystemFiles& files,
                                                          const std::vector<int>& processors, Seconds tick);

/// The share of the time between two readings that neither was idle nor went to this process, which used
/// `own` in between. Unknown when the readings are the same.
[[nodiscard]] std::optional<double> share_of_others(const ProcessorTime& before, const ProcessorTime& after,
                                                    Seconds own);

/// Looks at the processors that this process may use, from its construction on.
class BackgroundLoad {
public:
    BackgroundLoad();
    [[nodiscard]] std::optional<double> share() const;

private:
    std::vector<int> processors_;
    std::optional<ProcessorTime> before_;
    Seconds own_before_;
};

} // namespace sparsight
