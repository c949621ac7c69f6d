// What a model says of its choice, in sentences.
#pragma once

#include "evaluation/model_reasons/model_reasons.h"

#include <QStringList>

namespace sparsight {

/// The rule, how sure it was, whether it is outside of its training, where its curves part from the times.
[[nodiscard]] QStringList reason_sentences(const ModelReasons& reasons);
/// "longest row above 40 entries"
[[nodiscard]] QString predicate_text(const ReasonPredicate& predicate);

} // namespace sparsight
