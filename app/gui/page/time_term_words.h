// The parts of a simulated time in words, for all pages.
#pragma once

#include "machine/mechanistic/simulated_time.h"

#include <QString>

namespace sparsight {

struct TimeTermWords {
    QString name;
    QString meaning; ///< without a capital and a full stop, for hovering
};

[[nodiscard]] TimeTermWords time_term_words(TimeTerm term);

} // namespace sparsight
