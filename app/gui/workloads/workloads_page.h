// The workloads of a domain as a table: the numbers that its domain describes them by, and what else is known
// of each. Below, the fastest configuration of the selected one on every machine.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "store/measurements.h"
#include "store/workloads.h"
#include "widgets/table/record_model.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class EmptyState;

struct WorkloadRow {
    WorkloadRecord record;
    QJsonObject facts;

    bool operator==(const WorkloadRow&) const = default;
    [[nodiscard]] QString name() const { return QString::fromStdString(record.name); }
};

class WorkloadsPage : public Page {
    Q_OBJECT

public:
    explicit WorkloadsPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] QString title(const Domain& domain) const override;
    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void show_contents();
    void show_words();
    void make_columns(const std::vector<WorkloadRow>& rows);
    void follow();
    void ask_for_best();

    Services services_;
    std::unique_ptr<RecordModel<WorkloadRow>> model_;
    QStringList columns_; ///< facts in the order of the columns, behind the domain
    RecordModel<ResultRecord> best_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    DataTable* list_;
    QLabel* best_title_;
    DataTable* best_table_;
    EmptyState* empty_;
    bool is_filling_ = false;
    bool is_stale_ = true; ///< the workspace has changed while the page was not shown
    NewestAnswer<Result<std::vector<ResultRecord>>> answers_{this};
};

} // namespace sparsight
