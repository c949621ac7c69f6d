// What is answered to each question, once it has its turn: see RequestQueue for how they come and go.
#pragma once

#include "learn/commands.h"
#include "learn/serving/request_queue.h"
#include "workflow/learning/reasons/resident_models.h"

#include <stop_token>

namespace sparsight {

/// Used by one thread at a time.
class ServedAnswers {
public:
    /// All must outlive it.
    ServedAnswers(const LearningDomains& domains, const GivenWorkloadsParts& given, int threads,
                  const ResidentLimits& limits)
        : given_(given)
        , threads_(threads)
        , models_(domains, limits) {}

    [[nodiscard]] Result<Json> answer(const ServedQuestion& question, const std::stop_token& stop);

private:
    [[nodiscard]] Result<Json> open(const Json& members);
    [[nodiscard]] Result<Json> load(const Json& members);
    [[nodiscard]] Result<Json> predict(const Json& members, const std::stop_token& stop);
    [[nodiscard]] Result<ModelQuery> query_of(const Json& members);

    const GivenWorkloadsParts& given_;
    int threads_;
    ResidentModels models_;
};

} // namespace sparsight
