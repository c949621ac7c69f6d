// How sure a model is of its preference, and whether it may be.
#pragma once

#include "evaluation/model_reasons/anchor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

/// Pairs of schedules by how sure the model was of their order.
struct CalibrationBin {
    double lowest = 0.5; ///< confidence
    double highest = 1;
    double predicted = 0;  ///< mean confidence of the pairs
    BoundedShare observed; ///< of the pairs: in this order by the clock (95 %, Wilson)

    bool operator==(const CalibrationBin&) const = default;
};

struct UncertaintyReason {
    /// "last layer": its weights are uncertain, and so are margins; "scale": no layer to look into, margins
    /// alone say how sure it is.
    std::string method{};
    double margin = 0;       ///< score of `against` less that of the schedule
    double deviation = 0;    ///< standard deviation of the margin; 0 for "scale"
    double confidence = 0.5; ///< that the preferred one is the faster one, 0.5 to 1
    double scale = 1;        ///< what margins are multiplied with before the logistic function
    std::int64_t fitted_pairs = 0;
    std::int64_t fitted_matrices = 0;
    /// Where the curve is from: matrices that nothing was learned from, if there are enough; otherwise each
    /// matrix by a fit to the others.
    bool held_out = false;
    std::int64_t checked_pairs = 0;
    std::int64_t checked_matrices = 0;
    /// Mean distance of predicted and observed shares over the pairs (expected calibration error).
    double calibration_error = 0;
    std::vector<CalibrationBin> bins{}; ///< by confidence, ascending; empty ones are left out
    std::string machine{};              ///< whose runtimes are told

    bool operator==(const UncertaintyReason&) const = default;
};

} // namespace sparsight
