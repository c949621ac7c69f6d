// What a lesson shows in the window: a bar below the page with what the step says, what it asks, and the
// buttons that go on, which stay where they are; and a frame around the widget that is explained. Neither
// covers anything.
#pragma once

#include "gui/help/lesson.h"

#include <QFrame>
#include <QPointer>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;

namespace sparsight {

/// The frame; clicks go through it.
class LessonFrame : public QWidget {
public:
    explicit LessonFrame(QWidget* window);

    /// Around this widget, wherever it is moved; nullptr: nowhere.
    void point_at(QWidget* target);
    [[nodiscard]] const QWidget* target() const { return target_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void place_soon();

    QPointer<QWidget> target_;
    std::vector<QPointer<QWidget>> moving_; ///< it, and what it stands on within the window
    bool is_place_asked_ = false;
};

class LessonBar : public QFrame {
    Q_OBJECT

public:
    /// What the button at the right does.
    enum class Next {
        GoOn,
        Help, ///< does what the step asks
        Wait  ///< nothing: what was begun has to end
    };

    explicit LessonBar(QWidget* parent);

    /// Makes room for the longest step, so that the buttons stay in their places.
    void begin(const Lesson& lesson);
    void show_step(int step);
    /// `awaited` is a sentence on what has to end, which stands behind the request of a step that waits.
    void show_next(Next next, bool is_request_done, const QString& awaited);
    /// Whether a step that waits can be left out.
    void offer_skip(bool is_offered);
    void dismiss();
    [[nodiscard]] Next next() const { return next_does_; }
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void next_pressed();
    void skip_pressed();
    void back_pressed();
    void close_pressed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void reserve_height();

    Lesson lesson_;
    QLabel* title_;
    QLabel* text_;
    QScrollArea* scroll_; ///< around the text, which may be longer than the room
    QLabel* request_;
    QLabel* count_;
    QPushButton* skip_;
    QPushButton* back_;
    QPushButton* next_;
    Next next_does_ = Next::GoOn;
    int step_ = 0;
    int wanted_height_ = 0;
};

} // namespace sparsight
