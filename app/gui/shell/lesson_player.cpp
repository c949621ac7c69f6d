#include "gui/shell/lesson_player.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/worker_process.h"
#include "gui/selection/selection.h"
#include "gui/shell/lesson_bar.h"
#include "gui/shell/lesson_widgets.h"
#include "gui/shell/window/main_window.h"
#include "gui/shell/window/notices.h"
#include "gui/workspace/workspace_session.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QTextEdit>
#include <algorithm>
#include <array>

namespace sparsight {

namespace {

using Verb = LessonCommand::Verb;
using Kind = LessonCondition::Kind;

constexpr std::chrono::milliseconds between_looks{100};
constexpr int steady_after = 3; ///< looks at a settled page, which is laid out by then
const QString refusal_cause = QStringLiteral("lesson");

/// That of the command, as the window knows it.
JobKind kind_of(const QString& command) {
    const std::array kinds{JobKind::Collect,  JobKind::Probe,    JobKind::Train,
                           JobKind::FineTune, JobKind::Evaluate, JobKind::Search};
    const auto* const known = std::ranges::find(kinds, command, &JobKind::name);
    return known == kinds.end() ? JobKind{.name = command} : *known;
}

/// Whether a command leads to the same wherever it is given again.
bool is_setting(const LessonCommand& command) {
    return command.verb == Verb::Set || command.verb == Verb::Choose || command.verb == Verb::Model ||
           command.verb == Verb::Configurations || command.verb == Verb::Press;
}

/// Whether it has something to turn pages of. A slider, a field or a list of choices has not: a presenter's
/// remote has no other keys than these, and would undo there what the step asked for.
bool turns_pages(const QWidget& widget) {
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(&widget);
    if (area == nullptr)
        return false;
    if (area->verticalScrollBar()->maximum() > area->verticalScrollBar()->minimum())
        return true;
    if (const auto* const items = qobject_cast<const QAbstractItemView*>(area))
        return items->model() != nullptr && items->model()->rowCount(items->rootIndex()) > 0;
    const auto* const text = qobject_cast<const QTextEdit*>(area);
    const auto* const plain_text = qobject_cast<const QPlainTextEdit*>(area);
    return (text != nullptr && !text->isReadOnly()) || (plain_text != nullptr && !plain_text->isReadOnly());
}

/// Of what is higher than its room the beginning.
void bring_into_view(QWidget& widget) {
    for (QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
        auto* const scroll = qobject_cast<QScrollArea*>(around);
        if (scroll == nullptr || scroll->widget() == nullptr || !scroll->widget()->isAncestorOf(&widget))
            continue;
        if (widget.height() > scroll->viewport()->height())
            scroll->verticalScrollBar()->setValue(widget.mapTo(scroll->widget(), QPoint()).y());
        else
            scroll->ensureWidgetVisible(&widget);
    }
}

} // namespace

LessonPlayer::LessonPlayer(Services services, MainWindow& window, LessonBar& bar)
    : QObject(&window)
    , services_(services)
    , window_(window)
    , bar_(bar)
    , frame_(new LessonFrame(&window)) {
    connect(&bar_, &LessonBar::next_pressed, this, &LessonPlayer::go_on);
    connect(&bar_, &LessonBar::skip_pressed, this, [this] { go_to(step_ + 1); });
    connect(&bar_, &LessonBar::back_pressed, this, [this] { go_to(std::max(0, step_ - 1)); });
    connect(&bar_, &LessonBar::close_pressed, this, &LessonPlayer::end);
    // Queued: the workspace's own selection comes first.
    connect(
        &services_.session, &WorkspaceSession::opened, this,
        [this](const QString& path) {
            if (path != awaited_ || path != services_.session.path())
                return;
            awaited_.clear();
            bar_.begin(lesson_);
            qApp->installEventFilter(this);
            go_to(0);
        },
        Qt::QueuedConnection);
    connect(&services_.session, &WorkspaceSession::failed, this, [this](const QString& path) {
        if (path == awaited_)
            give_up();
    });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] {
        give_up();
        end();
    });
    // Who opens another workspace meanwhile has turned to something else.
    connect(&services_.session, &WorkspaceSession::opening, this, [this](const QString& path) {
        if (path != awaited_)
            give_up();
    });
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &LessonPlayer::end);
    connect(&services_.selection, &Selection::changed, this, &LessonPlayer::follow);
    look_.setInterval(between_looks);
    connect(&look_, &QTimer::timeout, this, &LessonPlayer::look);
}

LessonPlayer::~LessonPlayer() = default;

void LessonPlayer::begin_when_open(const QString& workspace, Lesson lesson) {
    end();
    lesson_ = std::move(lesson);
    awaited_ = workspace;
}

void LessonPlayer::give_up() {
    awaited_.clear();
}

void LessonPlayer::end() {
    if (step_ < 0)
        return;
    step_ = -1;
    look_.stop();
    window_.notices().settle(refusal_cause);
    for (const auto& [widget, value] : std::exchange(as_found_, {}))
        if (QWidget* const found = find(widget.first, widget.second))
            set_lesson_value(*found, value);
    qApp->removeEventFilter(this);
    frame_->point_at(nullptr);
    bar_.dismiss();
}

QWidget* LessonPlayer::find(const QString& page, const QString& name) const {
    QWidget* const shown = window_.page(page);
    QWidget* const found = shown == nullptr ? nullptr : shown->findChild<QWidget*>(name);
    return found != nullptr ? found : window_.findChild<QWidget*>(name);
}

/// A widget that a page does not show yet is told of where what to do next stands in its place.
QWidget* LessonPlayer::target(int step) const {
    const LessonStep& one = lesson_.steps[static_cast<std::size_t>(step)];
    QWidget* place = one.point.isEmpty() ? nullptr : find(one.page, one.point);
    while (place != nullptr && !place->isVisible())
        place = place->parentWidget();
    return place;
}

bool LessonPlayer::has_active_job() const {
    const auto jobs = services_.jobs.jobs();
    return std::ranges::any_of(jobs, [this](const Job& job) { return holds_up(job); });
}

bool LessonPlayer::holds_up(const Job& job) const {
    return job.workspace == services_.session.path() &&
           (is_active(job.state) || job.state == JobState::Waiting);
}

bool LessonPlayer::is_fulfilled(const LessonCondition& condition, const QString& page) const {
    switch (condition.kind) {
    case Kind::Page:
        return window_.page(condition.value) != nullptr &&
               window_.current_page() == window_.page(condition.value);
    case Kind::Workload:
        return services_.selection.current().workload == condition.value;
    case Kind::Model:
        return services_.session.contents().models.contains(condition.value.toStdString());
    case Kind::Split:
        return services_.session.contents().splits.contains(condition.value.toStdString());
    case Kind::Measurements: {
        const auto asked = static_cast<std::int64_t>(condition.value.toLongLong());
        const std::int64_t there = services_.session.contents().measurements;
        return condition.relation == LessonCondition::Relation::AtMost ? there <= asked : there >= asked;
    }
    case Kind::Here: {
        const QString& machine = services_.selection.current().machine;
        return machine.isEmpty() || machine == services_.session.this_machine();
    }
    case Kind::Idle:
        return !has_active_job() && !is_adding_;
    default: {
        const QWidget* const widget = find(page, condition.object);
        return widget != nullptr && is_fulfilled_by(condition, *widget);
    }
    }
}

bool LessonPlayer::is_done(const LessonStep& step) const {
    return std::ranges::all_of(step.conditions, [&](const LessonCondition& condition) {
        return is_fulfilled(condition, step.page);
    });
}

bool LessonPlayer::is_waiting() const {
    return is_under_way() && !is_done(now());
}

void LessonPlayer::go_to(int step) {
    if (step >= static_cast<int>(lesson_.steps.size()))
        return end();
    const QScopedValueRollback moving(is_moving_, true);
    step_ = step;
    has_helped_ = false;
    window_.notices().settle(refusal_cause);
    choices_.clear();
    const LessonStep& one = now();
    window_.show_page(one.page);
    // A step looks the same whichever way one came to it.
    QString workload;
    for (int before = 0; before < step; ++before) {
        const LessonStep& earlier = lesson_.steps[static_cast<std::size_t>(before)];
        set_again(earlier);
        for (const auto* const commands : {&earlier.commands, &earlier.help})
            for (const LessonCommand& command : *commands)
                if (command.verb == Verb::Workload)
                    workload = command.value;
    }
    if (!workload.isEmpty())
        services_.selection.select_workload(workload);
    for (const LessonCommand& command : one.commands)
        perform(one, command);
    bar_.show_step(step);
    frame_->point_at(target(step));
    steady_looks_ = 0;
    bar_.show_next(LessonBar::Next::GoOn, false, {});
    bar_.setFocus();
    look_.start();
    look();
}

/// What it has set on the shown page, and what it has asked for there.
void LessonPlayer::set_again(const LessonStep& step) {
    if (window_.page(step.page) != window_.current_page())
        return;
    for (const LessonCommand& command : step.commands)
        if (is_setting(command))
            perform(step, command);
    for (const LessonCommand& command : step.help)
        if (command.verb == Verb::Set && !is_done(step))
            perform(step, command);
}

void LessonPlayer::perform(const LessonStep& step, const LessonCommand& command) {
    const QScopedValueRollback moving(is_moving_, true);
    switch (command.verb) {
    case Verb::Workload:
        return services_.selection.select_workload(command.value);
    case Verb::Model:
        return services_.selection.select_model(command.value);
    case Verb::Set:
        return set(step.page, command);
    case Verb::Choose:
        choices_[command.object] = {command.value, {}};
        return;
    case Verb::Press:
        return press(step.page, command.object);
    case Verb::Configurations:
        if (Page* const page = window_.page(step.page)) {
            QStringList all = command.value.split(u'|', Qt::SkipEmptyParts);
            for (QString& one : all)
                one = one.trimmed();
            page->show_configurations(all);
        }
        return;
    case Verb::Data:
        return add_data(command.value);
    case Verb::Run:
        return run(step, command.value);
    }
}

void LessonPlayer::set(const QString& page, const LessonCommand& command) {
    if (QWidget* const widget = find(page, command.object)) {
        if (lesson_.is_tour())
            as_found_.try_emplace({page, command.object}, lesson_value(*widget));
        set_lesson_value(*widget, command.value);
        bring_into_view(*widget); // it has been changed for the user
        steady_looks_ = steady_after;
    }
}

void LessonPlayer::press(const QString& page, const QString& name) {
    if (auto* const button = qobject_cast<QAbstractButton*>(find(page, name));
        button != nullptr && button->isEnabled())
        button->click();
}

void LessonPlayer::add_data(const QString& name) {
    if (demo_ == nullptr || is_adding_)
        return;
    const auto known = demo_->data.find(name);
    if (known == demo_->data.end())
        return;
    is_adding_ = true;
    services_.session.write(this, known->second, [this](const Result<void>& added) {
        is_adding_ = false;
        if (!added)
            window_.notices().tell(QString::fromStdString(added.error().text()), true);
    });
}

void LessonPlayer::run(const LessonStep& step, const QString& command_line) {
    QStringList words = QProcess::splitCommand(command_line);
    const JobKind kind = kind_of(words.value(0));
    add_common(words, services_.session.path());
    const JobDescription job{kind, step.title, services_.session.path(), words};
    if (services_.jobs.is_under_way(job))
        return;
    if (const auto started = services_.jobs.start(job); !started)
        window_.notices().tell(started.error(), true);
}

/// A page lists what a job made a moment after the job.
void LessonPlayer::choose_what_is_there() {
    const QScopedValueRollback moving(is_moving_, true);
    for (auto& [box, choice] : choices_)
        if (QWidget* const widget = find(now().page, box))
            choice.chosen = choose_lesson_entry(*widget, choice.text, choice.chosen);
}

QString LessonPlayer::awaited_work() const {
    const auto jobs = services_.jobs.jobs();
    const auto active = std::ranges::find_if(jobs, [this](const Job& job) { return holds_up(job); });
    if (active != jobs.end())
        return tr("Waiting for the job “%1”.").arg(active->title);
    return is_adding_ ? tr("The data are being added.") : QString();
}

/// Next, as the bar shows it.
void LessonPlayer::go_on() {
    if (!is_under_way())
        return;
    if (!is_waiting())
        return go_to(step_ + 1);
    if (bar_.next() == LessonBar::Next::Wait)
        return;
    const LessonStep& step = now();
    has_helped_ = true;
    window_.notices().settle(refusal_cause);
    for (const LessonCommand& command : step.help) {
        if (command.verb == Verb::Press)
            tell_refusal(step.page, command.object);
        perform(step, command);
    }
    look();
}

void LessonPlayer::tell_refusal(const QString& page, const QString& name) {
    const auto* const button = qobject_cast<QAbstractButton*>(find(page, name));
    if (button != nullptr && button->isEnabled())
        return;
    QString reason = button == nullptr ? QString() : button->toolTip(); // says why it is disabled
    if (Qt::mightBeRichText(reason))
        reason = QTextDocumentFragment::fromHtml(reason).toPlainText();
    window_.notices().tell_of(refusal_cause,
                              reason.isEmpty() ? tr("This step can’t be done for you now.") : reason);
}

void LessonPlayer::look() {
    if (!is_under_way())
        return;
    if (frame_->target() != target(step_))
        frame_->point_at(target(step_)); // the page has filled
    keep_in_view();
    choose_what_is_there();
    const bool is_done_now = is_done(now());
    const bool is_busy = (is_adding_ || has_active_job()) &&
                         std::ranges::count(now().conditions, Kind::Idle, &LessonCondition::kind) > 0;
    bar_.show_next(is_done_now ? LessonBar::Next::GoOn
                   : is_busy   ? LessonBar::Next::Wait
                               : LessonBar::Next::Help,
                   is_done_now, awaited_work());
    // Who has had it done in vain is not held up.
    bar_.offer_skip(has_helped_ && bar_.next() == LessonBar::Next::Help);
}

/// A page that fills moves what it shows. Where the user scrolls, nothing is moved any more.
void LessonPlayer::keep_in_view() {
    if (steady_looks_ >= steady_after)
        return;
    if (QWidget* const widget = target(step_))
        bring_into_view(*widget);
    const Page* const page = window_.current_page();
    steady_looks_ = page == nullptr || page->is_settled() ? steady_looks_ + 1 : 0;
}

/// Ends where the user leaves the page, but for the page that the step asks for.
void LessonPlayer::follow(const Selected& selected) {
    if (!is_under_way() || is_moving_)
        return;
    const Page* const to = window_.page(selected.page); // the window may show it after this
    const bool is_asked_for = std::ranges::any_of(now().conditions, [&](const LessonCondition& condition) {
        return condition.kind == Kind::Page && window_.page(condition.value) == to;
    });
    if (to != window_.page(now().page) && !is_asked_for)
        end();
}

bool LessonPlayer::take_key(int key, bool is_ours) {
    switch (key) {
    case Qt::Key_Escape:
        end();
        return true;
    case Qt::Key_PageDown:
    case Qt::Key_Right:
    case Qt::Key_Space:
        if (is_ours)
            go_on();
        return is_ours;
    case Qt::Key_PageUp:
    case Qt::Key_Left:
        if (is_ours)
            go_to(std::max(0, step_ - 1));
        return is_ours;
    default:
        return false;
    }
}

/// Keys of the window: those that a widget of the page has a use for reach only that.
bool LessonPlayer::eventFilter(QObject* watched, QEvent* event) {
    const bool is_of_user = event->type() == QEvent::KeyPress || event->type() == QEvent::Wheel ||
                            event->type() == QEvent::MouseButtonPress;
    if (is_of_user)
        steady_looks_ = steady_after;
    if (event->type() != QEvent::KeyPress || !is_under_way())
        return QObject::eventFilter(watched, event);
    auto* const widget = qobject_cast<QWidget*>(watched);
    const auto* const key = static_cast<QKeyEvent*>(event);
    const bool is_plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (widget == nullptr || widget->window() != &window_ || !is_plain || key->isAutoRepeat())
        return QObject::eventFilter(watched, event);
    const auto* const button = qobject_cast<QPushButton*>(widget);
    const bool is_of_bar = widget == &bar_ || bar_.isAncestorOf(widget);
    const bool is_pressed = is_of_bar && button != nullptr && key->key() == Qt::Key_Space &&
                            button->objectName() != QStringLiteral("lesson-next");
    const bool is_of_remote = key->key() == Qt::Key_PageDown || key->key() == Qt::Key_PageUp;
    const bool is_ours =
        (is_of_bar && !is_pressed) || widget == &window_ || (is_of_remote && !turns_pages(*widget));
    return take_key(key->key(), is_ours) || QObject::eventFilter(watched, event);
}

void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin) {
    if (open.isEmpty() || QFileInfo(open).absoluteFilePath() == demo) {
        begin();
        return;
    }
    auto* question = new QMessageBox(
        QMessageBox::Question, QObject::tr("Leave %1 for the demo?").arg(QFileInfo(open).completeBaseName()),
        QObject::tr("It is shown on the demo workspace, which is opened in the place of %1. Nothing in %1 is "
                    "changed, and its jobs keep running. Find it again under File, Open Recent.")
            .arg(QFileInfo(open).completeBaseName()),
        QMessageBox::Cancel, window);
    question->setObjectName(QStringLiteral("demo-question"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = question->addButton(QObject::tr("&Open the demo"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("really-open-demo"));
    question->setDefaultButton(yes);
    QObject::connect(yes, &QPushButton::clicked, window, begin);
    question->open();
}

} // namespace sparsight
