#include "gui/schedules/speedup_bars.h"

#include "gui/schedules/results_model.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct Bars {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SpeedupBars)
};

ChartColour colour_of(const RankedResult& result) {
    if (result.row.is_fixed_csr)
        return ChartColour::Reference;
    const bool wins = *result.row.speedup_over_fixed_csr >= 1;
    if (result.is_in_noise)
        return wins ? ChartColour::FaintWin : ChartColour::FaintLose;
    return wins ? ChartColour::Win : ChartColour::Lose;
}

Bar speedup_bar(const RankedResult& result) {
    Bar bar;
    bar.value = *result.row.speedup_over_fixed_csr;
    bar.label = QString::fromStdString(result.row.schedule);
    bar.colour = colour_of(result);
    bar.key = key_of(result);
    bar.note = duration_with_spread(result.row.median_ms.value_or(0), result.row.spread_ms.value_or(0));
    if (result.is_in_noise)
        bar.note += QStringLiteral(" · ") + Bars::tr("may be noise");
    return bar;
}

} // namespace

BarSeries speedup_bars(std::span<const RankedResult> results) {
    BarSeries bars;
    bars.name = Bars::tr("speedup");
    bars.baseline = 1;
    for (const RankedResult& result : results)
        if (result.rank > 0 && result.row.speedup_over_fixed_csr)
            bars.bars.push_back(speedup_bar(result));
    return bars;
}

} // namespace sparsight
