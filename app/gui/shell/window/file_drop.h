// Files that are dropped anywhere on the window.
#pragma once

#include <QObject>
#include <QStringList>

class QDropEvent;
class QMimeData;
class QWidget;

namespace sparsight {

/// The files on this computer among what is dragged.
[[nodiscard]] QStringList local_files(const QMimeData& data);

/// Takes files that are dropped anywhere on the window. Charts, tables and fields accept drags for themselves
/// or swallow them, so the files are taken before a widget receives the event.
class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

Q_SIGNALS:
    void dropped(const QStringList& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// False for anything but files, which is left to the widgets.
    bool take(QDropEvent& event, bool is_drop);

    QWidget* window_;
};

} // namespace sparsight
