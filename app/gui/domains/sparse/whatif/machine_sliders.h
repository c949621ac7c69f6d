// A machine whose parameters the user moves with sliders, and the sliders, each with a way back to the
// machine's own value.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <QWidget>
#include <initializer_list>
#include <map>
#include <vector>

class QLabel;
class QPushButton;

namespace sparsight {

class ValueSlider;

/// The machine as it was given, with the changed parameters. It is made anew from the given machine whenever
/// a parameter changes, so that moving a slider there and back leaves no trace.
class EditedMachine {
public:
    EditedMachine() = default;
    explicit EditedMachine(MachineDescription given)
        : given_(std::move(given)) {}

    [[nodiscard]] const MachineDescription& given() const { return given_; }
    [[nodiscard]] const std::map<MachineParameter, double>& changes() const { return changes_; }
    [[nodiscard]] bool is_changed() const { return !changes_.empty(); }
    /// The given value removes the change.
    void set(MachineParameter parameter, double value);
    void reset() { changes_.clear(); }

    [[nodiscard]] MachineDescription now() const { return without({}); }
    /// The changed parameters that this one, which nobody changed, follows: without them it has another
    /// value.
    [[nodiscard]] std::vector<MachineParameter> leaders_of(MachineParameter parameter) const;
    /// The machine as if these parameters had not been moved.
    [[nodiscard]] MachineDescription without(std::initializer_list<MachineParameter> parameters) const;

private:
    MachineDescription given_;
    std::map<MachineParameter, double> changes_;
};

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
    QLabel* origins_;
    QPushButton* reset_;
    std::map<MachineParameter, ValueSlider*> sliders_;
};

} // namespace sparsight
