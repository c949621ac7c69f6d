// The parameters of a machine to slide, each with the way back to the machine's own value.
#pragma once

#include "gui/whatif/edited_machine.h"

#include <QWidget>
#include <map>

class QLabel;
class QPushButton;

namespace sparsight {

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
