// In what a machine is unlike its simulator, as gray boxes that were adapted to it have found.
#pragma once

#include "gui/runs/stored_learning.h"
#include "widgets/table/record_model.h"

#include <QWidget>

namespace sparsight {

class MachineDeviations : public QWidget {
    Q_OBJECT

public:
    explicit MachineDeviations(QWidget* parent = nullptr);

    /// Of the gray boxes that were adapted to this machine; false where these tell of none.
    bool show_machine(const StoredLearning& learning, const QString& fingerprint);

private:
    struct Row {
        MachineDeviation deviation;
        QString model;
    };
    [[nodiscard]] static std::vector<RecordColumn<Row>> columns();

    RecordModel<Row> rows_;
};

} // namespace sparsight
