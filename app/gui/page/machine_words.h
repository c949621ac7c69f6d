// The words of all pages for machines and simulated times: names, meanings and readable units of a machine's
// parameters, the stops of sliders over them, and the terms of a simulated time.
#pragma once

#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "machine/machine_parameters.h"
#include "widgets/chart/plots/stacked_picture.h"

#include <QString>
#include <vector>

namespace sparsight {

struct ParameterWords {
    QString name;
    QString meaning;   ///< a sentence or two
    QString unit;      ///< "KiB" where the parameter counts bytes; may be empty
    double factor = 1; ///< the parameter's value is the shown number times this factor
};

[[nodiscard]] ParameterWords parameter_words(MachineParameter parameter);
[[nodiscard]] QString parameter_group_title(ParameterGroup group);

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

struct TimeTermWords {
    QString name;
    QString meaning; ///< starts in lower case and has no full stop, for tooltips
};

[[nodiscard]] TimeTermWords time_term_words(TimeTerm term);

/// All terms as parts of bars, in the order of all_time_terms(), each in its colour.
[[nodiscard]] std::vector<StackedTerm> time_terms();

} // namespace sparsight
