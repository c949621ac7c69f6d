// What models chose, beside what it took: per model and matrix the fastest of the k, fixed CSR, and the best
// that is known; and over all matrices the summary figures.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"
#include "evaluation/estimates.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/models.h"
#include "store/runs.h"
#include "study/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct EvaluatedCandidate {
    int rank = 1; ///< in the model's order, from 1
    std::string schedule;
    std::optional<double> score; ///< lower is faster; absent where the model gave none
    bool is_fixed_csr = false;
    std::optional<MeasurementStatus> status{}; ///< absent: it was never tried there
    std::optional<double> median_ms{};         ///< of one that was given up a lower bound
    std::optional<double> spread_ms{};
    /// When it was measured once more, in turns: what it took beside fixed CSR's median, by its ratio to
    /// fixed CSR in the same turn. Comparable with those of the others alone.
    std::optional<double> turns_ms{};
    std::optional<double> turns_spread_ms{}; ///< how far that lies apart from turn to turn
};

struct EvaluatedMatrix {
    MatrixSpeedup times;
    /// The three were measured once more, in so many turns (collection/rematch.h), and what was chosen as the
    /// fastest is told by turns that did not choose it (time_differences.h): it may lie above the turns_ms of
    /// that candidate. 0: they were not, and may have been measured at different times.
    int turns = 0;
    std::optional<double> speedup_error{}; ///< standard error, from turn to turn
    /// Something was measured since that may be faster than all of those; it is not compared with them.
    bool has_faster_since = false;
    std::optional<double> fixed_csr_spread_ms{};
    std::string best_schedule;
    /// All that the model chose were given up: best_ms is a lower bound.
    bool best_was_given_up = false;
    std::string best_known_schedule;
    std::optional<double> best_known_spread_ms{};
    std::string fixed_csr_schedule{}; ///< as it was measured
    /// The model's k, and behind them fixed CSR where the model did not choose it.
    std::vector<EvaluatedCandidate> candidates;
    std::optional<double> kendall_tau{}; ///< of the scores with the times of the model's k
};

struct EvaluatedModel {
    ModelId id{};
    std::string name;
    std::vector<EvaluatedMatrix> matrices; ///< the same ones in the same order for every model
    std::optional<SpeedupSummary> summary{};
    std::optional<double> kendall_tau{}; ///< mean over the matrices that have one
    std::int64_t chosen = 0;             ///< schedules over all matrices, fixed CSR behind the k left out
    std::int64_t without_time = 0;       ///< of those: never tried there, too large or failed
};

/// The losses of the run that made a model, by epoch.
struct LossCurves {
    std::string model;
    std::vector<MetricPoint> training;
    std::vector<MetricPoint> validation;
};

/// Of a model over the first one, on the same matrices.
struct ModelComparison {
    std::string model;
    std::string reference;
    SpeedupComparison figures;
};

/// What was to be measured in turns and could not be: it is compared with nothing.
struct MissedTurns {
    std::string matrix;
    std::string schedule;
    std::string error;
};

struct LeftOutMatrix {
    std::string matrix;
    std::string reason; ///< a sentence for the user
};

/// Where the times come from.
enum class TimeSource { Measured, Recorded, Simulated };

struct ModelEvaluation {
    std::string machine;
    TimeSource source = TimeSource::Measured;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string protocol;
    int k = 20;
    BootstrapOptions bootstrap;
    std::vector<EvaluatedModel> models;
    std::vector<ModelComparison> comparisons; ///< every model but the first against the first
    std::vector<LossCurves> curves;           ///< of the models, and of those that they were tuned from
    std::vector<LeftOutMatrix> left_out;
    std::vector<MissedTurns> missed_turns{};
    std::string date;       ///< UTC, ISO 8601, of the newest time
    std::string created_by; ///< program and version
    std::string machine_fingerprint{};

    /// That every model has: the length of all lists.
    [[nodiscard]] std::size_t matrices() const { return models.empty() ? 0 : models.front().matrices.size(); }
};

struct EvaluationScope {
    RunId run{};                 ///< whose choices
    std::vector<ModelId> models; ///< in the order of the tables
    std::vector<MatrixId> matrices;
    MachineRecord machine;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string protocol = "adaptive";
    /// That kernels ran on; absent: those of the machine's own fixed CSR, as of one that was recorded.
    std::optional<int> threads{};
    int k = 20;
    BootstrapOptions bootstrap{};
};

/// Reads choices and times from the workspace. Where the run has made a rematch, its times are the ones that
/// count: of fixed CSR, of the models' fastest, and of what may be the best of all. A matrix counts where
/// fixed CSR has a time and every model at least one; the others are listed. Errors: those of the workspace;
/// a model that is not there.
[[nodiscard]] Result<ModelEvaluation> evaluate_models(Workspace& workspace, const EvaluationScope& scope);

// Evaluations that a workspace keeps: which choices were compared, read again from what stands there now.

/// What is empty admits all.
struct EvaluationFilter {
    std::string model{};   ///< name
    std::string machine{}; ///< fingerprint
};

/// Of which models and matrices are left. Absent: there is none.
[[nodiscard]] Result<std::optional<RunId>> newest_evaluation(Workspace& workspace,
                                                             const EvaluationFilter& filter = {});

/// Models and matrices that were removed since are left out. An error where nothing is left, or where the run
/// is no evaluation.
[[nodiscard]] Result<ModelEvaluation> read_evaluation(Workspace& workspace, RunId run);

} // namespace sparsight
