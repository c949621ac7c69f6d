// The line above a panel: its name, and a button that hides it.
#pragma once

#include <QWidget>

class QDockWidget;

namespace sparsight {

class PanelTitle : public QWidget {
public:
    PanelTitle(const QString& title, QDockWidget& panel);
};

} // namespace sparsight
