// Every parameter of a machine with a slider and a field: what a simulation takes, and where it is from.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QScrollArea;
class QSlider;

namespace sparsight {

class NumberField;

class MachineEditor : public QWidget {
    Q_OBJECT

public:
    explicit MachineEditor(QWidget* parent = nullptr);

    /// With a reason against editing it can only be read.
    void show_machine(const MachineDescription& machine, const QString& reason_against);

    /// Scrolls to the parameter, whose field takes the focus.
    void go_to(MachineParameter parameter);

    [[nodiscard]] QSlider* slider(MachineParameter parameter) const { return row(parameter).slider; }
    [[nodiscard]] NumberField* field(MachineParameter parameter) const { return row(parameter).field; }
    [[nodiscard]] QLabel* mark(MachineParameter parameter) const { return row(parameter).mark; }
    [[nodiscard]] QLineEdit* name_field() const { return name_; }
    [[nodiscard]] QLabel* reason_label() const { return reason_; }

Q_SIGNALS:
    /// Values of one gesture are steps of one edit: of a slider that is dragged, say.
    void parameter_edited(MachineParameter parameter, double value, int gesture);
    void name_edited(const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        QLabel* name = nullptr;
        QSlider* slider = nullptr;
        NumberField* field = nullptr;
        QLabel* mark = nullptr; ///< "typical", "fitted" …
        double factor = 1;      ///< of what the field shows
    };

    void add_group(QGridLayout& grid, ParameterGroup group);
    void add_row(QGridLayout& grid, const ParameterInfo& info);
    void connect_row(const ParameterInfo& info);
    void show_value(const ParameterInfo& info, double value);
    void show_origin(const ParameterInfo& info, const MachineDescription& machine);
    [[nodiscard]] const Row& row(MachineParameter parameter) const {
        return rows_[static_cast<std::size_t>(parameter)];
    }

    QLineEdit* name_;
    QLabel* reason_;
    QScrollArea* scroll_;
    std::vector<Row> rows_;
    int gesture_ = 0;
};

} // namespace sparsight
