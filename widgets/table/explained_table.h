// A table and, below it, what the row that is looked at means: sentences, for which a column is too narrow.
#pragma once

#include <QWidget>
#include <functional>

class QLabel;

namespace sparsight {

class DataTable;

class ExplainedTable : public QWidget {
    Q_OBJECT
public:
    struct Explanation {
        QString title;
        QString text;
    };

    /// `name` is what a screen reader calls the explanation.
    ExplainedTable(const QString& name, std::function<Explanation(int source_row)> explanation,
                   QWidget* parent = nullptr);

    [[nodiscard]] DataTable& table() const { return *table_; }
    [[nodiscard]] QLabel& explanation() const { return *text_; }
    /// After the rows were set: one is explained from the start.
    void choose_first();

protected:
    void changeEvent(QEvent* event) override;

private:
    void explain(int row);
    void dress();

    std::function<Explanation(int)> explanation_;
    DataTable* table_;
    QLabel* text_;
};

} // namespace sparsight
