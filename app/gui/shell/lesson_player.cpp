#include "gui/shell/lesson_player.h"

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
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTextDocumentFragment>
#include <QTextEdit>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

using Verb = LessonCommand::Verb;
using Kind = LessonCondition::Kind;

constexpr std::chrono::milliseconds between_looks{100};
const QString refusal_cause = QStringLiteral("lesson");

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

bool is_on_a_page(const QWidget* widget) {
    while (widget != nullptr && qobject_cast<const Page*>(widget) == nullptr)
        widget = widget->parentWidget();
    return widget != nullptr;
}

/// What an earlier step has scrolled to another place than what this one explains.
void scroll_back(QWidget& page, const QWidget* target) {
    const auto areas = page.findChildren<QScrollArea*>();
    for (QScrollArea* const area : areas)
        if (target == nullptr || !area->isAncestorOf(target))
            area->verticalScrollBar()->setValue(0);
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
            if (path == awaited_ && path == services_.session.path())
                begin();
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
    connect(&services_.session, &WorkspaceSession::domain_changed, this, [this] {
        end();
        if (std::exchange(chooses_domain_, false) && awaited_ == services_.session.path())
            begin();
    });
    connect(&services_.selection, &Selection::changed, this, &LessonPlayer::follow);
    look_.setInterval(between_looks);
    connect(&look_, &QTimer::timeout, this, &LessonPlayer::look);
}

LessonPlayer::~LessonPlayer() = default;

void LessonPlayer::begin_when_open(const QString& workspace, Lesson lesson) {
    end();
    lesson_ = std::move(lesson);
    awaited_ = workspace;
    chooses_domain_ = false;
}

/// In the domain of the lesson: where another one is looked at, as soon as that is chosen.
void LessonPlayer::begin() {
    const Domain* const domain = services_.session.domains().find(lesson_.domain.toStdString());
    if (domain != nullptr && domain != &services_.session.domain()) {
        chooses_domain_ = true;
        return services_.session.choose_domain(*domain);
    }
    awaited_.clear();
    bar_.begin(lesson_);
    qApp->installEventFilter(this);
    go_to(0);
}

void LessonPlayer::give_up() {
    awaited_.clear();
    chooses_domain_ = false;
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
    // Otherwise the focus goes on to the next button, which a space too many would press.
    const QWidget* const focus = window_.focusWidget();
    const bool had_focus = focus == &bar_ || bar_.isAncestorOf(focus);
    bar_.dismiss();
    if (QWidget* const page = window_.current_page(); had_focus && page != nullptr)
        page->setFocus();
}

QWidget* LessonPlayer::find(const QString& page, const QString& name) const {
    QWidget* const shown = window_.page(page);
    QWidget* const found = shown == nullptr ? nullptr : shown->findChild<QWidget*>(name);
    if (found != nullptr)
        return found;
    const auto others = window_.findChildren<QWidget*>(name);
    const auto outside = std::ranges::find_if_not(others, is_on_a_page);
    return outside == others.end() ? nullptr : *outside;
}

/// A widget that a page does not show yet is told of where what to do next stands in its place.
QWidget* LessonPlayer::target(int step) const {
    const LessonStep& one = lesson_.steps[static_cast<std::size_t>(step)];
    QWidget* place = one.point.isEmpty() ? nullptr : find(one.page, one.point);
    while (place != nullptr && !place->isVisible())
        place = place->parentWidget();
    return place;
}

void LessonPlayer::go_to(int step) {
    if (step >= static_cast<int>(lesson_.steps.size()))
        return end();
    const QScopedValueRollback moving(is_moving_, true);
    step_ = step;
    has_helped_ = false;
    keyed_.clear();
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
    if (QWidget* const page = window_.current_page())
        scroll_back(*page, target(step));
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
        if (is_ours)
            end();
        return is_ours;
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

bool LessonPlayer::is_done_with(QWidget& widget, int key) {
    const bool is_arrow = key == Qt::Key_Right || key == Qt::Key_Left;
    if (!is_arrow || qobject_cast<QSlider*>(&widget) == nullptr)
        return false;
    const bool has_asked = !now().conditions.empty();
    if (has_asked && !is_waiting() && keyed_ != &widget)
        return true;
    keyed_ = &widget;
    return false;
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
    const bool is_ours = (is_of_bar && !is_pressed) || widget == &window_ ||
                         (is_of_remote && !turns_pages(*widget)) || is_done_with(*widget, key->key());
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
        QObject::tr(
            "The lesson needs the demo workspace, which is opened in the place of %1. Nothing in %1 is "
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
