// What the window says about jobs.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "gui/jobs/job.h"

#include <QCoreApplication>
#include <QString>

namespace sparsight {

/// The context of all texts about jobs that no widget says.
struct JobTexts {
    Q_DECLARE_TR_FUNCTIONS(JobTexts)
};

[[nodiscard]] QString state_text(JobState state);
[[nodiscard]] QString operator_text(Operator op); ///< "SpMM"
/// Of two jobs that do: "two measurements at once would spoil each other".
[[nodiscard]] QString why_they_exclude_each_other(const Job& waiting, const Job& ahead);
/// What of its work survives, whatever ends it: "everything measured until then is stored".
[[nodiscard]] QString what_is_kept(const Job& job);
/// What the worker wrote to stderr, without the name of the program before each line: "sparsight-cli: error:
/// ".
[[nodiscard]] QString worker_messages(QString log);
/// "87 of 100 · 12 s left"; empty when nothing is known.
[[nodiscard]] QString progress_text(const JobProgress& progress);
/// What became of it, or what it does: one line for a list.
[[nodiscard]] QString status_text(const Job& job);

// "1 matrix", "1 234 matrices": numbers with what they count.

[[nodiscard]] QString matrices_text(qint64 count);
[[nodiscard]] QString machines_text(qint64 count);
[[nodiscard]] QString epochs_text(qint64 count);
[[nodiscard]] QString measurements_text(qint64 count);
[[nodiscard]] QString schedules_text(qint64 count);

} // namespace sparsight
