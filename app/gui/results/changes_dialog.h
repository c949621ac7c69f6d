// What changed since a run or a date: every time that was measured again beside the one that it replaced,
// beyond noise or not. A window of its own, so that a row can be looked at on the pages.
#pragma once

#include "gui/page/page.h"
#include "gui/results/change_rows.h"
#include "gui/workspace/background_work.h"

#include <QDialog>

class QComboBox;
class QDateTimeEdit;
class QLabel;
class QStackedWidget;

namespace sparsight {

class Banner;
class DataTable;
class EmptyState;

class ChangesDialog : public QDialog {
    Q_OBJECT

public:
    /// Shows the one of this window, which deletes itself when it is closed; makes it where there is none.
    static ChangesDialog& open_in(QWidget& window, Services services);

    [[nodiscard]] bool is_settled() const { return !reader_.is_busy(); }
    [[nodiscard]] DataTable& table() const { return *table_; }

private:
    ChangesDialog(Services services, QWidget* parent);

    void build();
    void read();
    void take(Result<ReadChanges> answer);
    void choose_columns();
    void show_runs(const std::vector<RepeatedRun>& runs);
    void show_nothing();
    /// As of start_of().
    [[nodiscard]] QString since() const;
    void go_to_row(int row);

    Services services_;
    const Domain& domain_;
    ChangesModel rows_;
    std::vector<RepeatedRun> runs_;
    Banner* banner_;
    QComboBox* since_;
    QDateTimeEdit* date_;
    QLabel* sentence_;
    QStackedWidget* stack_;
    DataTable* table_;
    EmptyState* empty_;
    QAction* go_;
    bool is_filling_ = false;
    bool has_columns_ = false; ///< that say something were chosen
    NewestAnswer<Result<ReadChanges>> reader_{this};
};

} // namespace sparsight
