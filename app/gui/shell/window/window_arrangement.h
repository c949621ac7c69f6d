// The geometry of the window, its panels and its pages, which the settings store while it changes; what is
// folded in a narrow window; and the full-screen view for teaching.
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
class QHBoxLayout;
class QLabel;
class QMainWindow;
class QMenu;
class QToolButton;
class QWidget;

namespace sparsight {

class Page;
class PanelTitle;
class SelectionPanel;
class UserSettings;

/// A window that is narrower than this has no room for names beside icons, nor for a panel beside the page.
inline constexpr int narrow_window = 1100;

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
    void add_panel(const QString& id, const QString& title, SelectionPanel* panel, QMenu& menu);
    /// Folds the panel in a narrow window; in a wide one it is as the user left it.
    void fit_panel();
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
    [[nodiscard]] bool is_narrow() const;
    void show_cards_or_icons();

    UserSettings& settings_;
    QMainWindow* window_;
    std::vector<std::pair<Page*, QString>> pages_; ///< with the names of their layouts
    QSet<QString> hidden_panels_; ///< by the user; without a workspace no panel is visible anyway
    QTimer save_soon_;
    SelectionPanel* panel_ = nullptr;
    PanelTitle* title_ = nullptr;
    QDockWidget* dock_ = nullptr;
};

/// The title bar of a panel: its name, and a button that folds the panel to icons and unfolds it.
class PanelTitle : public QWidget {
public:
    PanelTitle(const QString& title, QDockWidget& panel);

    void set_folded(bool is_folded);
    [[nodiscard]] QToolButton& button() const { return *button_; }

private:
    QString title_;
    QHBoxLayout* row_;
    QLabel* name_;
    QToolButton* button_;
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
