#include "gui/whatif/what_if_words.h"

#include "gui/page/parameter_words.h"

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

QString term_title(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
        return Words::tr("compute");
    case TimeTerm::FillIn:
        return Words::tr("fill-in");
    case TimeTerm::L2Traffic:
        return Words::tr("L2 traffic");
    case TimeTerm::L3Traffic:
        return Words::tr("L3 traffic");
    case TimeTerm::MemoryTraffic:
        return Words::tr("memory traffic");
    case TimeTerm::Latency:
        return Words::tr("latency");
    case TimeTerm::Imbalance:
        return Words::tr("imbalance");
    case TimeTerm::Regions:
        return Words::tr("parallel regions");
    case TimeTerm::Chunks:
        return Words::tr("chunks");
    }
    return {};
}

QString term_meaning(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
        return Words::tr("instructions for entries that are there, over cores, clock and lanes");
    case TimeTerm::FillIn:
        return Words::tr("instructions for explicit zeros that the format stores");
    case TimeTerm::L2Traffic:
        return Words::tr("cache lines that come from the L2, as what is used again does not fit the L1");
    case TimeTerm::L3Traffic:
        return Words::tr("cache lines that come from the L3, as what is used again does not fit the L2");
    case TimeTerm::MemoryTraffic:
        return Words::tr("cache lines that come from memory, over its bandwidth");
    case TimeTerm::Latency:
        return Words::tr("waiting for lines that no prefetcher foresaw");
    case TimeTerm::Imbalance:
        return Words::tr("cores that wait for the one that has the most work");
    case TimeTerm::Regions:
        return Words::tr("opening and closing parallel regions");
    case TimeTerm::Chunks:
        return Words::tr("handing chunks of the parallel loop to threads");
    }
    return {};
}

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
    for (const TimeTerm term : all_time_terms())
        terms.push_back({term_title(term), term_meaning(term), term_colour(term), term == TimeTerm::FillIn});
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
