// The ring around a widget that has the focus from the keyboard, for those that paint none themselves: lists,
// plots, texts with links.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace sparsight {

/// Whether the widget is without a ring of its own.
[[nodiscard]] bool needs_focus_ring(const QWidget& widget);

/// Lies over the widget that has the focus, and leaves the mouse to it.
class FocusRing : public QWidget {
public:
    explicit FocusRing(QWidget& owner);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

/// Watches widgets, and puts a ring over the one that the keyboard has come to.
class FocusRings : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<FocusRing> shown_;
};

} // namespace sparsight
