// Schedules in the language of the window: a short form for tables, and their decisions in words.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"

#include <QString>

namespace sparsight {

/// A short form that distinguishes schedules in a table column: "i k i4 j · UUC · 32". The loops stand from
/// the outside in; i4 runs within blocks of 4 rows. Then come the formats of the existing levels (U
/// uncompressed, C compressed) and the chunk. A parallel loop that is not the outermost is marked: "k ∥i j".
/// The threads are left out.
[[nodiscard]] QString schedule_abbreviation(const SuperSchedule& schedule);

// Decisions of a SuperSchedule, by their keys (domains/sparse/schedule/schedule_decision.h).

/// "split of i", "format of k1", "level order"; an unknown key is returned unchanged.
[[nodiscard]] QString decision_name(const QString& key);
/// A sentence on what the decision means.
[[nodiscard]] QString decision_meaning(const QString& key);
/// "compressed", "not split", "i1 k1".
[[nodiscard]] QString decision_value(const QString& value);
/// "not split → 16"
[[nodiscard]] QString decision_change(const QString& before, const QString& after);

/// As Selected::op and links have it: "spmm".
[[nodiscard]] QString op_name(Operator op);
[[nodiscard]] QString operator_text(Operator op); ///< "SpMM"
/// Explains a field for the number of columns of the dense matrix.
[[nodiscard]] QString dense_columns_tip();
/// "1 matrix", "1 234 matrices"
[[nodiscard]] QString matrices_text(qint64 count);
/// "1 schedule", "1 234 schedules"
[[nodiscard]] QString schedules_text(qint64 count);

} // namespace sparsight
