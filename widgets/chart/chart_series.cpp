#include "widgets/chart/chart_series.h"

namespace sparsight {

ChartColour series_colour(std::size_t index) {
    return static_cast<ChartColour>(static_cast<int>(ChartColour::Series1) + static_cast<int>(index % 8));
}

const QString& name_of(const ChartSeries& series) {
    return std::visit([](const auto& one) -> const QString& { return one.name; }, series);
}

ChartColour colour_of(const ChartSeries& series) {
    if (const auto* const bars = std::get_if<BarSeries>(&series))
        return bars->bars.empty() ? ChartColour::Accent : bars->bars.front().colour;
    if (const auto* const histogram = std::get_if<Histogram>(&series))
        return histogram->colour;
    if (const auto* const line = std::get_if<LineSeries>(&series))
        return line->colour;
    return std::get<ScatterSeries>(series).colour;
}

} // namespace sparsight
