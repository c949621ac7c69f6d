// The geometry of the window, its panels and its pages, which the settings store while it changes, and the
// full-screen view for teaching.
#pragma once

#include <QHash>
#include <QObject>
#include <QRect>
#include <QSet>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <string>
#include <utility>
#include <vector>

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

    /// Restores the page's layout from the settings.
    /// Of two pages with one id the second also has its domain in the name of its layout.
    void add_page(Page& page, const std::string& domain);
    /// Stores the page's layout in the settings, before it is deleted.
    void remove_page(const Page& page);
    /// Adds a panel at the right edge that can be hidden and moved; its entry in the menu shows it again.
    void add_panel(const QString& id, const QString& title, QWidget* panel, QMenu& menu);
    /// Shows the panels that the user has not hidden, or hides all.
    void show_panels(bool shown);

    /// Call it once all pages and panels are added.
    void restore();
    void save();
    void save_soon() { save_soon_.start(); }

Q_SIGNALS:
    /// Others may store their own state now.
    void saving();

private:
    UserSettings& settings_;
    QMainWindow* window_;
    std::vector<std::pair<Page*, QString>> pages_; ///< with the names of their layouts
    QSet<QString> hidden_panels_; ///< by the user; without a workspace no panel is visible anyway
    QTimer save_soon_;
};

/// The title bar of a panel: its name, and a button that hides it.
class PanelTitle : public QWidget {
public:
    PanelTitle(const QString& title, QDockWidget& panel);
};

/// Full screen with large type, for teaching. Leaving it restores the window's geometry, whether it was
/// maximised, and the widths of its panels.
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
