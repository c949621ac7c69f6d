// Writes what a painting function draws into a file or onto the clipboard.
#pragma once

#include <QMenu>
#include <QSizeF>
#include <expected>
#include <functional>

class QPainter;

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

} // namespace sparsight
