#include "widgets/chart/plot_menu_button.h"

#include "widgets/look/glyph.h"

#include <QMenu>

namespace sparsight {

namespace {

constexpr int margin = 2;

} // namespace

PlotMenuButton::PlotMenuButton(QWidget& plot, const QString& does, const QString& name, Fill fill)
    : QToolButton(&plot)
    , fill_(std::move(fill)) {
    setIcon(glyph_icon(Glyph::Menu));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setToolTip(does);
    setAccessibleName(name);
    setFocusPolicy(Qt::TabFocus);
    auto* const menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fill_(*menu);
    });
}

void PlotMenuButton::place(int beside) {
    adjustSize();
    move(parentWidget()->width() - beside - width() - margin, margin);
    raise();
}

QSizeF PlotMenuButton::room() const {
    return QSizeF(size()) + QSizeF(2 * margin, margin);
}

void PlotMenuButton::pop_up(const QPoint& place) {
    auto* const menu = new QMenu(parentWidget());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill_(*menu);
    menu->popup(place);
}

} // namespace sparsight
