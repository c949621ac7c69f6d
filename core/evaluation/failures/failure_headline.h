// What is said of all failures in one sentence, alike on a terminal and in a report.
#pragma once

#include "evaluation/failures/failure_case.h"

#include <cstddef>
#include <span>
#include <string>

namespace sparsight {

/// "3 of 16 choices fail; 0.99 ms are lost in all: 2 stories. 1 of them was only wrong about its own choices,
/// by which nothing is lost." Simulated times are said to be. `compared` counts choices, failures or not.
[[nodiscard]] std::string failures_headline(std::span<const FailureCase> cases, std::size_t compared,
                                            std::size_t stories);

/// Which decision, as a table of cases says it: "split of i 4 → not split", why there is none, or that the
/// simulator does not see what was measured.
[[nodiscard]] std::string cause_text(const FailureCase& failure, Operator op);

} // namespace sparsight
