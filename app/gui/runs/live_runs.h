// What the jobs of this session tell of their runs: how far each is, and every event since it was started
// last.
#pragma once

#include "gui/jobs/job.h"
#include "store/runs.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace sparsight {

/// What a job of this session tells of its run.
struct LiveRun {
    JobId job;
    RunId run{};
    QString name;
    int epochs = 0; ///< planned; 0: not known yet
    int epoch = 0;  ///< done
    std::int64_t step = 0;
    std::optional<double> rate;
    std::optional<double> examples_per_second;
    std::optional<double> memory_bytes;
    std::optional<double> seconds_left;
    int best_epoch = 0;
    QStringList notes; ///< what is learned from, and what is left out
    QJsonObject end;   ///< the last event, once it has come
};

/// Of the jobs of every workspace: a training goes on while another one is open, and is seen when its own is
/// open again.
class LiveRuns {
public:
    using IsWanted = std::function<bool(const JobId& job)>;

    /// The first event of a job, "start"; the run that it works at.
    RunId begin(const JobId& job, const QJsonObject& event);
    /// Any other one; nothing where the job has not told its start. It is kept.
    [[nodiscard]] std::optional<RunId> take(const JobId& job, const QJsonObject& event);

    [[nodiscard]] const LiveRun* find(const JobId& job) const;
    /// Among the wanted jobs; of several that worked at the run the one that came farthest.
    [[nodiscard]] const LiveRun* of_run(RunId run, const IsWanted& is_wanted) const;
    /// What the wanted jobs told of this run, in the order of each.
    [[nodiscard]] std::vector<QJsonObject> events_of(RunId run, const IsWanted& is_wanted) const;

    /// What the wanted jobs told of this run, but this one: it is in the workspace, or will have been.
    void forget_others(RunId run, const JobId& but, const IsWanted& is_wanted);
    /// Jobs that are gone, and the events of those that are over.
    void forget(const IsWanted& is_gone, const IsWanted& is_over);

private:
    std::map<JobId, LiveRun> runs_;
    std::map<JobId, std::vector<QJsonObject>> told_;
};

} // namespace sparsight
