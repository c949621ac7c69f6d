// Files that are dropped anywhere on the window. Charts, tables and fields take drags for themselves, or
// swallow them; so they are taken before a widget hears of them.
#pragma once

#include <QObject>
#include <QStringList>

class QDropEvent;
class QWidget;

namespace sparsight {

class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

Q_SIGNALS:
    void dropped(const QStringList& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// False where it is for the widgets: something else than files.
    bool take(QDropEvent& event, bool is_drop);

    QWidget* window_;
};

} // namespace sparsight
