#include "gui/shell/file_drop.h"

#include "gui/matrices/dropped_files.h"

#include <QApplication>
#include <QDropEvent>
#include <QWidget>
#include <QWindow>

namespace sparsight {

FileDrop::FileDrop(QWidget* window)
    : QObject(window)
    , window_(window) {
    window->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Show: // now it has a place on the screen, where drags arrive first
        if (watched == window_ && window_->windowHandle() != nullptr)
            window_->windowHandle()->installEventFilter(this);
        break;
    case QEvent::DragEnter:
    case QEvent::DragMove:
        return take(*static_cast<QDropEvent*>(event), false);
    case QEvent::Drop:
        return take(*static_cast<QDropEvent*>(event), true);
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool FileDrop::take(QDropEvent& event, bool is_drop) {
    const QStringList files = local_files(*event.mimeData());
    if (files.isEmpty())
        return false;
    if (QApplication::activeModalWidget() != nullptr) { // a question must be answered first
        event.ignore();
        return true;
    }
    event.acceptProposedAction();
    if (is_drop)
        Q_EMIT dropped(files);
    return true;
}

} // namespace sparsight
