// Failures in the language of the window.
#pragma once

#include "domains/sparse/explanation/failures/pattern_family.h"
#include "evaluation/failures/failure_groups.h"

#include <QString>
#include <QStringList>

namespace sparsight {

/// "slower than fixed CSR"
[[nodiscard]] QString kind_text(FailureKind kind);
/// A sentence.
[[nodiscard]] QString kind_meaning(FailureKind kind);
/// "fixed CSR", "the best known", "the best of its choice".
[[nodiscard]] QString against_text(FailureAgainst against);
[[nodiscard]] QString significance_text(Significance significance);
[[nodiscard]] QString significance_meaning(Significance significance);
/// "banded", "rows of about one length".
[[nodiscard]] QString family_text(PatternFamily family);
/// "measured", "simulated", "by what the same decisions cost elsewhere in the table".
[[nodiscard]] QString basis_text(DiagnosisBasis basis);

/// "4.10 ± 0.20 ms", "≥ 9.00 ms".
[[nodiscard]] QString timed_text(const TimedSchedule& timed);
/// "+228 %": of the time that it is held against.
[[nodiscard]] QString loss_text(double share);
/// In which statistics a pattern is unlike its model's training, and by how far, the farthest first: "longest
/// row 4,000, in training 12 to 340, 11.8 times the most". Empty where it is like it.
[[nodiscard]] QString unfamiliar_text(const FailureCase& failure, std::size_t most);
/// The sentence of a sign of this case, with the statistics where it says that the pattern is unlike
/// training.
[[nodiscard]] QString sign_sentence(const FailureCase& failure, const FailureSign& sign);
/// "Slower than fixed CSR: 4.10 ± 0.20 ms against 1.25 ± 0.05 ms, +228 %, beyond noise."
[[nodiscard]] QString sign_sentence(const FailureSign& sign);
/// "On 3 matrices of one family …": title and sentence of a story.
[[nodiscard]] QString story_title(const FailureGroup& story);
[[nodiscard]] QString story_text(const FailureGroup& story);
/// What its kind means, how its decision is known or why none is, and by how much it is behind without loss.
[[nodiscard]] QString story_hint(const FailureGroup& story);

/// What is known of why the model did not know, without asking it.
[[nodiscard]] QStringList blind_spots(const FailureCase& failure);
/// What a name of domains/sparse/tensor/statistics.h means: "longest row". Names that are not known as they
/// are.
[[nodiscard]] QString statistic_text(const std::string& name);

} // namespace sparsight
