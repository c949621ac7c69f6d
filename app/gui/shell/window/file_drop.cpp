#include "gui/shell/window/file_drop.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>
#include <QWindow>

namespace sparsight {

QStringList local_files(const QMimeData& data) {
    QStringList files;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

FileDrop::FileDrop(QWidget* window)
    : QObject(window)
    , window_(window) {
    window->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Show: // the window now has a native window, which receives drags first
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
    if (QApplication::activeModalWidget() != nullptr) { // the open dialog must be answered first
        event.ignore();
        return true;
    }
    event.acceptProposedAction();
    if (is_drop)
        Q_EMIT dropped(files);
    return true;
}

} // namespace sparsight
