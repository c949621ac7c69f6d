// A machine as it was given, with the parameters that somebody has moved. It is made anew from the given one
// whenever one of them moves, so that moving there and back leaves no trace.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <QWidget>
#include <initializer_list>
#include <map>

class QLabel;
class QPushButton;

namespace sparsight {

class EditedMachine {
public:
    EditedMachine() = default;
    explicit EditedMachine(MachineDescription given)
        : given_(std::move(given)) {}

    [[nodiscard]] const MachineDescription& given() const { return given_; }
    [[nodiscard]] const std::map<MachineParameter, double>& changes() const { return changes_; }
    [[nodiscard]] bool is_changed() const { return !changes_.empty(); }
    /// The given value takes the change back.
    void set(MachineParameter parameter, double value);
    void reset() { changes_.clear(); }

    [[nodiscard]] MachineDescription now() const { return without({}); }
    /// As if these had not been moved.
    [[nodiscard]] MachineDescription without(std::initializer_list<MachineParameter> parameters) const;

private:
    MachineDescription given_;
    std::map<MachineParameter, double> changes_;
};

// The parameters of a machine to slide, each with the way back to the machine's own value.

class ValueSlider;

class MachineSliders : public QWidget {
    Q_OBJECT

public:
    explicit MachineSliders(QWidget* parent = nullptr);

    void show_machine(const QString& title, const EditedMachine& machine);
    /// nullptr for a parameter without a slider.
    [[nodiscard]] ValueSlider* slider(MachineParameter parameter) const;
    [[nodiscard]] QPushButton* reset_button() const { return reset_; }

Q_SIGNALS:
    void moved(MachineParameter parameter, double value); ///< by the user
    void reset();

private:
    QLabel* title_;
    QLabel* assumed_;
    QPushButton* reset_;
    std::map<MachineParameter, ValueSlider*> sliders_;
};

} // namespace sparsight
