// The map of winners: the fastest schedule for each pair of values of two machine parameters, computed off
// the window's thread, and the widget that shows it and lets the user choose the parameters.
#pragma once

#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"

#include <QObject>
#include <QWidget>
#include <memory>
#include <optional>
#include <set>

class QComboBox;

namespace sparsight {

class RegionMap;

struct MapQuestion {
    std::shared_ptr<const Study> study;
    MachineDescription machine; ///< its values of x and y are ignored
    MachineParameter x = MachineParameter::Cores;
    MachineParameter y = MachineParameter::SocketBandwidth;
    WhatIfFormula formula = WhatIfFormula::Mechanistic;
    PaperBasis basis{}; ///< for the paper's formula
};

/// Computes the map off the window's thread; of several requested maps only the newest counts.
class WinnerMapping : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    static constexpr int steps = 32;

    void ask(MapQuestion question);
    void clear();
    [[nodiscard]] const std::optional<WinnerMap>& map() const { return map_; }
    /// The study that the map was computed for.
    [[nodiscard]] const std::shared_ptr<const Study>& study() const { return study_; }
    [[nodiscard]] bool is_busy() const { return answers_.is_busy(); }

Q_SIGNALS:
    void changed();

private:
    std::optional<WinnerMap> map_;
    std::shared_ptr<const Study> study_;
    NewestAnswer<Result<WinnerMap>> answers_{this};
};

class WinnerView : public QWidget {
    Q_OBJECT

public:
    explicit WinnerView(QWidget* parent = nullptr);

    /// Asks for the map of a machine; without a study there is no map. The previous map is pale until the new
    /// one is there.
    void ask(const std::shared_ptr<const Study>& study, const EditedMachine& machine, WhatIfFormula formula,
             const PaperBasis& basis);
    /// Moves the mark of the machine on the map.
    void show_here(const EditedMachine& machine);

    [[nodiscard]] MachineParameter x() const;
    [[nodiscard]] MachineParameter y() const;
    /// The marks of the schedules that win somewhere; rankings use them, too. A schedule keeps its own as
    /// long as the page is there, whatever matrix and machine are looked at.
    [[nodiscard]] const WinnerMarks& marks() const { return marks_; }
    [[nodiscard]] bool is_busy() const { return mapping_.is_busy(); }
    [[nodiscard]] RegionMap& map() const { return *map_; }

Q_SIGNALS:
    void axes_chosen();
    void mapped(); ///< the requested map is shown, and its winners are marked

private:
    void show_map();

    WinnerMapping mapping_;
    WinnerMarks marks_;
    std::set<QString> machines_; ///< names of those that were seen, and of presets
    QComboBox* x_;
    QComboBox* y_;
    RegionMap* map_;
};

} // namespace sparsight
