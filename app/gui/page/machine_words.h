// The words of all pages for machines: names, meanings and readable units of a machine's parameters, and the
// stops of sliders over them.
#pragma once

#include "gui/page/page.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"

#include <QString>
#include <span>
#include <vector>

namespace sparsight {

struct ParameterWords {
    QString name;
    QString meaning;   ///< a sentence or two
    QString unit;      ///< "KiB" where the parameter counts bytes; may be empty
    double factor = 1; ///< the parameter's value is the shown number times this factor
};

[[nodiscard]] ParameterWords parameter_words(MachineParameter parameter);
/// Parameters as parts of a page, by their keys.
[[nodiscard]] std::vector<PagePart> parameter_parts(std::span<const ParameterInfo> parameters,
                                                    const QString& kind);
[[nodiscard]] QString parameter_group_title(ParameterGroup group);

/// "EPYC 7543", "Example machine A (from the paper)": its letter alone could be a schedule's.
[[nodiscard]] QString preset_title(const MachinePreset& preset);

/// "512 KiB", "1 MiB", "3.70 GHz", "64"; whole sizes are shown exactly, below 1 MiB in KiB. Uses the
/// program's number style.
[[nodiscard]] QString parameter_text(MachineParameter parameter, double value);

/// The stops of a slider over a parameter of a machine, spaced by factors, because machines differ by
/// factors.
class ParameterScale {
public:
    /// `factor` as in ParameterWords: the shown number is rounded, not the parameter.
    explicit ParameterScale(const ParameterInfo& info, double factor = 1);

    [[nodiscard]] int last_stop() const { return static_cast<int>(stops_.size()) - 1; }
    /// From 0 to last_stop(): rising values with three digits; whole numbers where the parameter counts, with
    /// a stop for every small one.
    [[nodiscard]] double value_at(int stop) const;
    /// The nearest stop.
    [[nodiscard]] int stop_of(double value) const;

private:
    std::vector<double> stops_;
};

} // namespace sparsight
