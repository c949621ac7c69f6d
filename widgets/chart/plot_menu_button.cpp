#include "widgets/chart/plot_menu_button.h"

#include "widgets/look/glyph.h"
#include "widgets/schedule/picture_export.h"

#include <QContextMenuEvent>
#include <QMenu>

namespace sparsight {

namespace {

constexpr int margin = 2;

} // namespace

PlotMenuButton::PlotMenuButton(QWidget& plot, const QString& does, const QString& name, Fill fill,
                               Export make)
    : QToolButton(&plot)
    , plot_(plot)
    , fill_(std::move(fill))
    , make_(std::move(make)) {
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
        this->fill(*menu);
    });
    plot.installEventFilter(this);
    place();
}

void PlotMenuButton::set_beside(int pixels) {
    beside_ = pixels;
    place();
}

void PlotMenuButton::set_offered(bool offered) {
    is_offered_ = offered;
    setVisible(offered);
}

void PlotMenuButton::place() {
    adjustSize();
    move(plot_.width() - beside_ - width() - margin, margin);
    raise();
    Q_EMIT placed();
}

QSizeF PlotMenuButton::room() const {
    return QSizeF(size()) + QSizeF(2 * margin, margin);
}

void PlotMenuButton::fill(QMenu& menu) {
    if (fill_)
        fill_(menu);
    if (!make_)
        return;
    if (!menu.isEmpty())
        menu.addSeparator();
    add_export_actions(menu, make_, [this](const std::expected<QString, QString>& saved) {
        if (saved)
            Q_EMIT exported_to(*saved);
        else
            Q_EMIT export_failed(saved.error());
    });
}

void PlotMenuButton::pop_up(const QPoint& place) {
    auto* const menu = new QMenu(&plot_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill(*menu);
    menu->popup(place);
}

void PlotMenuButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        place();
}

bool PlotMenuButton::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
        place();
        break;
    case QEvent::ContextMenu:
        if (!is_offered_)
            break;
        pop_up(static_cast<QContextMenuEvent*>(event)->globalPos());
        event->accept();
        return true;
    default:
        break;
    }
    return QToolButton::eventFilter(watched, event);
}

} // namespace sparsight
