// The machines of the workspace; this computer can be probed.
#pragma once

#include "gui/jobs/job.h"
#include "gui/machines/machine_facts.h"
#include "gui/page/page.h"
#include "gui/page/services.h"
#include "store/machines.h"
#include "widgets/table/record_model.h"

#include <QAction>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class ExplainedTable;

class MachinesPage : public Page {
    Q_OBJECT

public:
    explicit MachinesPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;

private:
    void build_empty();
    void show_contents();
    void follow();
    void probe();
    void show_job(const JobId& id);
    void show_availability();

    Services services_;
    RecordModel<MachineRecord> machines_;
    RecordModel<MachineFact> facts_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    DataTable* list_;
    ExplainedTable* explained_;
    QLabel* title_;
    EmptyState* empty_;
    QPushButton* first_probe_;
    QAction* probe_;
    JobId job_; ///< the probe that runs
};

} // namespace sparsight
