// Where the window, its panels and the parts of its pages are, kept in the settings while they change.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>

class QDockWidget;
class QMainWindow;
class QMenu;
class QWidget;

namespace sparsight {

class Page;
class UserSettings;

class WindowArrangement : public QObject {
    Q_OBJECT

public:
    WindowArrangement(UserSettings& settings, QMainWindow* window);

    /// With what the settings know of it.
    void add_page(Page& page);
    /// A panel at the right edge, which can be hidden and moved; its entry in the menu shows it again.
    void add_panel(const QString& id, const QString& title, QWidget* panel, QMenu& menu);
    /// Those that the user has not hidden, or none at all.
    void show_panels(bool shown);

    /// Once all pages and panels are added.
    void restore();
    void save();
    void save_soon() { save_soon_.start(); }

Q_SIGNALS:
    /// For what others keep with it.
    void saving();

private:
    UserSettings& settings_;
    QMainWindow* window_;
    std::vector<Page*> pages_;
    QSet<QString> hidden_panels_; ///< by the user; without a workspace there is none to see anyway
    QTimer save_soon_;
};

} // namespace sparsight
