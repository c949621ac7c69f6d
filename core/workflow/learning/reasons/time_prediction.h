// Asks a model about configurations that somebody else chose, in any domain.
#pragma once

#include "base/observer.h"
#include "evaluation/model_reasons/predicted_times.h"
#include "workflow/learning/reasons/model_query.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct PredictionQuestion {
    ModelQuery query;
    /// Names of workloads and texts of configurations.
    std::vector<std::pair<std::string, std::string>> pairs{};
};

struct Prediction {
    const Domain* domain = nullptr; ///< domain of the model
    Setting setting;
    PredictedTimes times;
};

/// The workloads come in the order of their first pairs. Errors (Input): an unknown model, workload, machine
/// or configuration; data that can't be read. Also Fault::Cancelled.
[[nodiscard]] Result<Prediction> predict_times(Workspace& workspace, const LearningDomains& domains,
                                               const PredictionQuestion& question, Observer& observer,
                                               const std::stop_token& stop);

/// The same of a model that is loaded: that of the question's query.
[[nodiscard]] Result<Prediction> predict_times(const QueriedModel& model, const PredictionQuestion& question,
                                               Observer& observer, const std::stop_token& stop);

} // namespace sparsight
