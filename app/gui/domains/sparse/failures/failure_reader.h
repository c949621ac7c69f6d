// The failures of an evaluation, or of a table that others have published, as the page shows them.
#pragma once

#include "domains/sparse/explanation/failures/pattern_family.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/model_evaluation.h"
#include "gui/runs/stored_learning.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct WantedFailures {
    std::string workspace{};    ///< a file; may be empty where a table is looked at
    std::optional<RunId> run{}; ///< otherwise the newest evaluation
    QStringList models{};       ///< that it is of, in any order; empty: of any
    std::string table{};        ///< of recorded choices, instead of an evaluation
    int threads = 1;
};

/// What was compared.
struct FailureSetting {
    RunId run{};
    QString table{};   ///< file name; empty: an evaluation
    QString machine{}; ///< fingerprint; empty for a table
    QString machine_name{};
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int k = 20;
    std::optional<int> threads{}; ///< that kernels ran on
    TimeSource source = TimeSource::Measured;
    QStringList models{};
    QStringList matrices{}; ///< that were compared
    QStringList measured{}; ///< matrices that anything of this operator was measured of on the machine
    std::map<QString, PatternFamily> families{}; ///< of the matrices, where their patterns are known
    qint64 left_out = 0;                         ///< lines of a table that nobody measured
    double explained = 0; ///< share of the variance of a table that its decisions explain
};

struct ReadFailures {
    std::vector<StoredEvaluation> evaluations;
    FailureSetting setting;
    ModelEvaluation evaluation; ///< that is looked at; of a table without models
    std::vector<FailureCase> cases;
    std::vector<FailureGroup> stories;
    QString problem;     ///< why there is nothing, where there should be something
    QStringList remarks; ///< what could not be read, and what that means for what is shown
};

/// As name(PatternFamily) has it: "blocked", "unknown".
[[nodiscard]] QString family_name_of(const FailureSetting& setting, const QString& matrix);

/// Takes its time: for another thread.
[[nodiscard]] Result<std::shared_ptr<const ReadFailures>> read_failures_of(const WantedFailures& wanted,
                                                                           const std::stop_token& stop);

} // namespace sparsight
