// What a domain counts in place of time. Every time is stored in milliseconds; where a workload has no
// machine of its own speed, people count something else: cycles.
#pragma once

#include "study/domain.h"

namespace sparsight {

struct TimeUnit {
    Noun noun;               ///< "cycle", "cycles"
    double milliseconds = 1; ///< of one
};

/// An optional part of a domain: one that has it derives from both.
class CountsTime {
public:
    CountsTime() = default;
    CountsTime(const CountsTime&) = delete;
    CountsTime& operator=(const CountsTime&) = delete;
    virtual ~CountsTime() = default;

    [[nodiscard]] virtual TimeUnit time_unit() const = 0;
};

/// nullptr: times of the domain are shown as times.
[[nodiscard]] inline const CountsTime* time_counting_of(const Domain& domain) {
    return dynamic_cast<const CountsTime*>(&domain);
}

} // namespace sparsight
