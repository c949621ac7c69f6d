// The menu of a plot: behind a button in the plot's upper right corner, and at the mouse.
#pragma once

#include <QSizeF>
#include <QToolButton>
#include <functional>

class QMenu;

namespace sparsight {

class PlotMenuButton : public QToolButton {
    Q_OBJECT
public:
    /// Fills a menu that is about to be shown: what it offers depends on what the plot shows now.
    using Fill = std::function<void(QMenu&)>;

    /// `does` says what the menu offers, `name` what a screen reader calls it.
    PlotMenuButton(QWidget& plot, const QString& does, const QString& name, Fill fill);

    /// In the corner, above everything else: when the plot or its font has another size. `beside`: pixels
    /// that something else takes at the right, as a scroll bar.
    void place(int beside = 0);
    /// What the plot leaves free in its corner.
    [[nodiscard]] QSizeF room() const;
    /// The same menu at a place of the screen.
    void pop_up(const QPoint& place);

private:
    Fill fill_;
};

} // namespace sparsight
