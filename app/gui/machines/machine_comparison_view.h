// Machines compared by the known times of the selected workload: a matrix of what copying the fastest
// configuration from one to another costs, the same as a table, and how the data sheets of a pair differ.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "widgets/table/record_model.h"
#include "workflow/evaluation/comparison_tables.h"

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class HeatMap;
struct HeatPicture;

/// A pair as the table has it.
struct MachinePairRow {
    std::size_t row = 0;    ///< the machine that is copied to
    std::size_t column = 0; ///< the one that is copied from
    QString to;
    QString from;
    MachinePair pair;
    bool operator==(const MachinePairRow&) const = default;
};

/// A fact by which two data sheets differ; "–" where one does not state it.
struct SheetDifference {
    QString name;
    QString meaning;
    QString to;
    QString from;
    bool operator==(const SheetDifference&) const = default;
};

/// The facts that differ, in the order of sheets, then numbers that only tables of machines have. JSON as of
/// WorkspaceSession::facts_of_machine().
[[nodiscard]] std::vector<SheetDifference> sheet_differences(const QByteArray& to, const QByteArray& from);

[[nodiscard]] HeatPicture comparison_picture(const MachineComparison& comparison, MachineFigure figure);

class MachineComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit MachineComparisonView(Services services, QWidget* parent = nullptr);

    /// Nothing where no machines can be compared.
    [[nodiscard]] const std::optional<MachineComparison>& comparison() const { return comparison_; }
    [[nodiscard]] bool is_settled() const { return !answers_.is_busy(); }
    [[nodiscard]] QByteArray layout_state() const;
    void restore_layout(const QByteArray& layout);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void build_map();
    void build_differences();
    void fill_workloads();
    /// Reads the times of the selected workload, unless they are there.
    void follow();
    void read(const QString& workload);
    void show_comparison(Result<MachineComparison> comparison);
    void show_figure();
    /// Marks the selected machine, and shows the pair.
    void show_selected();
    void show_pair();
    void choose(std::size_t row, std::size_t column);
    [[nodiscard]] MachineFigure figure() const;

    Services services_;
    std::optional<MachineComparison> comparison_;
    std::optional<std::pair<std::size_t, std::size_t>> pair_; ///< row and column
    RecordModel<MachinePairRow> pairs_;
    RecordModel<SheetDifference> differences_;
    QLabel* workload_name_;
    QComboBox* workload_;
    QComboBox* figure_;
    QComboBox* form_;
    QLabel* sentence_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    QStackedWidget* forms_; ///< map or table
    HeatMap* map_;
    DataTable* table_;
    QLabel* pair_title_;
    DataTable* difference_table_;
    EmptyState* empty_;
    QString asked_; ///< the workload that is read
    bool is_stale_ = true;
    bool is_filling_ = false;
    NewestAnswer<Result<MachineComparison>> answers_{this};
};

} // namespace sparsight
