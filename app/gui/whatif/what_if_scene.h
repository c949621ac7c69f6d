// Everything that is chosen on the page "What if" but the matrix.
#pragma once

#include "gui/whatif/what_if_drawing.h"

#include <QString>
#include <map>
#include <vector>

namespace sparsight {

struct WhatIfScene {
    Operator op = Operator::SpMM;
    int dense = 256;
    QString preset{};                       ///< key of the machine
    QString beside{};                       ///< key of the machine beside it; empty: none
    std::vector<SuperSchedule> schedules{}; ///< beside fixed CSR; none: the usual ones
    WhatIfFormula formula = WhatIfFormula::Mechanistic;
    std::map<MachineParameter, double> changes{};
    MachineParameter x = MachineParameter::Cores;
    MachineParameter y = MachineParameter::L3Bytes;
};

} // namespace sparsight
