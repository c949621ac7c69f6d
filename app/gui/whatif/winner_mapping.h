// The map of winners, computed off the window's thread; of several that are wanted only the newest counts.
#pragma once

#include "gui/whatif/what_if_drawing.h"

#include <QObject>
#include <memory>
#include <optional>

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

} // namespace sparsight
