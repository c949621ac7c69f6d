// The menu of a plot and the export of its picture to a file or the clipboard. The menu opens from a button
// in the plot's upper right corner and at the mouse; a plot only says what the menu offers.
#pragma once

#include <QMenu>
#include <QSizeF>
#include <QToolButton>
#include <expected>
#include <functional>

class QMenu;
class QPainter;

namespace sparsight {

struct ExportedPicture {
    QSizeF size;                          ///< in logical pixels
    std::function<void(QPainter&)> paint; ///< in light colours, with the background
    QString csv;                          ///< the data of the picture
    QString name;                         ///< suggested file name, without a suffix
};

/// The suffix selects the format: .svg, .csv, or any picture format of Qt, drawn with two pixels per logical
/// pixel. The error is a sentence for the user; an existing file then stays unchanged.
[[nodiscard]] std::expected<void, QString> save_picture(const ExportedPicture& picture, const QString& path);

/// Adds "Save picture …", "Save data as CSV …", "Copy picture"; `make` is called when the user chooses one.
/// `tell` gets the path of the saved file, or the reason why it was not saved.
void add_export_actions(QMenu& menu, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell);

/// Opens a menu with these actions only, at a place on the screen.
void pop_up_export_menu(QWidget& picture, const QPoint& place, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell);

class PlotMenuButton : public QToolButton {
    Q_OBJECT
public:
    /// Fills the menu before it is shown: its actions depend on what the plot shows then.
    using Fill = std::function<void(QMenu&)>;
    /// The current picture of the plot, for export.
    using Export = std::function<ExportedPicture()>;

    /// `does` is the tooltip: what the menu offers; `name` is the name for screen readers. After the actions
    /// of `fill`, the menu has the export actions if `make` is set.
    PlotMenuButton(QWidget& plot, const QString& does, const QString& name, Fill fill, Export make = {});

    /// Pixels that another widget, such as a scroll bar, takes at the right of the plot.
    void set_beside(int pixels);
    /// A plot without content has no menu.
    void set_offered(bool offered);
    /// The size that the plot leaves free in its corner.
    [[nodiscard]] QSizeF room() const;

Q_SIGNALS:
    void placed(); ///< the button moved: the plot or its font has another size
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
