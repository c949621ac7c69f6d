// The map of winners, computed off the window's thread; of several that are wanted only the newest counts.
#pragma once

#include "gui/whatif/machine_sliders.h"
#include "gui/whatif/what_if_drawing.h"

#include <QObject>
#include <QWidget>
#include <memory>
#include <optional>

class QComboBox;

namespace sparsight {

struct MapQuestion {
    std::shared_ptr<const Study> study;
    MachineDescription machine; ///< its parameters x and y do not matter
    MachineParameter x = MachineParameter::Cores;
    MachineParameter y = MachineParameter::SocketBandwidth;
    WhatIfFormula formula = WhatIfFormula::Mechanistic;
    PaperBasis basis{}; ///< for the paper's formula
};

class WinnerMapping : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    static constexpr int steps = 32;

    void ask(MapQuestion question);
    void clear();
    [[nodiscard]] const std::optional<WinnerMap>& map() const { return map_; }
    /// Of which the map is.
    [[nodiscard]] const std::shared_ptr<const Study>& study() const { return study_; }
    [[nodiscard]] bool is_busy() const { return answers_.is_busy(); }

Q_SIGNALS:
    void changed();

private:
    std::optional<WinnerMap> map_;
    std::shared_ptr<const Study> study_;
    NewestAnswer<Result<WinnerMap>> answers_{this};
};

// The map of who wins over two numbers of a machine, and the choice of these two.

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
