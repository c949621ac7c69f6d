#include "gui/jobs/views/job_list.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_rows.h"
#include "widgets/look/theme.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

namespace sparsight {

namespace {

class JobView : public QListView {
public:
    using QListView::QListView;

protected:
    void paintEvent(QPaintEvent* event) override {
        QListView::paintEvent(event);
        if (model() == nullptr || model()->rowCount() > 0)
            return;
        QPainter painter(viewport());
        painter.setPen(current_theme().dim_text);
        painter.drawText(viewport()->rect().adjusted(grid_step, grid_step, -grid_step, -grid_step),
                         Qt::AlignCenter | Qt::TextWordWrap,
                         JobTexts::tr("No jobs yet. What is imported, simulated or measured shows up here."));
    }
};

QString icon_name(JobAction action) {
    switch (action) {
    case JobAction::Pause:
        return QStringLiteral("pause");
    case JobAction::Resume:
        return QStringLiteral("play");
    case JobAction::Stop:
        return QStringLiteral("stop");
    case JobAction::Kill:
        return QStringLiteral("close");
    case JobAction::Restart:
        return QStringLiteral("refresh");
    case JobAction::Remove:
        return QStringLiteral("delete");
    }
    return {};
}

QPushButton* make_button(const QString& text, const QString& drawing) {
    auto* button = new QPushButton(icon(drawing), text);
    button->setAutoDefault(false);
    return button;
}

} // namespace

JobList::JobList(JobService& service, QWidget* parent)
    : QWidget(parent)
    , service_(service)
    , model_(service)
    , view_(new JobView)
    , detail_(new QLabel)
    , earlier_(make_button(tr("&Earlier"), QStringLiteral("chevron-up")))
    , later_(make_button(tr("&Later"), QStringLiteral("chevron-down")))
    , log_(make_button(tr("L&og"), QStringLiteral("info"))) {
    view_->setModel(&model_);
    view_->setItemDelegate(new JobDelegate(view_));
    view_->setMouseTracking(true);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setAccessibleName(tr("Jobs"));
    detail_->setWordWrap(true);
    detail_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    detail_->setAccessibleName(tr("What became of the chosen job"));

    auto* upper = new QHBoxLayout;
    auto* lower = new QHBoxLayout;
    for (const JobAction action : {JobAction::Pause, JobAction::Resume, JobAction::Stop, JobAction::Kill,
                                   JobAction::Restart, JobAction::Remove}) {
        auto* button = make_button(action_text(action), icon_name(action));
        connect(button, &QPushButton::clicked, this, [this, action] { act(action); });
        buttons_[action] = button;
    }
    for (const JobAction action : {JobAction::Pause, JobAction::Resume, JobAction::Stop, JobAction::Kill})
        upper->addWidget(buttons_.at(action));
    upper->addStretch();
    upper->addWidget(earlier_);
    upper->addWidget(later_);
    lower->addWidget(buttons_.at(JobAction::Restart));
    lower->addWidget(log_);
    lower->addStretch();
    lower->addWidget(buttons_.at(JobAction::Remove));
    connect(earlier_, &QPushButton::clicked, this, [this] { move(-1); });
    connect(later_, &QPushButton::clicked, this, [this] { move(1); });
    connect(log_, &QPushButton::clicked, this, &JobList::open_log);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    layout->setSpacing(grid_step);
    layout->addWidget(view_, 1);
    layout->addWidget(detail_);
    layout->addLayout(upper);
    layout->addLayout(lower);

    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &JobList::refresh);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &JobList::refresh);
    connect(&model_, &QAbstractItemModel::rowsMoved, this, &JobList::refresh);
    connect(&model_, &QAbstractItemModel::rowsRemoved, this, &JobList::refresh);
    connect(&model_, &QAbstractItemModel::rowsInserted, this, [this] {
        if (!view_->currentIndex().isValid())
            view_->setCurrentIndex(model_.index(0));
        refresh();
    });
    view_->setCurrentIndex(model_.index(0));
    refresh();
}

void JobList::set_workspace(const QString& path) {
    const auto job = chosen();
    model_.set_workspace(path);
    choose(job ? job->id : JobId());
}

void JobList::choose(const JobId& id) {
    const QModelIndex index = model_.index_of(id);
    view_->setCurrentIndex(index.isValid() ? index : model_.index(0));
}

std::optional<Job> JobList::chosen() const {
    return model_.job_at(view_->currentIndex());
}

std::vector<JobId> JobList::waiting() const {
    std::vector<JobId> waiting;
    for (const Job& job : service_.jobs())
        if (job.state == JobState::Waiting)
            waiting.push_back(job.id);
    return waiting;
}

void JobList::act(JobAction action) {
    const auto job = chosen();
    if (!job)
        return;
    switch (action) {
    case JobAction::Pause:
        service_.pause(job->id);
        break;
    case JobAction::Resume:
        service_.resume(job->id);
        break;
    case JobAction::Stop:
        service_.stop(job->id);
        break;
    case JobAction::Kill:
        service_.kill(job->id);
        break;
    case JobAction::Restart:
        if (const auto again = service_.restart(job->id))
            choose(*again);
        else
            detail_->setText(again.error());
        break;
    case JobAction::Remove:
        service_.remove(job->id);
        break;
    }
}

void JobList::move(int by) {
    const auto job = chosen();
    if (!job)
        return;
    const auto order = waiting();
    const auto at = std::ranges::find(order, job->id);
    if (at != order.end())
        service_.move_waiting(job->id, static_cast<int>(at - order.begin()) + by);
}

void JobList::open_log() {
    const auto job = chosen();
    if (!job)
        return;
    QWidget* const owner = window()->parentWidget() != nullptr ? window()->parentWidget() : window();
    auto* log = new JobLog(service_, job->id, owner);
    log->show();
    Q_EMIT log_opened(log);
}

void JobList::refresh() {
    const auto job = chosen();
    const QString nothing = tr("No job is chosen");
    for (const auto& [action, button] : buttons_) {
        button->setEnabled(job && is_allowed(action, *job));
        button->setToolTip(job ? action_tooltip(action, *job) : nothing);
    }
    const bool waits = job && job->state == JobState::Waiting;
    const auto order = waits ? waiting() : std::vector<JobId>();
    const bool is_first = !waits || order.front() == job->id;
    const bool is_last = !waits || order.back() == job->id;
    earlier_->setEnabled(!is_first);
    later_->setEnabled(!is_last);
    const QString no_order = tr("Only waiting jobs have an order");
    earlier_->setToolTip(!waits     ? no_order
                         : is_first ? tr("It is the first in the queue")
                                    : tr("Start it before the one above"));
    later_->setToolTip(!waits    ? no_order
                       : is_last ? tr("It is the last in the queue")
                                 : tr("Start it after the one below"));
    log_->setEnabled(job.has_value());
    log_->setToolTip(job ? tr("What its worker told and wrote") : nothing);
    // The full text of what the row may have cut off; for a running job, its current step and its warnings.
    const auto step = [](const JobProgress& progress) {
        return QStringList{progress.what, progress.warning}.join(u'\n').trimmed();
    };
    detail_->setText(!job                    ? QString()
                     : is_active(job->state) ? step(job->progress)
                                             : view_->currentIndex().data(JobModel::DetailRole).toString());
    detail_->setVisible(!detail_->text().isEmpty());
}

namespace {

constexpr std::chrono::milliseconds refresh_interval{500};
/// Characters of a line: the view would need a second to lay out the line with the map of a search.
constexpr qsizetype longest_shown = 4000;

QPlainTextEdit* make_text(const QString& name, const QString& empty, QPlainTextEdit::LineWrapMode wrap) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setLineWrapMode(wrap);
    keep_font(*text, monospace_font);
    text->setPlaceholderText(empty);
    text->setAccessibleName(name);
    return text;
}

/// Keeps the scroll position of a user who reads further up.
void show_text(QPlainTextEdit& view, const QString& text) {
    if (view.toPlainText() == text)
        return;
    QScrollBar& bar = *view.verticalScrollBar();
    const bool is_at_end = bar.value() == bar.maximum();
    const int value = bar.value();
    view.setPlainText(text);
    bar.setValue(is_at_end ? bar.maximum() : value);
}

} // namespace

JobLog::JobLog(const JobService& service, const JobId& id, QWidget* parent)
    : QDialog(parent)
    , service_(service)
    , id_(id)
    , messages_(make_text(tr("Messages of the worker"), tr("The worker had nothing to complain about."),
                          QPlainTextEdit::WidgetWidth))
    , events_(make_text(tr("Events of the worker"), tr("The worker has not told anything yet."),
                        QPlainTextEdit::NoWrap)) {
    const auto job = service.job(id);
    setWindowTitle(tr("Log of “%1”").arg(job ? job->title : QString()));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* tabs = new QTabWidget;
    tabs->addTab(messages_, tr("&Messages"));
    tabs->addTab(events_, tr("&Events"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs);
    layout->addWidget(buttons);
    const int width = fontMetrics().averageCharWidth();
    resize(90 * width, 50 * width);

    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &JobLog::refresh);
    connect(&service, &JobService::job_changed, this, [this](const JobId& changed) {
        if (changed == id_ && !pause_.isActive())
            pause_.start(refresh_interval);
    });
    refresh();
}

QString JobLog::messages() const {
    return messages_->toPlainText();
}

QString JobLog::events() const {
    return events_->toPlainText();
}

void JobLog::refresh() {
    show_text(*messages_, worker_messages(service_.log_text(id_)));
    QStringList lines = service_.event_lines(id_);
    for (QString& line : lines)
        if (line.size() > longest_shown) {
            line.truncate(longest_shown);
            line += u'…';
        }
    show_text(*events_, lines.join(u'\n'));
}

} // namespace sparsight
