#include "gui/jobs/job_model.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"

#include <algorithm>

namespace sparsight {

namespace {

int position_in(const std::vector<Job>& jobs, const JobId& id) {
    const auto found = std::ranges::find(jobs, id, &Job::id);
    return found == jobs.end() ? -1 : static_cast<int>(found - jobs.begin());
}

} // namespace

JobModel::JobModel(const JobService& service, QObject* parent)
    : QAbstractListModel(parent)
    , service_(service)
    , jobs_(service.jobs()) {
    connect(&service, &JobService::job_added, this, &JobModel::insert);
    connect(&service, &JobService::job_changed, this, &JobModel::update);
    connect(&service, &JobService::job_removed, this, &JobModel::drop);
}

int JobModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(jobs_.size());
}

QVariant JobModel::data(const QModelIndex& index, int role) const {
    const auto job = job_at(index);
    if (!job)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return job->title;
    case Qt::ToolTipRole:
        return detail(*job);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(job->title, state_text(job->state), detail(*job));
    case JobRole:
        return QVariant::fromValue(*job);
    case DetailRole:
        return detail(*job);
    default:
        return {};
    }
}

QModelIndex JobModel::index_of(const JobId& id) const {
    const int row = row_of(id);
    return row < 0 ? QModelIndex() : index(row);
}

std::optional<Job> JobModel::job_at(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount())
        return std::nullopt;
    return jobs_[static_cast<std::size_t>(index.row())];
}

QString JobModel::detail(const Job& job) const {
    const QString blocked = service_.blocked_reason(job.id);
    return blocked.isEmpty() ? status_text(job) : blocked;
}

int JobModel::row_of(const JobId& id) const {
    return position_in(jobs_, id);
}

void JobModel::insert(const JobId& id) {
    const auto job = service_.job(id);
    if (!job || row_of(id) >= 0)
        return;
    // Its place among those that are shown already; others may be on their way.
    int row = 0;
    for (const Job& other : service_.jobs()) {
        if (other.id == id)
            break;
        row += row_of(other.id) >= 0 ? 1 : 0;
    }
    beginInsertRows({}, row, row);
    jobs_.insert(jobs_.begin() + row, *job);
    endInsertRows();
}

void JobModel::update(const JobId& id) {
    const int row = row_of(id);
    const auto job = service_.job(id);
    if (row < 0 || !job)
        return;
    int target = 0;
    for (const Job& other : service_.jobs()) {
        if (other.id == id)
            break;
        target += row_of(other.id) >= 0 ? 1 : 0;
    }
    if (target != row) {
        beginMoveRows({}, row, row, {}, target > row ? target + 1 : target);
        const auto from = jobs_.begin() + row;
        if (target > row)
            std::rotate(from, from + 1, jobs_.begin() + target + 1);
        else
            std::rotate(jobs_.begin() + target, from, from + 1);
        endMoveRows();
    }
    jobs_[static_cast<std::size_t>(target)] = *job;
    // Why the others wait may be another reason now.
    Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void JobModel::drop(const JobId& id) {
    const int row = row_of(id);
    if (row < 0)
        return;
    beginRemoveRows({}, row, row);
    jobs_.erase(jobs_.begin() + row);
    endRemoveRows();
}

} // namespace sparsight
