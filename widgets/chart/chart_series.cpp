#include "widgets/chart/chart_series.h"

#include <algorithm>

namespace sparsight {

ChartColour series_colour(std::size_t index) {
    return static_cast<ChartColour>(static_cast<int>(ChartColour::Series1) + static_cast<int>(index % 8));
}

const QString& name_of(const ChartSeries& series) {
    return std::visit([](const auto& one) -> const QString& { return one.name; }, series);
}

ChartColour colour_of(const ChartSeries& series) {
    if (const auto* const bars = std::get_if<BarSeries>(&series)) {
        if (bars->bars.empty())
            return ChartColour::Accent;
        const auto own =
            std::ranges::find_if(bars->bars, [](const Bar& bar) { return bar.colour != ChartColour::Lose; });
        return (own == bars->bars.end() ? bars->bars.front() : *own).colour;
    }
    if (const auto* const histogram = std::get_if<Histogram>(&series))
        return histogram->colour;
    if (const auto* const line = std::get_if<LineSeries>(&series))
        return line->colour;
    return std::get<ScatterSeries>(series).colour;
}

} // namespace sparsight
