// The parameters of a machine in words, for all pages: names, meanings, and units that people read.
#pragma once

#include "machine/machine_parameters.h"

#include <QString>

namespace sparsight {

struct ParameterWords {
    QString name;
    QString meaning;   ///< a sentence or two
    QString unit;      ///< "KiB" where the parameter counts bytes; may be empty
    double factor = 1; ///< the parameter's value is what is shown times this
};

[[nodiscard]] ParameterWords parameter_words(MachineParameter parameter);
[[nodiscard]] QString parameter_group_title(ParameterGroup group);

/// "512 KiB", "1 MiB", "3.70 GHz", "64"; sizes exactly where they are whole, in KiB below 1 MiB. Uses the
/// program's number style.
[[nodiscard]] QString parameter_text(MachineParameter parameter, double value);

} // namespace sparsight
