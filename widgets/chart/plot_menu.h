// Writes what a painting function draws into a file or onto the clipboard.
#pragma once

#include <QMenu>
#include <QSizeF>
#include <QToolButton>
#include <expected>
#include <functional>

class QPainter;
class QMenu;

namespace sparsight {

struct ExportedPicture {
    QSizeF size;                          ///< in logical pixels
    std::function<void(QPainter&)> paint; ///< in light colours, background included
    QString csv;                          ///< the data behind it
    QString name;                         ///< suggested for the file, without a suffix
};

/// By its suffix: .svg, .csv, or any picture format of Qt, which gets two pixels for a logical one. An error
/// is a sentence for the user; the file that was there then stays as it was.
[[nodiscard]] std::expected<void, QString> save_picture(const ExportedPicture& picture, const QString& path);

/// "Save picture …", "Save data as CSV …", "Copy picture"; `make` is called when one is chosen. `tell` gets
/// the path of what was saved, or why it was not.
void add_export_actions(QMenu& menu, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell);

/// A menu of these alone, at a place of the screen.
void pop_up_export_menu(QWidget& picture, const QPoint& place, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell);

// The menu of a plot: behind a button in the plot's upper right corner, and at the mouse. It follows the
// plot, so that a plot only says what the menu offers.

struct ExportedPicture;

class PlotMenuButton : public QToolButton {
    Q_OBJECT
public:
    /// Fills a menu that is about to be shown: what it offers depends on what the plot shows now.
    using Fill = std::function<void(QMenu&)>;
    /// What the plot shows now, as a file.
    using Export = std::function<ExportedPicture()>;

    /// `does` says what the menu offers, `name` what a screen reader calls it. Behind what `fill` adds stand
    /// the ways to export the picture, where there is one.
    PlotMenuButton(QWidget& plot, const QString& does, const QString& name, Fill fill, Export make = {});

    /// Pixels that something else takes at the right of the plot, as a scroll bar.
    void set_beside(int pixels);
    /// A plot without content has no menu.
    void set_offered(bool offered);
    /// What the plot leaves free in its corner.
    [[nodiscard]] QSizeF room() const;

Q_SIGNALS:
    void placed(); ///< in the corner: the plot or its font has another size
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void fill(QMenu& menu);
    void pop_up(const QPoint& place);

    QWidget& plot_;
    Fill fill_;
    Export make_;
    int beside_ = 0;
    bool is_offered_ = true;
};

} // namespace sparsight
