// The pages, one button each, at the window's left edge.
#pragma once

#include <QButtonGroup>
#include <QWidget>

class QVBoxLayout;

namespace sparsight {

class NavigationBar : public QWidget {
    Q_OBJECT

public:
    explicit NavigationBar(QWidget* parent = nullptr);

    void add_page(const QString& id, const QString& title, const QString& icon);
    void set_current(const QString& id);

Q_SIGNALS:
    void page_chosen(const QString& id);

private:
    QButtonGroup buttons_;
    QVBoxLayout* column_;
};

} // namespace sparsight
