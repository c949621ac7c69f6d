// What the window asks of the worker for matrices and schedules alone; see gui/jobs/job_request.h.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "gui/jobs/job_request.h"
#include "study/measurement.h"

#include <QStringList>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

/// Measures schedules. Fixed CSR is always measured first on each matrix.
struct CollectJob {
    QString workspace;
    QStringList matrices; ///< names
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int schedules = 100; ///< random schedules for each matrix, unless a list names them
    Sampler sampler = Sampler::Waco;
    std::uint64_t seed = 1;
    QString list_file;  ///< measure the schedules of this file instead, in WACO's form
    QStringList listed; ///< or these schedules, as written by to_text() of schedule/text.h
    /// Or the schedules that a search by measured times finds, until this many are measured.
    int searched = 0;
    int threads = 1;
    Protocol protocol = Protocol::Adaptive;
    std::optional<std::chrono::seconds> budget;
    bool again = false; ///< measure stored schedules again, too
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

/// Asks a model why it prefers one schedule to another.
struct ReasonsJob {
    QString workspace;
    QString model;
    QString matrix;
    QString schedule;        ///< in WACO's form
    QString against;         ///< in WACO's form
    JobSetting setting = {}; ///< one that the model is for
    QString machine = {};    ///< fingerprint; empty: this computer
};

/// The setting of an operator, as jobs and the learner know it.
[[nodiscard]] JobSetting sparse_job_setting(Operator op, std::int64_t dense);

[[nodiscard]] JobDescription describe(const CollectJob& job);
[[nodiscard]] JobDescription describe(const SimulateJob& job);
[[nodiscard]] JobDescription describe(const ExplainJob& job);
[[nodiscard]] JobDescription describe(const ReasonsJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const CollectJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const SimulateJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const ExplainJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const ReasonsJob& job,
                                                    const LaunchConditions& conditions);

} // namespace sparsight
