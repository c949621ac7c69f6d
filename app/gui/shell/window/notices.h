// Messages that need no answer. They stand in the bar at the bottom of the window, the newest in a line of
// its own: nothing that can be clicked lies below them, and nothing moves when they come and go. A click
// shows all of them in full. Never a dialog, because nothing modal may stand in the way of work that runs.
#pragma once

#include "gui/page/page.h"

#include <QWidget>
#include <vector>

class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace sparsight {

class ElidedLabel;

class Notices : public QWidget {
    Q_OBJECT

public:
    /// Escape closes the newest one, wherever in this window the keyboard is, if nobody else wants it.
    explicit Notices(QWidget* window);

    /// A problem stays until it is closed, or its cause is over: that is when something else than a problem
    /// is told of it. Anything else goes by itself. The same text is shown once, where it was told last, and
    /// so is the problem of a cause.
    void tell(const QString& text, bool is_problem, const QString& cause = {});
    /// A problem.
    void tell_of(const QString& cause, const QString& problem) { tell(problem, true, cause); }
    /// The problems of this cause are over.
    void settle(const QString& cause);
    /// All problems are over: they were of another workspace.
    void settle_all();
    void clear();
    /// All of them, the oldest first.
    [[nodiscard]] QStringList texts() const;
    /// In the line.
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
    QToolButton* more_; ///< of them all
    QToolButton* close_;
    QFrame* popup_;
    QScrollArea* scroll_; ///< in the popup: it is no higher than the window has room for
    QVBoxLayout* column_; ///< of messages
    QPushButton* close_all_;
};

// Which failures the window tells of, whatever page is shown, and when they are over: a message whose cause
// is gone would be read as if it were not.

class Notices;
class Page;
class WorkspaceSession;

/// Of workspaces that can't be opened, until one is; of jobs, until they are started again or removed. What
/// is told of one workspace is over with it.
void tell_of_failures(const Services& services, Notices& notices);

/// Whether another window has the same workspace open, and that it has no more.
void tell_of_other_windows(const WorkspaceSession& session, Notices& notices);

/// What a page tells. Its problems stay until they are closed, the workspace is, or the same action of the
/// same page goes well: that something else did, or was started by whomever, says nothing of what did not.
void tell_of_page(Page& page, Notices& notices);

} // namespace sparsight
