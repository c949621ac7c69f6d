// The parameters of a machine in words, for all pages: names, meanings, and units that people read.
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
    double factor = 1; ///< the parameter's value is what is shown times this
};

[[nodiscard]] ParameterWords parameter_words(MachineParameter parameter);
[[nodiscard]] QString parameter_group_title(ParameterGroup group);

/// "512 KiB", "1 MiB", "3.70 GHz", "64"; sizes exactly where they are whole, in KiB below 1 MiB. Uses the
/// program's number style.
[[nodiscard]] QString parameter_text(MachineParameter parameter, double value);

// The stops of a slider over a parameter of a machine: by factors, as machines differ by factors.

class ParameterScale {
public:
    /// `factor` as in ParameterWords: it is what people read that is rounded.
    explicit ParameterScale(const ParameterInfo& info, double factor = 1);

    [[nodiscard]] int last_stop() const { return static_cast<int>(stops_.size()) - 1; }
    /// From 0 to last_stop(): rising, with three digits; whole numbers where the parameter counts, of which
    /// the small ones all have a stop.
    [[nodiscard]] double value_at(int stop) const;
    /// The nearest one.
    [[nodiscard]] int stop_of(double value) const;

private:
    std::vector<double> stops_;
};

// The parts of a simulated time in words, for all pages.

struct TimeTermWords {
    QString name;
    QString meaning; ///< without a capital and a full stop, for hovering
};

[[nodiscard]] TimeTermWords time_term_words(TimeTerm term);

/// All of them as parts of bars, in the order of all_time_terms(), each in its colour.
[[nodiscard]] std::vector<StackedTerm> time_terms();

} // namespace sparsight
