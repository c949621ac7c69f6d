// Plays a lesson in the window, on the demo workspace: shows the page of each step, sets what the step
// speaks of, points at a widget, and waits for what it asks. It ends when the user leaves the page. A domain
// brings the workspace, and data that its lessons can add.
#pragma once

#include "base/error.h"
#include "gui/help/lesson.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QWidget;

namespace sparsight {

class LessonBar;
class LessonFrame;
class MainWindow;
class Workspace;
struct Job;
struct Selected;

/// The workspace that newcomers open, and what its domain's lessons need.
struct DemoWorkspace {
    /// A job whose results are not in a workspace, and the lines that it told.
    struct RecordedJob {
        std::function<JobDescription(const QString& workspace)> description;
        QString events; ///< a file
    };

    std::string domain;
    QString summary;
    QString recording; ///< the file that is copied where there is no demo workspace yet
    std::vector<RecordedJob> jobs{};
    QString model{}; ///< selected where it is opened first; empty: none
    LessonData data{};
};

class LessonPlayer : public QObject {
    Q_OBJECT

public:
    LessonPlayer(Services services, MainWindow& window, LessonBar& bar);
    ~LessonPlayer() override;

    void offer(LessonData data) { data_.merge(std::move(data)); }
    /// Begins with the first step as soon as this workspace is open; never, where the user opens another one
    /// or closes it before.
    void begin_when_open(const QString& workspace, Lesson lesson);
    /// The workspace can't be opened.
    void give_up();
    void end();
    void go_to(int step);

    [[nodiscard]] bool is_under_way() const { return step_ >= 0; }
    [[nodiscard]] int step() const { return step_; } ///< −1 while no lesson is played
    [[nodiscard]] const Lesson& lesson() const { return lesson_; }
    /// Whether the step waits for what it asks.
    [[nodiscard]] bool is_waiting() const;
    /// The widget that the step explains; nullptr where the window has none.
    [[nodiscard]] QWidget* target(int step) const;
    /// Of the page, or of the window outside the pages.
    [[nodiscard]] QWidget* find(const QString& page, const QString& name) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static constexpr int steady_after = 3; ///< looks at a settled page, which is laid out by then

    [[nodiscard]] const LessonStep& now() const { return lesson_.steps[static_cast<std::size_t>(step_)]; }
    [[nodiscard]] bool has_active_job() const;
    /// Whether a step that asks for idleness waits for it.
    [[nodiscard]] bool holds_up(const Job& job) const;
    [[nodiscard]] bool is_fulfilled(const LessonCondition& condition, const QString& page) const;
    [[nodiscard]] bool is_done(const LessonStep& step) const;
    [[nodiscard]] bool take_key(int key, bool is_ours);
    void begin();
    /// A slider that was moved with the mouse keeps the focus, and would take the remote's next key.
    [[nodiscard]] bool is_done_with(QWidget& widget, int key);
    void go_on();
    /// Tells why a button of the page can't be pressed, where it can't.
    void tell_refusal(const QString& page, const QString& name);
    void look();
    void keep_in_view();
    void follow(const Selected& now);
    void set_again(const LessonStep& step);
    void perform(const LessonStep& step, const LessonCommand& command);
    void set(const QString& page, const LessonCommand& command);
    void press(const QString& page, const QString& name);
    void add_data(const QString& name);
    void run(const LessonStep& step, const QString& command_line);
    void choose_what_is_there();
    /// What has to end before the step is done, for people.
    [[nodiscard]] QString awaited_work() const;

    Services services_;
    MainWindow& window_;
    LessonBar& bar_;
    LessonFrame* frame_;
    LessonData data_;
    Lesson lesson_;
    int step_ = -1;
    QString awaited_;             ///< the workspace on which the lesson will begin; empty: none will begin
    bool chooses_domain_ = false; ///< before it begins
    QTimer look_;                 ///< again, while a step is shown
    /// What the tour set, by page and name: it leaves the window as it found it. A lesson leaves what it
    /// shows, to be explored.
    std::map<std::pair<QString, QString>, QString> as_found_;
    struct Choice {
        QString text;
        QString chosen; ///< the entry; empty: the box has none yet
    };
    std::map<QString, Choice> choices_; ///< of this step, by the name of the box
    /// That the user moves by arrow keys in this step: they stay with it.
    QPointer<QWidget> keyed_;
    bool is_moving_ = false;  ///< the player itself changes page and selection
    bool is_adding_ = false;  ///< data
    bool has_helped_ = false; ///< with what this step asks
    int steady_looks_ = 0;    ///< since the page last changed what is shown of this step
};

/// A lesson runs on the demo workspace, which replaces the open workspace, so the user is asked first. Calls
/// `begin` at once where no workspace or the demo workspace is open, otherwise when the user agrees. `open`
/// is the path of the open workspace, empty where there is none.
void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin);

} // namespace sparsight
