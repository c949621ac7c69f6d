// What a guided tour shows in the window: a frame around the thing that is spoken of, and beside it what is
// said, with the buttons that go on. Everything else stays usable.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QRect>

class QLabel;
class QPushButton;

namespace sparsight {

/// Beside the target, where there is room: at its right, left, below, above; otherwise in the lower right
/// corner. `clear` is what the text tells to use, which is covered as little as the target: of places that
/// all cover something, the one that covers least.
[[nodiscard]] QRect place_beside(const QRect& target, const QSize& size, const QRect& room,
                                 const QRect& clear = {});

/// The frame; clicks go through it.
class TourFrame : public QWidget {
public:
    explicit TourFrame(QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override;
};

class TourBubble : public QFrame {
    Q_OBJECT

public:
    explicit TourBubble(QWidget* window);

    /// Speaks of the target, which may be missing.
    /// `clear`, which may be missing, too, is not covered if anything else can be.
    void show_step(QWidget* target, QWidget* clear, const QString& title, const QString& text, int step,
                   int steps);
    void dismiss();
    [[nodiscard]] const QWidget* target() const { return target_; }

Q_SIGNALS:
    void next();
    void back();
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool take_key(int key);
    void place();
    void place_soon();

    TourFrame* frame_;
    QLabel* title_;
    QLabel* text_;
    QLabel* count_;
    QPushButton* back_;
    QPushButton* next_;
    QPointer<QWidget> target_;
    QPointer<QWidget> clear_;
    bool is_place_asked_ = false;
};

} // namespace sparsight
