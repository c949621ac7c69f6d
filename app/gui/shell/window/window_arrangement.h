// Where the window, its panels and the parts of its pages are, kept in the settings while they change.
#pragma once

#include <QHash>
#include <QObject>
#include <QRect>
#include <QSet>
#include <QString>
#include <QTimer>
#include <QWidget>

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

// The line above a panel: its name, and a button that hides it.

class PanelTitle : public QWidget {
public:
    PanelTitle(const QString& title, QDockWidget& panel);
};

// Full screen with large type, for teaching; and back to how it was: the window's place or that it was
// maximised, and the widths of its panels.

class TeachingView : public QObject {
    Q_OBJECT

public:
    explicit TeachingView(QMainWindow* window);

    void set_on(bool on);

private:
    void remember();
    void take_screen();
    void restore();

    QMainWindow* window_;
    double font_size_before_ = 0;
    bool was_maximized_ = false;
    QRect geometry_before_;
    QHash<QDockWidget*, int> panel_widths_;
    bool is_on_ = false;
};

} // namespace sparsight
