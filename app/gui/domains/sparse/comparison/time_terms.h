// The parts of a simulated time in the language of the window.
#pragma once

#include "domains/sparse/simulator/simulator.h"
#include "widgets/chart/plots/stacked_picture.h"

#include <QString>
#include <vector>

namespace sparsight {

struct TimeTermWords {
    QString name;
    QString meaning; ///< starts in lower case and has no full stop, for tooltips
};

[[nodiscard]] TimeTermWords time_term_words(TimeTerm term);

/// All terms as parts of bars, in the order of all_time_terms(), each in its colour.
[[nodiscard]] std::vector<StackedTerm> time_terms();

} // namespace sparsight
