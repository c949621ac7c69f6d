#include "gui/runs/blend_note.h"

#include "gui/runs/training_runs.h"

namespace sparsight {

QString blend_note(const TrainingRuns& runs, const QString& model) {
    const KnownModel* known = runs.model(model);
    if (known == nullptr || !known->blend)
        return {};
    const TrainingRun* run = known->run ? runs.run(*known->run) : nullptr;
    return no_share_sentence(*known->blend, run == nullptr ? BlendAccuracies{} : run->kept_back,
                             static_cast<int>(known->matrices.size()));
}

} // namespace sparsight
