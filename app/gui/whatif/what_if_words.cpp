#include "gui/whatif/what_if_words.h"

#include "gui/page/parameter_words.h"
#include "gui/page/time_term_words.h"

#include <QCoreApplication>
#include <array>

namespace sparsight {

namespace {

using P = MachineParameter;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WhatIf)
};

constexpr std::array sliders{P::Cores,   P::Lanes,   P::SocketBandwidth, P::CoreBandwidth, P::MemoryLatency,
                             P::L1Bytes, P::L2Bytes, P::L3Bytes,         P::ChunkCost};

ChartColour term_colour(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
    case TimeTerm::FillIn:
        return ChartColour::Series1;
    case TimeTerm::L2Traffic:
        return ChartColour::Series5;
    case TimeTerm::L3Traffic:
        return ChartColour::Series8;
    case TimeTerm::MemoryTraffic:
        return ChartColour::Series3;
    case TimeTerm::Latency:
        return ChartColour::Series4;
    case TimeTerm::Imbalance:
        return ChartColour::Series2;
    case TimeTerm::Regions:
        return ChartColour::Series6;
    case TimeTerm::Chunks:
        return ChartColour::Series7;
    }
    return ChartColour::Reference;
}

} // namespace

std::span<const MachineParameter> slider_parameters() {
    return sliders;
}

ChartAxis parameter_axis(MachineParameter parameter) {
    const ParameterWords words = parameter_words(parameter);
    const bool is_bytes = parameter_info(parameter).unit == "B";
    ChartAxis axis;
    axis.title = words.name;
    axis.logarithmic = true;
    axis.format = is_bytes ? ValueFormat::Bytes : ValueFormat::Number;
    if (!is_bytes)
        axis.unit = words.unit;
    return axis;
}

std::vector<StackedTerm> time_terms() {
    std::vector<StackedTerm> terms;
    for (const TimeTerm term : all_time_terms()) {
        const TimeTermWords words = time_term_words(term);
        terms.push_back({words.name, words.meaning, term_colour(term), term == TimeTerm::FillIn});
    }
    return terms;
}

StackedTerm scaled_term() {
    return {Words::tr("time × constant factor"),
            Words::tr("what the schedule took, times latency / (cores · bandwidth) of the machine"),
            ChartColour::Reference, false};
}

QString paper_reason() {
    return Words::tr("Every time is multiplied by the same latency / (cores · bandwidth): all bars grow or "
                     "shrink together, so no slider can change who wins.");
}

} // namespace sparsight
