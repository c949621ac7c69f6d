// The parts of a simulated time in words, for all pages.
#pragma once

#include "machine/mechanistic/simulated_time.h"
#include "widgets/chart/stacked_picture.h"

#include <QString>
#include <vector>

namespace sparsight {

struct TimeTermWords {
    QString name;
    QString meaning; ///< without a capital and a full stop, for hovering
};

[[nodiscard]] TimeTermWords time_term_words(TimeTerm term);

/// All of them as parts of bars, in the order of all_time_terms(), each in its colour.
[[nodiscard]] std::vector<StackedTerm> time_terms();

} // namespace sparsight
