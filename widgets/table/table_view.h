// The view inside a DataTable: rows, not cells, and a text where there are none.
#pragma once

#include <QTableView>

namespace sparsight {

class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);

    void set_empty_text(const QString& text);
    [[nodiscard]] QString empty_text() const { return empty_text_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString empty_text_;
};

} // namespace sparsight
