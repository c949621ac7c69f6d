// The blame of a case as a waterfall: from the time that the choice is held against to its own, one decision
// after the other.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "gui/failures/failure_words.h"
#include "widgets/chart/plots/waterfall_picture.h"

#include <QString>

namespace sparsight {

struct BlameSide {
    QString key; ///< of its bar
    QString title;
};

/// Empty where the case is not diagnosed. Bars are hatched where no hybrid was timed.
[[nodiscard]] WaterfallPicture blame_picture(const FailureCase& failure, const FailureWords& words,
                                             const BlameSide& against, const BlameSide& chosen);

} // namespace sparsight
