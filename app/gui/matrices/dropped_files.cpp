#include "gui/matrices/dropped_files.h"

#include <QMimeData>
#include <QUrl>

namespace sparsight {

QStringList local_files(const QMimeData& data) {
    QStringList files;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

} // namespace sparsight
