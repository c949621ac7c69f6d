// The map of who wins over two numbers of a machine, and the choice of these two.
#pragma once

#include "gui/whatif/edited_machine.h"
#include "gui/whatif/winner_mapping.h"

#include <QWidget>

class QComboBox;

namespace sparsight {

class RegionMap;

class WinnerView : public QWidget {
    Q_OBJECT

public:
    explicit WinnerView(QWidget* parent = nullptr);

    /// The map of a machine; without a study there is none. What is shown till it comes is paler.
    void ask(const std::shared_ptr<const Study>& study, const EditedMachine& machine, WhatIfFormula formula,
             const PaperBasis& basis);
    /// Where the machine stands on the map now.
    void show_here(const EditedMachine& machine);
    void choose(MachineParameter x, MachineParameter y);

    [[nodiscard]] MachineParameter x() const;
    [[nodiscard]] MachineParameter y() const;
    /// How those that win somewhere are marked, also in rankings.
    [[nodiscard]] const WinnerMarks& marks() const { return marks_; }
    /// Marks of another study say nothing of this one.
    void keep_marks_of(const std::shared_ptr<const Study>& study);
    [[nodiscard]] bool is_busy() const { return mapping_.is_busy(); }
    [[nodiscard]] RegionMap& map() const { return *map_; }

Q_SIGNALS:
    void axes_chosen();
    void mapped(); ///< the map that was asked for is shown, its winners are marked

private:
    void show_map();

    WinnerMapping mapping_;
    WinnerMarks marks_;
    QComboBox* x_;
    QComboBox* y_;
    RegionMap* map_;
};

} // namespace sparsight
