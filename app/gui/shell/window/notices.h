// Messages that need no answer, and the rules for failures: which are reported on any page, and when they are
// over. A message must go with its cause, or it would be read as if the cause still existed.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"

#include <QWidget>
#include <expected>
#include <vector>

class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace sparsight {

class ElidedLabel;
class JobService;
class Page;
class WorkspaceSession;

/// The messages stand in the bar at the bottom of the window, the newest in its own line, so that they cover
/// nothing that can be clicked and nothing moves when they come and go. A click shows all of them in full.
/// They are never a dialog, because nothing modal may block running work.
class Notices : public QWidget {
    Q_OBJECT

public:
    /// Escape closes the newest message, wherever in this window the focus is, if no other widget uses the
    /// key.
    explicit Notices(QWidget* window);

    /// A problem stays until the user closes it or its cause is over, that is when a message with the same
    /// cause is no problem. All other messages disappear by themselves. A text is shown only once, at its
    /// newest place, and so is the problem of a cause.
    void tell(const QString& text, bool is_problem, const QString& cause = {});
    /// Reports a problem.
    void tell_of(const QString& cause, const QString& problem) { tell(problem, true, cause); }
    /// The problems with this cause are over.
    void settle(const QString& cause);
    /// All problems are over, because they belonged to another workspace.
    void settle_all();
    void clear();
    /// All messages, the oldest first.
    [[nodiscard]] QStringList texts() const;
    /// The message in the line.
    [[nodiscard]] QString newest() const;

    void open_list();
    [[nodiscard]] bool list_is_open() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Notice {
        int number = 0;
        QString text;
        bool is_problem = false;
        QString cause;
    };

    void drop(int number);
    void close_newest();
    void show_newest();
    void fill_list();
    void place_list();

    std::vector<Notice> notices_; ///< the oldest first
    int next_number_ = 0;
    QLabel* symbol_;
    ElidedLabel* text_;
    QToolButton* more_; ///< opens the list of all messages
    QToolButton* close_;
    QFrame* popup_;
    QScrollArea* scroll_; ///< in the popup, which is no higher than the window allows
    QVBoxLayout* column_; ///< the column of messages
    QPushButton* close_all_;
};

/// Reports workspaces that can't be opened, until one is opened, and failed jobs, until they are started
/// again or removed. Messages about a workspace end with it.
void tell_of_failures(const Services& services, Notices& notices);

/// Reports why a job could not start, or what it waits for: nothing else of it is on the screen.
void tell_start(const JobService& jobs, const std::expected<JobId, QString>& started, const QString& title,
                Notices& notices, const QString& cause);

/// Reports when another window opens the same workspace, and when it closes it.
void tell_of_other_windows(const WorkspaceSession& session, Notices& notices);

/// Reports the notices of a page. A problem stays until the user closes it, the workspace is closed, or the
/// same action of the same page succeeds; the success of another action says nothing about it.
void tell_of_page(Page& page, Notices& notices);

} // namespace sparsight
