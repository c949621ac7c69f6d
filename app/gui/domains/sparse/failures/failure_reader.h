// The failures of an evaluation, or of a table that others have published, as the page shows them.
#pragma once

#include "domains/sparse/explanation/failures/pattern_family.h"
#include "gui/failures/failure_reader.h"
#include "store/workload_families.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct WantedFailures : WantedEvaluationFailures {
    std::string table{}; ///< of recorded choices, instead of an evaluation; the workspace may be empty then
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
    /// Which matrices of the workspace are forms of one another; for the window's thread alone. Null for a
    /// table.
    std::shared_ptr<const WorkloadFamilies> forms{};
    qint64 left_out = 0;  ///< lines of a table that nobody measured
    double explained = 0; ///< share of the variance of a table that its decisions explain
};

struct SparseFailures : ReadFailures {
    FailureSetting setting;
};

/// As name(PatternFamily) has it: "blocked", "unknown".
[[nodiscard]] QString family_name_of(const FailureSetting& setting, const QString& matrix);

/// What misled gray boxes is asked for apart. Takes its time: for another thread.
[[nodiscard]] Result<std::shared_ptr<const SparseFailures>> read_failures_of(const WantedFailures& wanted,
                                                                             const std::stop_token& stop);

} // namespace sparsight
