#include "gui/page/machine_words.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double kib = 1 << 10;
constexpr double mib = 1 << 20;

struct ParameterTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ParameterTexts)
};

ParameterWords hardware_words(MachineParameter parameter) {
    switch (parameter) {
    case MachineParameter::Sockets:
        return {
            ParameterTexts::tr("Sockets"),
            ParameterTexts::tr("Processors, each with a memory of its own that is farther from the others."),
            {}};
    case MachineParameter::Cores:
        return {ParameterTexts::tr("Cores"),
                ParameterTexts::tr(
                    "Physical cores of all sockets. Few large chunks of work leave some of many cores idle."),
                {}};
    case MachineParameter::Threads:
        return {ParameterTexts::tr("Threads"), ParameterTexts::tr("Hardware threads of all cores."), {}};
    case MachineParameter::SmtGain:
        return {
            ParameterTexts::tr("Hyper-threading speedup"),
            ParameterTexts::tr("What a core does with all its threads at work, over what it does with one."),
            QStringLiteral("×")};
    case MachineParameter::ClockRate:
        return {ParameterTexts::tr("Clock"),
                ParameterTexts::tr("Cycles a second. It makes loops faster, and memory not at all."),
                QStringLiteral("GHz")};
    case MachineParameter::LoneGain:
        return {ParameterTexts::tr("Single-core boost"),
                ParameterTexts::tr(
                    "How much faster a core is while all others idle: its clock, and what they share. The "
                    "more it is, the less a few busy threads lose."),
                QStringLiteral("×")};
    case MachineParameter::Lanes:
        return {ParameterTexts::tr("SIMD width (floats)"),
                ParameterTexts::tr(
                    "Numbers that one instruction handles. A loop shorter than this leaves lanes empty."),
                {}};
    case MachineParameter::UnrolledExtent:
        return {ParameterTexts::tr("Unrolled iterations"),
                ParameterTexts::tr(
                    "C compilers unroll an innermost loop of so few iterations as a whole, and then make no "
                    "vectors of it. 0 for generated code that has its own vectors."),
                {}};
    default:
        return {ParameterTexts::tr("Registers for a tile of C"),
                ParameterTexts::tr(
                    "Vector registers in which a tile of C is summed. 0: the generated code updates C "
                    "in memory, as TACO's does."),
                {}};
    }
}

ParameterWords memory_words(MachineParameter parameter) {
    switch (parameter) {
    case MachineParameter::L1Bytes:
        return {ParameterTexts::tr("L1 cache per core"),
                ParameterTexts::tr("The nearest: a few cycles away."), QStringLiteral("KiB"), kib};
    case MachineParameter::L2Bytes:
        return {ParameterTexts::tr("L2 cache per core"),
                ParameterTexts::tr("What is used again soon should fit here."), QStringLiteral("KiB"), kib};
    case MachineParameter::L3Bytes:
        return {ParameterTexts::tr("Total L3 cache"),
                ParameterTexts::tr("What all cores share before memory; 0 where there is none."),
                QStringLiteral("MiB"), mib};
    case MachineParameter::L3Caches:
        return {
            ParameterTexts::tr("Number of L3 caches"),
            ParameterTexts::tr(
                "Each serves as many cores. What one of them holds is far away for the cores of another."),
            {}};
    case MachineParameter::L2Bandwidth:
        return {ParameterTexts::tr("L2 bandwidth"),
                ParameterTexts::tr("Bandwidth between the L2 cache and one core."),
                ParameterTexts::tr("B/cycle")};
    case MachineParameter::L3Bandwidth:
        return {ParameterTexts::tr("L3 bandwidth"),
                ParameterTexts::tr("Bandwidth between the L3 cache and one core."), QStringLiteral("GB/s")};
    case MachineParameter::CoreBandwidth:
        return {ParameterTexts::tr("Memory bandwidth per core"),
                ParameterTexts::tr("One core alone gets no more from memory than this."),
                QStringLiteral("GB/s")};
    case MachineParameter::SocketBandwidth:
        return {ParameterTexts::tr("Memory bandwidth per socket"),
                ParameterTexts::tr(
                    "All cores of a socket share it. More cores than fill it do not help what is bound "
                    "by memory."),
                QStringLiteral("GB/s")};
    case MachineParameter::L3Latency:
        return {ParameterTexts::tr("L3 latency"),
                ParameterTexts::tr("One load from a random place in the cache."), QStringLiteral("ns")};
    case MachineParameter::MemoryLatency:
        return {ParameterTexts::tr("Memory latency"),
                ParameterTexts::tr("One load from a random place. Accesses that jump pay it."),
                QStringLiteral("ns")};
    case MachineParameter::OutstandingMisses:
        return {ParameterTexts::tr("Outstanding misses"),
                ParameterTexts::tr("Cache lines that one core waits for at once: they divide the latency."),
                {}};
    case MachineParameter::RemotePenalty:
        return {ParameterTexts::tr("Remote memory penalty"),
                ParameterTexts::tr("How much slower the memory of another socket is."), QStringLiteral("×")};
    default:
        return {ParameterTexts::tr("Overlap"),
                ParameterTexts::tr("How far computing and fetching overlap. 1: one waits for the other; more "
                                   "means more overlap."),
                {}};
    }
}

ParameterWords thread_words(MachineParameter parameter) {
    switch (parameter) {
    case MachineParameter::TeamStart:
        return {ParameterTexts::tr("Thread start-up cost"),
                ParameterTexts::tr("Waking them for the first parallel region of a run. Paid once."),
                QStringLiteral("µs")};
    case MachineParameter::RegionCost:
        return {
            ParameterTexts::tr("Parallel region cost"),
            ParameterTexts::tr("Meeting of all threads before and after. Paid once for each run of the loops "
                               "around the parallel one."),
            QStringLiteral("µs")};
    case MachineParameter::ChunkCost:
        return {ParameterTexts::tr("Chunk scheduling cost"),
                ParameterTexts::tr("Small chunks balance the load and cost this each time."),
                QStringLiteral("µs")};
    default:
        return {ParameterTexts::tr("Noise"),
                ParameterTexts::tr(
                    "Spread of the logarithm of a time that is measured again: 0.05 is about 5 %."),
                {}};
    }
}

ParameterWords code_words(MachineParameter parameter) {
    const auto cycles = [](const QString& name, const QString& meaning) {
        return ParameterWords{name, meaning, ParameterTexts::tr("cycles")};
    };
    switch (parameter) {
    case MachineParameter::CompressedStart:
        return cycles(ParameterTexts::tr("Entering a compressed loop"),
                      ParameterTexts::tr("Its first and last position are read."));
    case MachineParameter::MispredictedExit:
        return cycles(ParameterTexts::tr("Mispredicted exit of a compressed loop"),
                      ParameterTexts::tr("Paid when it runs another number of times than the time before, as "
                                         "where rows are of different lengths."));
    case MachineParameter::CompressedIteration:
        return cycles(ParameterTexts::tr("Iteration of a compressed loop"),
                      ParameterTexts::tr("A coordinate is read."));
    case MachineParameter::DenseStart:
        return cycles(ParameterTexts::tr("Entering a dense loop"),
                      ParameterTexts::tr("A loop over an uncompressed level."));
    case MachineParameter::DenseIteration:
        return cycles(ParameterTexts::tr("Iteration of a dense loop"),
                      ParameterTexts::tr("Cheaper than a compressed one: this is when padding pays."));
    case MachineParameter::VectorStart:
        return cycles(ParameterTexts::tr("Entering a vector loop"),
                      ParameterTexts::tr("The innermost loop over the dense columns."));
    case MachineParameter::TiledVector:
        return cycles(ParameterTexts::tr("Multiply-add of a vector, C in registers"), {});
    case MachineParameter::UpdatedVector:
        return cycles(ParameterTexts::tr("Multiply-add of a vector, C in memory"), {});
    case MachineParameter::TiledScalar:
        return cycles(ParameterTexts::tr("Multiply-add of a number, C in registers"), {});
    case MachineParameter::UpdatedScalar:
        return cycles(ParameterTexts::tr("Multiply-add of a number, C in memory"), {});
    default:
        return cycles(ParameterTexts::tr("Clearing and storing a vector of a tile"), {});
    }
}

/// Cache sizes that are whole numbers of a unit are not rounded: 1 MiB is not 1 020 KiB.
QString size_text(double bytes) {
    const bool is_small = std::round(bytes / kib) < mib / kib;
    const double shown = bytes / (is_small ? kib : mib);
    constexpr double whole_digits = 100; // from this value on, three digits leave no decimals
    const bool is_whole = shown == std::round(shown) || shown >= whole_digits;
    return with_unit(is_whole ? count_text(std::llround(shown)) : significant(shown),
                     is_small ? QStringLiteral("KiB") : QStringLiteral("MiB"));
}

} // namespace

ParameterWords parameter_words(MachineParameter parameter) {
    if (parameter == MachineParameter::Noise)
        return thread_words(parameter);
    switch (parameter_info(parameter).group) {
    case ParameterGroup::Hardware:
        return hardware_words(parameter);
    case ParameterGroup::Memory:
        return memory_words(parameter);
    case ParameterGroup::Threads:
        return thread_words(parameter);
    case ParameterGroup::Code:
        break;
    }
    return code_words(parameter);
}

std::vector<PagePart> parameter_parts(std::span<const ParameterInfo> parameters, const QString& kind) {
    std::vector<PagePart> parts;
    for (const ParameterInfo& info : parameters) {
        const ParameterWords words = parameter_words(info.parameter);
        parts.push_back({QString::fromUtf8(info.key.data(), static_cast<qsizetype>(info.key.size())),
                         words.name, kind, words.meaning});
    }
    return parts;
}

QString parameter_group_title(ParameterGroup group) {
    switch (group) {
    case ParameterGroup::Hardware:
        return ParameterTexts::tr("Processor");
    case ParameterGroup::Memory:
        return ParameterTexts::tr("Caches and memory");
    case ParameterGroup::Threads:
        return ParameterTexts::tr("Threads and chunks");
    case ParameterGroup::Code:
        break;
    }
    return ParameterTexts::tr("Cost of loops");
}

QString preset_title(const MachinePreset& preset) {
    const QString name = QString::fromStdString(preset.machine.name);
    return preset.key.starts_with("report-")
               ? ParameterTexts::tr("Example machine %1 (from the paper)").arg(name)
               : name;
}

QString parameter_text(MachineParameter parameter, double value) {
    if (parameter_info(parameter).unit == "B")
        return size_text(value);
    const ParameterWords words = parameter_words(parameter);
    const double shown = value / words.factor;
    const QString number =
        is_count(parameter_info(parameter)) ? count_text(std::llround(shown)) : significant(shown);
    return words.unit.isEmpty() ? number : with_unit(number, words.unit);
}

namespace {

constexpr int finest = 400; ///< maximal number of stops; two neighbours are a few pixels apart

double rounded(double value) {
    constexpr int digits = 3;
    const double unit = std::pow(10, std::floor(std::log10(value)) + 1 - digits);
    return std::round(value / unit) * unit;
}

/// The first stop above 0 where a range begins at 0, which no factor reaches.
double smallest_above_zero(const ParameterInfo& info) {
    if (is_count(info))
        return 1;
    constexpr double decades = 5;
    return info.highest * std::pow(10, -decades);
}

} // namespace

ParameterScale::ParameterScale(const ParameterInfo& info, double factor) {
    if (info.lowest <= 0)
        stops_.push_back(0);
    const double first = info.lowest > 0 ? info.lowest : smallest_above_zero(info);
    stops_.push_back(first);
    for (int stop = 1; stop < finest; ++stop) {
        const double value = first * std::pow(info.highest / first, static_cast<double>(stop) / finest);
        const double readable = is_count(info) ? std::round(value) : rounded(value / factor) * factor;
        if (readable > stops_.back() && readable < info.highest)
            stops_.push_back(readable);
    }
    stops_.push_back(info.highest);
}

double ParameterScale::value_at(int stop) const {
    return stops_[static_cast<std::size_t>(std::clamp(stop, 0, last_stop()))];
}

int ParameterScale::stop_of(double value) const {
    const auto above = std::ranges::lower_bound(stops_, value);
    if (above == stops_.begin())
        return 0;
    if (above == stops_.end())
        return last_stop();
    const double below = *std::prev(above);
    const bool is_nearer_below = below > 0 && value / below < *above / value;
    return static_cast<int>(above - stops_.begin()) - (is_nearer_below ? 1 : 0);
}

} // namespace sparsight
