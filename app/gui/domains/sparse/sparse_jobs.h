// What the window asks of the worker for matrices and schedules alone; see gui/jobs/job_request.h.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "gui/jobs/job_request.h"

#include <QStringList>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

/// Measures schedules, fixed CSR first on each matrix.
struct CollectSchedulesJob : CollectJob {
    Operator op = Operator::SpMM; ///< instead of a setting
    std::int64_t dense = 256;
};

/// Makes matrices with a generator.
struct SimulateJob {
    QString workspace;
    QString family;
    std::vector<std::pair<QString, double>> parameters; ///< omitted parameters keep their defaults
    int count = 1;
    std::uint64_t seed = 1;
    QString name = {};
};

/// Simulates drawn schedules on a simulated machine of the workspace, where others are measured.
struct SimulateRuntimesJob {
    QString workspace;
    QString machine;      ///< fingerprint
    QString machine_name; ///< for people
    QStringList matrices;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
};

/// Measures what distinguishes two schedules on a matrix of the workspace.
struct ExplainJob {
    QString workspace;
    QString matrix;
    QString schedule; ///< in WACO's form
    QString against;  ///< in WACO's form
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
};

/// Records when each thread of a run takes each chunk.
struct TimelineJob {
    QString workspace;
    QString matrix;
    QString schedule; ///< in WACO's form
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int threads = 1;
};

/// The setting of an operator, as jobs and the learner know it.
[[nodiscard]] JobSetting sparse_job_setting(Operator op, std::int64_t dense);

[[nodiscard]] const JobKind& simulate_kind();
[[nodiscard]] const JobKind& simulate_runtimes_kind();
[[nodiscard]] const JobKind& explain_kind();
[[nodiscard]] const JobKind& timeline_kind();

[[nodiscard]] JobDescription describe(const CollectSchedulesJob& job);
[[nodiscard]] JobDescription describe(const SimulateJob& job);
[[nodiscard]] JobDescription describe(const SimulateRuntimesJob& job);
[[nodiscard]] JobDescription describe(const ExplainJob& job);
[[nodiscard]] JobDescription describe(const TimelineJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const CollectSchedulesJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const SimulateJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const SimulateRuntimesJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const ExplainJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const TimelineJob& job,
                                                    const LaunchConditions& conditions);

} // namespace sparsight
