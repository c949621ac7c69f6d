// Walks through a lesson in the real window as a user does who lets each step be done.
#pragma once

#include "app/gui/shell/window_fixture.h"
#include "gui/help/lesson.h"
#include "gui/shell/lesson_bar.h"
#include "gui/shell/lesson_player.h"
#include "gui/shell/window/notices.h"

#include <QAction>
#include <QPushButton>
#include <functional>
#include <map>

namespace sparsight::testing {

/// `Window`: a fixture with a window.
template <typename Window>
class LessonWalk : public Window {
protected:
    LessonPlayer& player() { return this->window().lessons(); }

    void begin(const Lesson& lesson) {
        const QString action =
            lesson.place == 0 ? QStringLiteral("tour") : QStringLiteral("lesson-") + lesson.id;
        this->template find<QAction>(qPrintable(action))->trigger();
        ASSERT_TRUE(wait_until([&] { return player().is_under_way(); }));
        ASSERT_EQ(player().lesson().id, lesson.id);
    }
    /// The frame is around what the step names, not around a part of the window that stands for it.
    void expect_framed(const LessonStep& step) {
        const auto* const frame = this->template find<LessonFrame>("lesson-frame");
        const auto framed = [&] {
            return frame->target() == nullptr ? QString() : frame->target()->objectName();
        };
        const bool has_one = !step.point.isEmpty();
        EXPECT_TRUE(wait_until([&] { return framed() == step.point && frame->isVisible() == has_one; }, 20))
            << "“" << framed().toStdString() << "” is framed instead of “" << step.point.toStdString() << "”";
    }
    /// Of the claims of a step those on what jobs recorded.
    [[nodiscard]] static QStringList recorded_claims(const LessonStep& step) {
        static const QString recorded = QStringLiteral("recorded ");
        QStringList names;
        for (const QString& claim : step.claims)
            if (claim.startsWith(recorded))
                names << claim.mid(recorded.size());
        return names;
    }
    void expect_recorded(const LessonStep& step) {
        for (const QString& name : recorded_claims(step)) {
            SCOPED_TRACE("claim recorded " + name.toStdString());
            if (const auto check = recorded_checks_.find(name); check != recorded_checks_.end())
                check->second();
            else
                ADD_FAILURE() << "nothing checks it";
        }
    }
    /// Through all steps, with what they ask done; looks at each before it goes on, and checks what it says
    /// of jobs. What the last one says is checked when the lesson is over: it may be on another page.
    void walk(const Lesson& lesson, const std::function<void(std::size_t step)>& look = {}) {
        begin(lesson);
        auto* const next = this->template find<QPushButton>("lesson-next");
        for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
            const LessonStep& one = lesson.steps[step];
            SCOPED_TRACE(lesson.id.toStdString() + ": " + one.title.toStdString());
            ASSERT_EQ(player().step(), static_cast<int>(step));
            ASSERT_TRUE(wait_until([&] { return this->page_is_settled(); }));
            EXPECT_EQ(this->window().current_page(), this->window().page(one.page));
            if (player().is_waiting() && next->isEnabled())
                this->click(next); // "Do it for me"
            ASSERT_TRUE(wait_until([&] { return !player().is_waiting() && next->isEnabled(); }, 600))
                << this->window().notices().texts().join(QLatin1Char('\n')).toStdString();
            ASSERT_EQ(player().step(), static_cast<int>(step)) << "it went on by itself";
            expect_framed(one);
            if (look)
                look(step);
            const bool is_last = step + 1 == lesson.steps.size();
            if (!is_last)
                expect_recorded(one);
            this->click(next);
            if (is_last)
                expect_recorded(one);
        }
        EXPECT_FALSE(player().is_under_way());
        EXPECT_FALSE(this->template find<QWidget>("lesson")->isVisible());
    }
    /// Of each lesson: whether there is a check for what it says of jobs, and none that no lesson needs.
    void expect_checks_for(const std::vector<Lesson>& lessons) {
        QStringList named;
        for (const Lesson& one : lessons)
            for (const LessonStep& step : one.steps)
                named << recorded_claims(step);
        named.sort();
        named.removeDuplicates();
        QStringList checked;
        for (const auto& [name, _] : recorded_checks_)
            checked << name;
        EXPECT_EQ(named.join(u'|').toStdString(), checked.join(u'|').toStdString());
    }

    /// What is checked in the window where a step has "claim recorded NAME", by the name.
    std::map<QString, std::function<void()>> recorded_checks_;
};

} // namespace sparsight::testing
