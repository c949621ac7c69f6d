// --screenshot PAGE FILE: shows a page, or the tab PAGE:TAB of one, waits until it is complete, and saves a
// picture of the window.
#pragma once

#include <QString>
#include <QStringList>
#include <chrono>
#include <expected>

namespace sparsight {

class MainWindow;
class Page;

/// As the window shows them, in lower case, with hyphens for blanks: "row-lengths".
[[nodiscard]] QStringList tab_names(const Page& page);

/// The tabs of the pages of matrices, for a help that knows no window yet.
inline constexpr const char* known_tabs =
    "matrices: statistics, row-lengths, column-lengths\n"
    "machines: facts, simulation, validation, deviations-from-simulation\n"
    "schedules: why, loop-nest, storage, tiles, edit, timeline\n"
    "train: runs, settings-compared\n"
    "results: matrices, models";

/// Returns after the picture is written, or with the reason why it is not. Runs the event loop meanwhile. A
/// tab goes by its name in tab_names().
[[nodiscard]] std::expected<void, QString> take_screenshot(MainWindow& window, const QString& page,
                                                           const QString& file,
                                                           std::chrono::milliseconds longest_wait);

} // namespace sparsight
