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

    /// Widths that show what is there, kept up when the table becomes wider until the user drags one.
    void fit_columns();
    /// Whether a number that is shown has become longer than its column is wide.
    [[nodiscard]] bool cuts_numbers() const;
    [[nodiscard]] bool columns_are_fitted() const { return fitted_; }

protected:
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] bool holds_texts(int column) const;
    [[nodiscard]] int least_width(int column) const;
    [[nodiscard]] int wanted_width(int column) const;
    void paint_focus();

    QString empty_text_;
    bool fitting_ = false;
    bool fitted_ = false;
};

} // namespace sparsight
