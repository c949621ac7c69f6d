// What a step of a lesson does in the window, and what it waits for.
#include "gui/shell/lesson_player.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/worker_process.h"
#include "gui/selection/selection.h"
#include "gui/shell/lesson_widgets.h"
#include "gui/shell/window/main_window.h"
#include "gui/shell/window/notices.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/theme.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QProcess>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <array>

namespace sparsight {

namespace {

using Verb = LessonCommand::Verb;
using Kind = LessonCondition::Kind;

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

/// The whole widget with its frame, and as much as possible of what stands above it: a text about a map
/// speaks of the chart over it, too. Of what is higher than its room the beginning.
void bring_into_view(QWidget& widget) {
    constexpr int frame = grid_step;
    for (QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
        auto* const scroll = qobject_cast<QScrollArea*>(around);
        if (scroll == nullptr || scroll->widget() == nullptr || !scroll->widget()->isAncestorOf(&widget))
            continue;
        const int top = widget.mapTo(scroll->widget(), QPoint()).y();
        const int least = top + widget.height() + frame - scroll->viewport()->height();
        scroll->verticalScrollBar()->setValue(std::clamp(least, 0, std::max(0, top - frame)));
        scroll->ensureVisible(widget.mapTo(scroll->widget(), QPoint()).x(), // across alone
                              scroll->verticalScrollBar()->value() + scroll->viewport()->height() / 2, frame,
                              0);
    }
}

} // namespace

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
    case Kind::Configuration:
        return services_.selection.current().configuration == condition.value;
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
    case Verb::Configuration:
        return services_.selection.select_configuration({}, command.value);
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
    const auto known = data_.find(name);
    if (known == data_.end() || is_adding_)
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

/// A page lists what a job made a moment after the job. The rows of a table may be those of the step before
/// until the page is complete.
void LessonPlayer::choose_what_is_there() {
    const QScopedValueRollback moving(is_moving_, true);
    const Page* const page = window_.current_page();
    const bool is_complete = page == nullptr || page->is_settled();
    for (auto& [name, choice] : choices_) {
        QWidget* const widget = find(now().page, name);
        if (widget != nullptr && (is_complete || qobject_cast<QComboBox*>(widget) != nullptr))
            choice.chosen = choose_lesson_entry(*widget, choice.text, choice.chosen);
    }
}

QString LessonPlayer::awaited_work() const {
    const auto jobs = services_.jobs.jobs();
    const auto active = std::ranges::find_if(jobs, [this](const Job& job) { return holds_up(job); });
    if (active != jobs.end())
        return tr("Waiting for the job “%1”.").arg(active->title);
    return is_adding_ ? tr("The data are being added.") : QString();
}

/// A page that fills moves what it shows. Where the user scrolls, nothing is moved any more.
void LessonPlayer::keep_in_view() {
    if (steady_looks_ >= steady_after)
        return;
    for (const LessonCondition& condition : now().conditions) // what it asks to move or to choose
        if (QWidget* const asked = find(now().page, condition.object); asked != nullptr && asked->isVisible())
            bring_into_view(*asked);
    if (QWidget* const widget = target(step_)) // where both do not fit, what it explains
        bring_into_view(*widget);
    const Page* const page = window_.current_page();
    steady_looks_ = page == nullptr || page->is_settled() ? steady_looks_ + 1 : 0;
}

} // namespace sparsight
