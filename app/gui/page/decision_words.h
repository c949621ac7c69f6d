// What a SuperSchedule decides, in the language of the window; decisions by their keys
// (evaluation/diagnosis/decision.h).
#pragma once

#include <QString>

namespace sparsight {

/// "split of i", "format of k1", "level order"; a key that is not known as it is.
[[nodiscard]] QString decision_name(const QString& key);
/// A sentence on what it decides.
[[nodiscard]] QString decision_meaning(const QString& key);
/// "compressed", "not split", "i1 k1".
[[nodiscard]] QString decision_value(const QString& value);
/// "not split → 16"
[[nodiscard]] QString decision_change(const QString& before, const QString& after);

} // namespace sparsight
