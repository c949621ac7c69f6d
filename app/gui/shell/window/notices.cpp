#include "gui/shell/window/notices.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/glyph.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr std::chrono::seconds shown_for{8};
constexpr int most_characters_a_line = 90;

} // namespace

Notices::Notices(QWidget* window)
    : QWidget(window)
    , symbol_(new QLabel(this))
    , text_(new ElidedLabel(this))
    , more_(new QToolButton(this))
    , close_(new QToolButton(this))
    , popup_(new QFrame(this, Qt::Popup))
    , scroll_(new QScrollArea(popup_))
    , column_(nullptr)
    , close_all_(new QPushButton(tr("Close all"), popup_)) {
    setAccessibleName(tr("Messages"));
    setCursor(Qt::PointingHandCursor);
    more_->setObjectName(QStringLiteral("all-notices"));
    more_->setAutoRaise(true);
    more_->setToolTip(tr("Shows all messages in full"));
    close_->setObjectName(QStringLiteral("close-notice"));
    close_->setAutoRaise(true);
    close_->setIcon(glyph_icon(Glyph::Close));
    close_->setToolTip(tr("Close this message (Esc)"));
    close_->setAccessibleName(tr("Close this message"));
    for (QToolButton* button : {more_, close_}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setCursor(Qt::ArrowCursor);
    }
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(grid_step, 0, grid_step, 0);
    line->setSpacing(grid_step / 2);
    line->addWidget(symbol_);
    line->addWidget(text_, 1);
    line->addWidget(more_);
    line->addWidget(close_);
    popup_->setFrameShape(QFrame::StyledPanel);
    auto* messages = new QWidget;
    column_ = new QVBoxLayout(messages);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(grid_step / 2);
    scroll_->setWidget(messages);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    close_all_->setObjectName(QStringLiteral("close-notices"));
    close_all_->setAutoDefault(false);
    auto* list = new QVBoxLayout(popup_);
    list->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    list->setSpacing(grid_step / 2);
    list->addWidget(scroll_);
    list->addWidget(close_all_, 0, Qt::AlignRight);
    connect(close_all_, &QPushButton::clicked, this, &Notices::clear);
    connect(more_, &QToolButton::clicked, this, &Notices::open_list);
    connect(close_, &QToolButton::clicked, this, &Notices::close_newest);
    window->installEventFilter(this);
    show_newest();
}

void Notices::tell(const QString& text, bool is_problem, const QString& cause) {
    if (!cause.isEmpty())
        settle(cause);
    if (text.isEmpty())
        return;
    // A repeated text is new again, and has the newest cause.
    std::erase_if(notices_, [&](const Notice& notice) { return notice.text == text; });
    const int number = next_number_++;
    notices_.push_back({number, text, is_problem, cause});
    if (!is_problem)
        QTimer::singleShot(shown_for, this, [this, number] { drop(number); });
    show_newest();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Notices::settle(const QString& cause) {
    const auto settled = std::erase_if(
        notices_, [&](const Notice& notice) { return notice.is_problem && notice.cause == cause; });
    if (settled > 0)
        show_newest();
}

void Notices::settle_all() {
    std::erase_if(notices_, [](const Notice& notice) { return notice.is_problem; });
    show_newest();
}

void Notices::clear() {
    notices_.clear();
    show_newest();
}

void Notices::drop(int number) {
    std::erase_if(notices_, [number](const Notice& notice) { return notice.number == number; });
    show_newest();
}

void Notices::close_newest() {
    if (!notices_.empty())
        drop(notices_.back().number);
}

QStringList Notices::texts() const {
    QStringList texts;
    for (const Notice& notice : notices_)
        texts << notice.text;
    return texts;
}

QString Notices::newest() const {
    return text_->text();
}

void Notices::show_newest() {
    setVisible(!notices_.empty());
    if (notices_.empty()) {
        text_->clear();
        popup_->hide();
        return;
    }
    const Notice& notice = notices_.back();
    const QColor colour = notice.is_problem ? current_theme().error : current_theme().accent;
    const int side = fontMetrics().height();
    symbol_->setPixmap(glyph_icon(notice.is_problem ? Glyph::Error : Glyph::Information, colour)
                           .pixmap(QSize(side, side), devicePixelRatioF()));
    text_->setText(notice.text);
    text_->setToolTip(notice.text);
    setAccessibleDescription(notice.text);
    more_->setText(notices_.size() == 1 ? tr("Read") : tr("All %1").arg(notices_.size()));
    if (popup_->isVisible())
        fill_list();
}

bool Notices::list_is_open() const {
    return popup_->isVisible();
}

void Notices::open_list() {
    fill_list();
    popup_->show();
    QScrollBar* bar = scroll_->verticalScrollBar();
    bar->setValue(bar->maximum()); // shows the newest message
}

void Notices::fill_list() {
    while (QLayoutItem* item = column_->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater(); // it may be the message that was just clicked
        }
        delete item;
    }
    for (const Notice& notice : notices_) {
        auto* banner = new Banner(scroll_->widget());
        banner->show_message(notice.is_problem ? Severity::Error : Severity::Information, notice.text);
        connect(banner, &Banner::closed, this, [this, number = notice.number] { drop(number); });
        column_->addWidget(banner);
    }
    close_all_->setVisible(notices_.size() > 1);
    place_list();
}

/// Places the list above the line, within the window.
void Notices::place_list() {
    const int width = std::min(window()->width() - 2 * grid_step,
                               fontMetrics().averageCharWidth() * most_characters_a_line);
    column_->activate();
    const int around = 2 * (grid_step + popup_->frameWidth());
    const int messages =
        column_->hasHeightForWidth() ? column_->heightForWidth(width - around) : column_->sizeHint().height();
    const int below = close_all_->isHidden() ? 0 : close_all_->sizeHint().height() + grid_step / 2;
    const int room = mapTo(window(), QPoint()).y() - grid_step;
    const int height =
        std::max(std::min(messages + below + around, room), popup_->minimumSizeHint().height());
    const QPoint corner = mapToGlobal(QPoint(0, -height));
    const int rightmost = window()->mapToGlobal(QPoint(window()->width() - width - grid_step, 0)).x();
    popup_->setGeometry(std::min(corner.x(), rightmost), corner.y(), width, height);
}

bool Notices::eventFilter(QObject* watched, QEvent* event) {
    // Reached only when neither the focused widget nor its parents use the key.
    if (watched == parent() || watched == window()) {
        const bool is_escape =
            event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (is_escape && !notices_.empty()) {
            close_newest();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Notices::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        open_list();
    event->accept(); // otherwise the strip below would open its jobs
}

void Notices::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        show_newest();
}

namespace {

struct Failures {
    Q_DECLARE_TR_FUNCTIONS(sparsight::FailureNotices)
};

QString cause_of(const JobId& job) {
    return QStringLiteral("job:") + job.toString(QUuid::WithoutBraces);
}

/// A new job settles the problems of earlier jobs for the same work.
void settle_earlier(const JobService& jobs, const JobId& id, Notices& notices) {
    const auto started = jobs.job(id);
    for (const Job& job : jobs.jobs())
        if (started && job.id != id && is_over(job.state) && job.kind == started->kind &&
            job.workspace == started->workspace && job.title == started->title)
            notices.settle(cause_of(job.id));
}

void tell_of_jobs(const Services& services, Notices& notices) {
    const JobService& jobs = services.jobs;
    QObject::connect(&jobs, &JobService::job_finished, &notices,
                     [&jobs, &notices, &session = services.session](const JobId& id) {
                         const auto job = jobs.job(id);
                         if (job && job->state == JobState::Failed && !job->adds_workloads())
                             notices.tell_of(cause_of(id),
                                             told_of_job(Failures::tr("%1: %2").arg(job->title, job->error),
                                                         *job, session.path()));
                     });
    QObject::connect(&jobs, &JobService::job_added, &notices,
                     [&jobs, &notices](const JobId& id) { settle_earlier(jobs, id, notices); });
    QObject::connect(&jobs, &JobService::job_removed, &notices,
                     [&notices](const JobId& id) { notices.settle(cause_of(id)); });
}

} // namespace

void tell_of_failures(const Services& services, Notices& notices) {
    const WorkspaceSession& session = services.session;
    QObject::connect(&session, &WorkspaceSession::opened, &notices, &Notices::settle_all);
    QObject::connect(&session, &WorkspaceSession::closed, &notices, &Notices::settle_all);
    QObject::connect(&session, &WorkspaceSession::measurements_changed, &notices, [&session, &notices] {
        // emitted after every successful reading
        notices.settle(QStringLiteral("workspace:") + session.path());
    });
    QObject::connect(&session, &WorkspaceSession::failed, &notices,
                     [&notices](const QString& path, const QString& reason) {
                         notices.tell_of(QStringLiteral("workspace:") + path, reason);
                     });
    tell_of_jobs(services, notices);
}

void tell_start(const JobService& jobs, const std::expected<JobId, QString>& started, const QString& title,
                Notices& notices, const QString& cause) {
    const QString waits = started ? jobs.blocked_reason(*started) : QString();
    const QString told = !started          ? started.error()
                         : waits.isEmpty() ? QString()
                                           : Failures::tr("%1: %2").arg(title, waits);
    notices.tell(told, !started, cause);
}

void tell_of_other_windows(const WorkspaceSession& session, Notices& notices) {
    QObject::connect(
        &session, &WorkspaceSession::open_elsewhere_changed, &notices,
        [&session, &notices](bool is_open_elsewhere) {
            const QString name = QFileInfo(session.path()).completeBaseName();
            const QString cause = QStringLiteral("open-elsewhere");
            if (is_open_elsewhere) {
                notices.tell_of(
                    cause,
                    Failures::tr("%1 is open in another window, too. Both may write: each change is kept at "
                                 "once and shows in both. Jobs of one wait for those of the other.")
                        .arg(name));
                return;
            }
            notices.settle(cause);
            if (session.is_open())
                notices.tell(Failures::tr("%1 is open in this window alone again.").arg(name), false);
        });
}

void tell_of_page(Page& page, Notices& notices) {
    QObject::connect(&page, &Page::notice, &notices,
                     [&notices, id = page.id()](const QString& text, bool is_problem, const QString& action) {
                         const QString cause =
                             action.isEmpty() ? QString() : QStringLiteral("page:%1:%2").arg(id, action);
                         notices.tell(text, is_problem, cause);
                     });
}

} // namespace sparsight
