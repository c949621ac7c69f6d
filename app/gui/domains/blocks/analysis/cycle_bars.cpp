#include "gui/domains/blocks/analysis/cycle_bars.h"

#include "domains/blocks/tables/microarchitecture.h"

#include <QCoreApplication>
#include <limits>

namespace sparsight {

QString title_of_machine(const std::string& machine) {
    const auto known = find_microarchitecture(machine);
    return known ? QString::fromUtf8(known->title.data(), static_cast<qsizetype>(known->title.size()))
                 : QString::fromStdString(machine);
}

std::vector<ChartSeries> cycle_bars(const std::vector<CycleSource>& sources,
                                    const std::vector<std::string>& machines) {
    std::vector<ChartSeries> all;
    for (std::size_t at = 0; at < sources.size(); ++at) {
        const CycleSource& source = sources[at];
        BarSeries series{.name = source.name};
        for (const std::string& machine : machines) {
            const auto said = source.machines.find(machine);
            const bool is_known = said != source.machines.end() && said->second.cycles;
            Bar bar{.value = is_known ? *said->second.cycles : std::numeric_limits<double>::quiet_NaN(),
                    .label = title_of_machine(machine),
                    .colour = series_colour(at),
                    .hatched = source.is_predicted,
                    .key = QString::fromStdString(machine)};
            if (said != source.machines.end()) {
                bar.spread = said->second.spread.value_or(std::numeric_limits<double>::quiet_NaN());
                bar.note = said->second.note;
            }
            series.bars.push_back(std::move(bar));
        }
        all.emplace_back(std::move(series));
    }
    return all;
}

} // namespace sparsight
