// Numeric inputs of networks: their standardisation, fitted on the training set, and the features of a
// machine.
#pragma once

#include "machine/machine_description.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Shift and scale of a network's numeric inputs.
struct Standardisation {
    std::vector<double> mean;
    std::vector<double> deviation; ///< above 0

    bool operator==(const Standardisation&) const = default;

    /// (x − mean) / deviation; as many numbers as there are means.
    [[nodiscard]] std::vector<float> apply(std::span<const double> numbers) const;
};

/// Fits mean and standard deviation (dividing by the number of rows) of each column of rows of equal length.
/// The deviation of a column that never varies is 1. At least one row.
[[nodiscard]] Standardisation fit_standardisation(std::span<const std::vector<double>> rows);

/// One fact, as (log2(value) − centre) / spread. Centre and spread are fixed, about those of today's desktops
/// and servers: a training set has too few machines to fit them.
struct MachineFeature {
    std::string_view name;
    std::string_view unit;
    double centre = 0;
    double spread = 1;
};

[[nodiscard]] std::span<const MachineFeature> machine_facts();

/// A machine as the numeric input of a network: two numbers for each fact, its value and 1 where it is
/// known. Both are 0 where it is unknown.
[[nodiscard]] std::vector<float> machine_features(const MachineDescription& machine);
[[nodiscard]] std::size_t machine_feature_count();

} // namespace sparsight
