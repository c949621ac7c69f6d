// Schedules in the language of the window: their nicknames, their code explained, and their
// decisions in words.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"

#include <QString>

namespace sparsight {

/// "2-row blocks, chunk 32" (schedule/nickname.h); lists name theirs with nicknames().
[[nodiscard]] QString schedule_nickname(const SuperSchedule& schedule);
/// Over a column of codes.
[[nodiscard]] QString code_meaning();
/// For a tooltip: the schedule in plain words, its code, and what each group of the code means.
[[nodiscard]] QString code_tip(const SuperSchedule& schedule);

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
