#include "evaluation/diagnosis/disagreement.h"

#include "evaluation/diagnosis/explanation.h"
#include "evaluation/equal_times.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// -1: faster, 0: equally fast, 1: slower.
int side(double factor) {
    if (is_equally_fast(std::max(factor, 1 / factor) - 1))
        return 0;
    return factor > 1 ? 1 : -1;
}

} // namespace

double Disagreement::apart() const {
    return std::max(measured_factor, simulated_factor) / std::min(measured_factor, simulated_factor);
}

std::optional<Disagreement> disagreement_of(double measured_factor, double simulated_factor) {
    if (side(measured_factor) == side(simulated_factor))
        return std::nullopt;
    return Disagreement{measured_factor, simulated_factor};
}

std::optional<Disagreement> disagreement_of(const Explanation& explanation) {
    const Blame& blame = explanation.blame;
    return disagreement_of(*blame.to.milliseconds / *blame.from.milliseconds,
                           explanation.to.parts.total() / explanation.from.parts.total());
}

std::string to_text(const Disagreement& disagreement, std::string_view known, std::string_view against,
                    std::string_view machine, bool can_be_measured) {
    return fmt::format(
        "{}, it takes {:.3g} times as long as {}; simulated on {}, {:.3g} times. The two disagree "
        "by a factor of {:.3g}, so simulated parts say little here: fit the machine to "
        "measurements (`sparsight-cli machine calibrate`){}.",
        known, disagreement.measured_factor, against, machine, disagreement.simulated_factor,
        disagreement.apart(), can_be_measured ? ", or have every step measured (`--measured`)" : "");
}

} // namespace sparsight
