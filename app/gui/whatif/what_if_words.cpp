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
