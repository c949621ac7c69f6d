// What one run of a worker has told so far, as its events add up, and what that makes of the job.
#pragma once

#include "gui/jobs/job.h"

#include <QByteArrayList>

namespace sparsight {

/// The last event of a run.
struct RunEnd {
    QJsonObject event;

    [[nodiscard]] bool is_error() const;
    [[nodiscard]] bool is_complete() const;
    [[nodiscard]] bool was_stopped() const; ///< by a signal, with work left
};

struct RunReport {
    JobProgress progress;
    std::optional<RunEnd> end;
    QString first_failure; ///< of the items of an import, a simulation or a search
    // Of a collection; its end counts the first among the measured and the second among the failed.
    qint64 choices = 0; ///< of a search or an evaluation
    qint64 gave_up = 0;
    qint64 too_large = 0;
};

void take_event(RunReport& report, const QJsonObject& event);

/// "1 imported · 2 failed", and below it the first failure.
[[nodiscard]] QString addition_summary(const QString& added, const RunReport& report);
[[nodiscard]] QString side_by_side(const QStringList& parts);

struct RunOutcome {
    JobState state = JobState::Failed;
    QString summary;
    QString error;
};

/// `job` is in the state that it was asked for: Running, Pausing, Stopping. Without an end its worker died;
/// `log` is what it wrote to stderr.
[[nodiscard]] RunOutcome outcome_of(const Job& job, const RunReport& report, const QString& log);

/// What a unit of its work took in this run (see Job::work); 0 where none was done, or the run began midway.
[[nodiscard]] double seconds_a_unit(const Job& job, const RunReport& report);

/// In bytes: the map of a search has thousands of places.
inline constexpr qint64 longest_event = 4 * 1024 * 1024;

/// Complete lines of a file that grows.
struct NewLines {
    QByteArrayList lines;
    qint64 offset = 0;   ///< where to go on
    bool at_end = false; ///< of what is there now
};
[[nodiscard]] NewLines read_new_lines(const QString& file, qint64 offset, qint64 most_bytes = longest_event);

} // namespace sparsight
