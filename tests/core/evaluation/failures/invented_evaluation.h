// Evaluations that were never run: what models chose, and what it took.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "evaluation/model_evaluation.h"

#include <string>
#include <vector>

namespace sparsight::testing {

inline constexpr const char* csr_text = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32";

/// The n-th of a few schedules that are not fixed CSR.
inline std::string schedule_text(int n) {
    return "1 1 " + std::to_string(1 << (n + 1)) + " i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32";
}

struct Took {
    double milliseconds = 0;
    double score = 0;
    double spread_ms = 0.01;
};

/// The model chose `choices` in this order; fixed CSR took `csr_ms`, the best known `best_ms` (0: the fastest
/// of all of these).
inline EvaluatedWorkload invented_matrix(const std::string& name, double csr_ms,
                                         const std::vector<Took>& choices, double best_ms = 0) {
    EvaluatedWorkload matrix;
    matrix.baseline_configuration = csr_text;
    matrix.baseline_spread_ms = 0.01;
    matrix.times = {name, csr_ms, choices.front().milliseconds, csr_ms};
    for (std::size_t at = 0; at < choices.size(); ++at) {
        const Took& took = choices[at];
        matrix.candidates.push_back({.rank = static_cast<int>(at) + 1,
                                     .configuration = schedule_text(static_cast<int>(at)),
                                     .score = took.score,
                                     .status = MeasurementStatus::Measured,
                                     .median_ms = took.milliseconds,
                                     .spread_ms = took.spread_ms});
        if (took.milliseconds <= matrix.times.best_ms) {
            matrix.times.best_ms = took.milliseconds;
            matrix.best_configuration = matrix.candidates.back().configuration;
        }
    }
    matrix.times.best_known_ms = best_ms > 0 ? best_ms : std::min(csr_ms, matrix.times.best_ms);
    matrix.best_known_configuration = best_ms > 0                     ? schedule_text(7)
                                      : matrix.times.best_ms < csr_ms ? matrix.best_configuration
                                                                      : std::string(csr_text);
    matrix.best_known_spread_ms = 0.01;
    return matrix;
}

inline ModelEvaluation invented_evaluation(std::vector<EvaluatedWorkload> matrices) {
    ModelEvaluation evaluation;
    evaluation.machine = "here";
    evaluation.words = sparse_words();
    evaluation.setting = setting_of(Operator::SpMM, 256);
    evaluation.setting_members = make_sparse_domain()->members(evaluation.setting);
    evaluation.k = 20;
    evaluation.models.push_back({.id = ModelId{1}, .name = "first", .workloads = std::move(matrices)});
    return evaluation;
}

} // namespace sparsight::testing
