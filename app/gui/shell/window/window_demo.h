// The demo workspace and the lessons on it, as a domain brings them: opened, made anew from a newer
// recording, with the jobs that were recorded beside it.
#pragma once

#include "gui/help/lesson.h"
#include "gui/page/page.h"

#include <QObject>
#include <memory>
#include <set>
#include <string>

class QWidget;

namespace sparsight {

class LessonPlayer;
class WindowActions;
class WorkspaceMenu;
struct DemoWorkspace;

class WindowDemo : public QObject {
    Q_OBJECT

public:
    WindowDemo(Services services, WorkspaceMenu& workspaces, LessonPlayer& lessons, WindowActions& actions,
               QWidget* window);
    ~WindowDemo() override;

    /// Adds its lessons to the Help menu.
    void set_demo(DemoWorkspace demo);
    /// Those of another domain, which begin in the demo workspace, too.
    void add_lessons(const std::string& domain, LessonData data);
    [[nodiscard]] bool is_there() const { return demo_ != nullptr; }
    [[nodiscard]] bool has_lessons_of(const Domain& domain) const;

    void open();
    /// Refused below a job that would go on writing into the workspace that is kept.
    void renew();

Q_SIGNALS:
    /// The workspace that was opened is of an older recording.
    void newer_recording_found();
    void problem_met(const QString& text);

private:
    void begin_lesson(const Lesson& lesson);
    void add_recorded_jobs(const QString& workspace);
    void select_first_model(const QString& workspace);

    Services services_;
    WorkspaceMenu& workspaces_;
    LessonPlayer& lessons_;
    WindowActions& actions_;
    QWidget* window_;
    std::unique_ptr<const DemoWorkspace> demo_;
    std::set<std::string> taught_; ///< domains with lessons
};

} // namespace sparsight
