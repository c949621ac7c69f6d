// --screenshot PAGE FILE: shows a page, or the tab PAGE:TAB of one, waits until it is complete, and saves a
// picture of the window.
#pragma once

#include <QString>
#include <chrono>
#include <expected>

namespace sparsight {

class MainWindow;

/// Returns after the picture is written, or with the reason why it is not. Runs the event loop meanwhile. A
/// tab goes by the object name of what it holds.
[[nodiscard]] std::expected<void, QString> take_screenshot(MainWindow& window, const QString& page,
                                                           const QString& file,
                                                           std::chrono::milliseconds longest_wait);

} // namespace sparsight
