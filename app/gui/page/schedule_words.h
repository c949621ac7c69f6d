// A schedule in so few letters that a column of a table tells it from others.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "study/measurement.h"

#include <QString>

namespace sparsight {

/// "i k i4 j · UUC · 32": the loops from the outside in, of which i4 runs within blocks of 4 rows; the
/// formats of the levels there are, U uncompressed, C compressed; the chunk. A parallel loop that is not the
/// outermost is marked: "k ∥i j". The threads are left out.
[[nodiscard]] QString schedule_abbreviation(const SuperSchedule& schedule);

// What a SuperSchedule decides, in the language of the window; decisions by their keys
// (evaluation/diagnosis/decision.h).

/// "split of i", "format of k1", "level order"; a key that is not known as it is.
[[nodiscard]] QString decision_name(const QString& key);
/// A sentence on what it decides.
[[nodiscard]] QString decision_meaning(const QString& key);
/// "compressed", "not split", "i1 k1".
[[nodiscard]] QString decision_value(const QString& value);
/// "not split → 16"
[[nodiscard]] QString decision_change(const QString& before, const QString& after);

// What became of a measurement, in the language of the window.

/// "measured", "gave up" …
[[nodiscard]] QString status_text(MeasurementStatus status);
[[nodiscard]] QString status_meaning(MeasurementStatus status);

} // namespace sparsight
