#include "gui/shell/panel_title.h"

#include "gui/icons/icon.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace sparsight {

PanelTitle::PanelTitle(const QString& title, QDockWidget& panel)
    : QWidget(&panel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2 * grid_step, grid_step, grid_step, 0);
    auto* name = new QLabel(title, this);
    keep_font(*name, title_font);
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setAutoRaise(true);
    close->setToolTip(
        QCoreApplication::translate("PanelTitle", "Hide this panel; View › Panels shows it again"));
    close->setAccessibleName(QCoreApplication::translate("PanelTitle", "Hide %1").arg(title));
    connect(close, &QToolButton::clicked, panel.toggleViewAction(), &QAction::trigger);
    row->addWidget(name, 1);
    row->addWidget(close);
}

} // namespace sparsight
