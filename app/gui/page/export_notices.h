// Whoever saves a picture or a table is told where it went, or why it did not.
#pragma once

#include <QObject>

class QWidget;

namespace sparsight {

class Page;

/// Hears of the files of all charts, tables, plots and pictures in a widget, also of those that come into it
/// later.
class ExportNotices : public QObject {
    Q_OBJECT

public:
    explicit ExportNotices(QWidget& where);

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void listen_to(QWidget& widget);
    void tell_saved(const QString& path);
    void tell_failed(const QString& reason);
    void tell_unwritten(const QString& path, const QString& reason);
    template <class Widget, class Saved>
    void listen_to_kind(QWidget& widget, Saved Widget::* saved);
};

/// Makes them notices of the page.
void tell_of_exports(Page& page);

} // namespace sparsight
