#include "gui/failures/tuning_requests.h"

#include "gui/failures/case_study.h"
#include "schedule/text.h"

#include <algorithm>

namespace sparsight {

namespace {

QStringList teaching_schedules(const CaseStudy& study) {
    QStringList lines{QString::fromStdString(to_text(study.subject()->against)),
                      QString::fromStdString(to_text(study.subject()->schedule))};
    if (const ShownExplanation* const shown = study.shown()) {
        for (const ShownStep& step : shown->steps)
            if (step.alone_ms)
                lines << step.alone;
        if (shown->schedule_change && shown->schedule_change->ms)
            lines << shown->schedule_change->schedule;
    }
    lines.removeAll(QString());
    lines.removeDuplicates();
    return lines;
}

/// With those that are measured already.
constexpr int searched_schedules = 80;
constexpr std::chrono::seconds search_budget{60};

/// On the matrix of the case, as it was evaluated.
CollectJob collection_of(const CaseStudy& study, const QString& workspace) {
    CollectJob job;
    job.workspace = workspace;
    job.matrices = QStringList{study.subject()->matrix};
    job.op = study.setting().op;
    job.dense = study.setting().dense;
    job.threads = std::max(1, study.setting().threads.value_or(study.subject()->against.threads));
    return job;
}

} // namespace

CollectJob measuring_request(const CaseStudy& study, const QString& workspace) {
    CollectJob job = collection_of(study, workspace);
    job.listed = teaching_schedules(study);
    return job;
}

CollectJob searching_request(const CaseStudy& study, const QString& workspace) {
    CollectJob job = collection_of(study, workspace);
    job.searched = searched_schedules;
    job.budget = search_budget;
    return job;
}

EvaluateJob comparison_request(const TuningState& state) {
    EvaluateJob job;
    job.workspace = state.workspace;
    job.models = QStringList{state.model, state.tuned};
    job.matrices = state.held_out + state.learned;
    job.k = state.k;
    if (state.op != Operator::SpMV)
        job.dense = state.dense;
    if (state.threads > 0)
        job.threads = state.threads;
    else
        job.machine = state.machine;
    return job;
}

} // namespace sparsight
