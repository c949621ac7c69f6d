#include "gui/jobs/views/job_rows.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "widgets/look/theme.h"

#include <QFileInfo>
#include <QLocale>
#include <QPainter>
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
    , jobs_(in_order()) {
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
    case HeadingRole:
        return heading(index.row());
    default:
        return {};
    }
}

void JobModel::set_workspace(const QString& path) {
    if (path == workspace_)
        return;
    beginResetModel();
    workspace_ = path;
    jobs_ = in_order();
    endResetModel();
}

/// A job without a workspace, as a probe, is at home in each.
bool JobModel::is_of_another(const Job& job) const {
    return !job.workspace.isEmpty() && job.workspace != workspace_;
}

std::vector<Job> JobModel::in_order() const {
    std::vector<Job> jobs = service_.jobs();
    std::ranges::stable_sort(jobs, {}, [this](const Job& job) {
        return is_of_another(job) ? job.workspace : QString(); // the empty one comes first
    });
    return jobs;
}

QString JobModel::heading(int row) const {
    const Job& job = jobs_[static_cast<std::size_t>(row)];
    const bool is_first = row == 0 || jobs_[static_cast<std::size_t>(row - 1)].workspace != job.workspace;
    return is_of_another(job) && is_first
               ? JobTexts::tr("Workspace %1").arg(QFileInfo(job.workspace).completeBaseName())
               : QString();
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
    // The position among the jobs that are shown already; others may still be added.
    int row = 0;
    for (const Job& other : in_order()) {
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
    for (const Job& other : in_order()) {
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
    // The reason why the others wait may have changed, and who is the first below a heading.
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

namespace {

constexpr int bar_height = 4;

QFont title_of(const QFont& font) {
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    return bold;
}

int heading_height(const QFont& font) {
    return QFontMetrics(font).height() + grid_step;
}

QColor state_colour(const Theme& theme, JobState state) {
    if (state == JobState::Failed)
        return theme.error;
    return is_active(state) ? theme.accent : theme.dim_text;
}

/// "finished · 14:05"
QString state_and_time(const Job& job) {
    QString text = state_text(job.state);
    if (!is_over(job.state) || !job.ended.isValid())
        return text;
    const QDateTime ended = job.ended.toLocalTime();
    const bool is_today = ended.date() == QDate::currentDate();
    return text + QStringLiteral(" · ") +
           (is_today ? QLocale().toString(ended.time(), QLocale::ShortFormat)
                     : QLocale().toString(ended, QLocale::ShortFormat));
}

void paint_bar(QPainter& painter, const QRect& place, const Job& job, const Theme& theme) {
    const double share = std::clamp(
        static_cast<double>(job.progress.done) / static_cast<double>(job.progress.total), 0.0, 1.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(place, bar_height / 2.0, bar_height / 2.0);
    QRectF done(place);
    done.setWidth(std::max<double>(bar_height, share * place.width()));
    painter.setBrush(job.state == JobState::Running ? theme.accent : theme.dim_text);
    painter.drawRoundedRect(done, bar_height / 2.0, bar_height / 2.0);
}

bool has_bar(const Job& job) {
    return (is_active(job.state) || job.state == JobState::Paused) && job.progress.total > 0;
}

} // namespace

void JobDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const auto job = index.data(JobModel::JobRole).value<Job>();
    const Theme& theme = current_theme();
    painter->save();
    QRect place = option.rect;
    if (const QString heading = index.data(JobModel::HeadingRole).toString(); !heading.isEmpty()) {
        const QRect above(place.topLeft(), QSize(place.width(), heading_height(option.font)));
        place.setTop(above.bottom() + 1);
        painter->fillRect(above, theme.window);
        painter->setFont(option.font);
        painter->setPen(theme.dim_text);
        const int margin = grid_step * 3 / 2;
        painter->drawText(
            above.adjusted(margin, 0, -margin, 0), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(option.font).elidedText(heading, Qt::ElideMiddle, above.width() - 2 * margin));
    }
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(place, theme.selection);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(place, theme.hover);

    const QFontMetrics title_metrics(title_of(option.font));
    const QFontMetrics metrics(option.font);
    const QRect inner = place.adjusted(grid_step * 3 / 2, grid_step, -grid_step * 3 / 2, -grid_step);
    QRect line(inner.topLeft(), QSize(inner.width(), title_metrics.height()));

    const QString state = state_and_time(job);
    const int state_width = metrics.horizontalAdvance(state);
    painter->setFont(option.font);
    painter->setPen(state_colour(theme, job.state));
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, state);
    painter->setFont(title_of(option.font));
    painter->setPen(theme.text);
    painter->drawText(
        line.adjusted(0, 0, -state_width - 2 * grid_step, 0), Qt::AlignLeft | Qt::AlignVCenter,
        title_metrics.elidedText(job.title, Qt::ElideMiddle, inner.width() - state_width - 2 * grid_step));

    line = QRect(line.left(), line.bottom() + 1 + grid_step / 4, inner.width(), metrics.height());
    painter->setFont(option.font);
    painter->setPen(job.state == JobState::Failed ? theme.error : theme.dim_text);
    const QString detail = index.data(JobModel::DetailRole).toString().simplified();
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(detail, Qt::ElideRight, inner.width()));
    if (has_bar(job))
        paint_bar(*painter, {inner.left(), inner.bottom() + 1 - bar_height, inner.width(), bar_height}, job,
                  theme);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(theme.border);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

QSize JobDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const bool has_heading = !index.data(JobModel::HeadingRole).toString().isEmpty();
    const int lines = QFontMetrics(title_of(option.font)).height() + QFontMetrics(option.font).height() +
                      (has_heading ? heading_height(option.font) : 0);
    return {0, lines + grid_step / 4 + grid_step / 2 + bar_height + 2 * grid_step};
}

} // namespace sparsight
