// The one table widget of the program: filter, sorting by value, choice of columns, copy and export, one
// selection. Rows are identified by their index in the source model, independent of filter and sorting.
#pragma once

#include "widgets/table/cell_values.h"

#include <QModelIndex>
#include <QPersistentModelIndex>
#include <QTimer>
#include <QWidget>
#include <expected>
#include <functional>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace sparsight {

class TableDelegate;
class TableView;

class DataTable : public QWidget {
    Q_OBJECT
public:
    explicit DataTable(QWidget* parent = nullptr);
    ~DataTable() override;

    void set_model(QAbstractItemModel* model); ///< not owned
    [[nodiscard]] QAbstractItemModel* model() const { return filter_.sourceModel(); }
    [[nodiscard]] TableView* view() const { return view_; }
    [[nodiscard]] const TableFilter& filter() const { return filter_; }

    /// The text shown while there are no rows at all: say what to do next.
    void set_empty_text(const QString& text);
    /// Makes rows high enough for square pictures of this side; 0 for rows of text.
    void set_thumbnail_side(int side);
    void set_selection_mode_single(bool single);
    /// Adds a button beside the filter, and on request an entry in the menu of the rows.
    QToolButton* add_tool(QAction* action, bool also_in_row_menu = false);
    void add_tool_widget(QWidget* widget);

    void set_filter_text(const QString& text);
    [[nodiscard]] QString filter_text() const;
    void sort_by(int column, Qt::SortOrder order);
    void set_column_shown(int column, bool shown); ///< the last shown column can't be hidden

    [[nodiscard]] int current_source_row() const;                ///< −1: none
    [[nodiscard]] std::vector<int> selected_source_rows() const; ///< in the order on the screen
    /// All rows that pass the filter, in the order on the screen.
    [[nodiscard]] std::vector<int> displayed_source_rows() const;
    void select_source_row(int row); ///< −1 selects nothing; scrolls to it
    void select_source_rows(const std::vector<int>& rows);
    void select_all();

    [[nodiscard]] QString selection_as_tsv() const; ///< with headers, columns as on the screen
    void copy_selection() const;                    ///< to the clipboard
    [[nodiscard]] QString displayed_as_csv() const; ///< exactly the rows and columns on the screen
    [[nodiscard]] std::expected<void, QString> write_csv(const QString& path) const;
    void export_csv(); ///< asks for a file

    /// Columns, their order, the widths that the user has chosen, and sorting. restore_state() returns false
    /// where the state is not from a table with these columns.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    void fit_columns(); ///< sets widths that show the contents

Q_SIGNALS:
    void current_row_changed(int source_row); ///< −1: none
    void activated_row(int source_row);       ///< double click or Return
    void selection_changed();
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void make_actions();
    void show_columns_menu(const QPoint& place);
    void show_row_menu(const QPoint& place);
    void fill_columns_menu(QMenu& menu);
    void rows_changed();
    void rows_arrived();
    void keep_columns_fitted();
    void keep_numbers_whole();
    void fonts_changed();
    void update_texts();
    void update_row_height();
    void announce_current();
    [[nodiscard]] std::vector<int> shown_columns() const;
    [[nodiscard]] QList<QStringList> lines(const std::vector<int>& proxy_rows) const;
    [[nodiscard]] std::vector<int> selected_proxy_rows() const;

    TableFilter filter_;
    QLineEdit* filter_edit_;
    QHBoxLayout* tools_;
    QLabel* count_;
    QToolButton* menu_button_;
    TableView* view_;
    TableDelegate* delegate_;
    QAction* copy_ = nullptr;
    QAction* select_all_ = nullptr;
    QAction* export_ = nullptr;
    QList<QAction*> row_actions_;
    QList<QMetaObject::Connection> source_connections_;
    QString empty_text_;
    QTimer numbers_changed_; ///< collects many changes of rows into one check
    int announced_row_ = -1;
    bool fitted_ = false;
};

/// A table and, below it, what the current row means: sentences for which a column is too narrow.
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
