// Failures of schedules in the language of the window.
#pragma once

#include "domains/sparse/explanation/failures/pattern_family.h"
#include "gui/failures/failure_words.h"

#include <QString>
#include <string>

namespace sparsight {

[[nodiscard]] const FailureWords& failure_words();

/// "banded", "rows of about one length".
[[nodiscard]] QString family_text(PatternFamily family);
/// What a name of domains/sparse/tensor/statistics.h means: "longest row". Names that are not known as they
/// are.
[[nodiscard]] QString statistic_text(const std::string& name);

} // namespace sparsight
