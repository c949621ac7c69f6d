#include "model/network_description.h"

#include <cmath>

namespace sparsight {
namespace {

/// Sizes and counts grow without bound; shares lie between 0 and 1 and stay as they are.
bool is_unbounded(const Statistic& statistic) {
    return !statistic.unit.empty() || statistic.name.ends_with("_variation") ||
           statistic.name.starts_with("tile_reuse");
}

} // namespace

std::string_view name(Architecture architecture) {
    return architecture == Architecture::WacoNet ? "waconet" : "statistics";
}

std::optional<Architecture> parse_architecture(std::string_view text) {
    for (const Architecture architecture : {Architecture::WacoNet, Architecture::StatisticsNet})
        if (text == name(architecture))
            return architecture;
    return std::nullopt;
}

std::vector<double> matrix_numbers(Architecture architecture, const PatternStatistics& of) {
    if (architecture == Architecture::WacoNet)
        return {static_cast<double>(of.rows), static_cast<double>(of.cols), static_cast<double>(of.nnz)};
    std::vector<double> numbers;
    for (const Statistic& statistic : statistics()) {
        const double value = statistic.of(of);
        numbers.push_back(is_unbounded(statistic) ? std::log1p(value) : value);
    }
    return numbers;
}

} // namespace sparsight
