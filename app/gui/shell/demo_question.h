// A demo or the tour runs on the demo workspace, which takes the place of the one that is open: asked first.
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace sparsight {

/// Calls `begin` at once where nothing is open or the demo is, else when the user says so. `open` is the path
/// of what is open, empty where nothing is.
void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin);

} // namespace sparsight
