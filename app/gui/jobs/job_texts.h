// The texts of the window about jobs: states, progress, results, and numbers with what they count.
#pragma once

#include "gui/jobs/job.h"
#include "learning/training/model_verdicts.h"

#include <QCoreApplication>
#include <QString>

namespace sparsight {

/// The translation context of all texts about jobs that do not belong to a widget.
struct JobTexts {
    Q_DECLARE_TR_FUNCTIONS(JobTexts)
};

[[nodiscard]] QString state_text(JobState state);
/// Why two jobs that exclude each other do: "two measurements at once would spoil each other".
[[nodiscard]] QString why_they_exclude_each_other(const Job& waiting, const Job& ahead);
/// The part of its work that survives, however the job ends: "everything measured until then is stored".
[[nodiscard]] QString what_is_kept(const Job& job);
/// The worker's stderr, without the program's name before each line: "sparsight-cli: error: ".
[[nodiscard]] QString worker_messages(QString log);
/// "87 of 100 · 12 s left", and warnings behind it; empty when nothing is known.
[[nodiscard]] QString progress_text(const JobProgress& progress);
/// The job's result, or its current step: one line for a list.
[[nodiscard]] QString status_text(const Job& job);

/// What is told of a job; of one in another workspace than the open one, which workspace that is.
[[nodiscard]] QString told_of_job(const QString& text, const Job& job, const QString& open_workspace);
/// What a fine-tuning came to: "pairs in the right order: 61.0 % before, 78.0 % after", and which part of the
/// model brought the gain, or of a gray box what its correction gained; or that it made the model worse.
[[nodiscard]] QString fine_tuning_text(const FinetuneVerdict& verdict);

// Numbers with what they count: "1 machine", "1 234 machines".
[[nodiscard]] QString machines_text(qint64 count);
[[nodiscard]] QString epochs_text(qint64 count);
[[nodiscard]] QString measurements_text(qint64 count);

} // namespace sparsight
