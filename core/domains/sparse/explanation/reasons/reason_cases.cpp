#include "domains/sparse/explanation/reasons/reason_cases.h"

#include "domains/sparse/simulator/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

using P = MachineParameter;

constexpr std::array told{P::Sockets,       P::Cores,           P::Threads,      P::ClockRate,
                          P::Lanes,         P::L1Bytes,         P::L2Bytes,      P::L3Bytes,
                          P::CoreBandwidth, P::SocketBandwidth, P::MemoryLatency};
constexpr std::array<std::pair<P, std::string_view>, told.size()> titles{{
    {P::Sockets, "sockets"},
    {P::Cores, "cores"},
    {P::Threads, "threads"},
    {P::ClockRate, "clock"},
    {P::Lanes, "float lanes"},
    {P::L1Bytes, "L1 cache"},
    {P::L2Bytes, "L2 cache"},
    {P::L3Bytes, "last-level caches"},
    {P::CoreBandwidth, "bandwidth of a core"},
    {P::SocketBandwidth, "bandwidth of a socket"},
    {P::MemoryLatency, "memory latency"},
}};

} // namespace

std::span<const MachineParameter> reported_parameters() {
    return told;
}

std::string title(MachineParameter parameter) {
    const auto found = std::ranges::find(titles, parameter, &std::pair<P, std::string_view>::first);
    return std::string(found == titles.end() ? parameter_info(parameter).key : found->second);
}

std::string reported_unit(MachineParameter parameter) {
    const std::string_view unit = parameter_info(parameter).unit;
    return std::string(unit == "B" ? "KiB" : unit);
}

double reported_value(MachineParameter parameter, double value) {
    return parameter_info(parameter).unit == "B" ? value / 1024 : value;
}

std::string short_number(double value) {
    if (value == std::round(value) && std::abs(value) < 1e15)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

Result<SimulatedPairs::Counted*> SimulatedPairs::counted(std::size_t place) {
    if (const auto known = counted_.find(place); known != counted_.end())
        return &known->second;
    auto pattern = patterns_(place);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    std::erase_if(counted_, [](const auto& each) { return each.first != 0; });
    Counted fresh;
    fresh.pattern = *std::move(pattern);
    fresh.counts = std::make_unique<ProfiledPattern>(*fresh.pattern);
    return &counted_.emplace(place, std::move(fresh)).first->second;
}

Result<std::optional<double>> SimulatedPairs::time(Counted& counted, const SuperSchedule& schedule,
                                                   const MachineParameters& machine) const {
    auto known = counted.profiles.find(schedule);
    if (known == counted.profiles.end()) {
        auto profile = counted.counts->profile(schedule, dense_);
        if (!profile)
            return std::unexpected(std::move(profile).error());
        const StorageFormat format = storage_format(schedule, counted.pattern->rows, counted.pattern->cols);
        const bool is_too_large =
            refusal(format, profile->storage, Certainty::Exact, csr_bytes(*counted.pattern), PackingLimits())
                .has_value();
        known = counted.profiles
                    .emplace(schedule, is_too_large ? std::nullopt : std::optional(*std::move(profile)))
                    .first;
    }
    if (!known->second)
        return std::nullopt;
    return simulate(machine, *known->second).total();
}

Result<PairTimes> SimulatedPairs::times(const ReasonCase& of) {
    const auto at = counted(of.pattern);
    if (!at)
        return std::unexpected(at.error());
    const MachineParameters machine = resolve_parameters(of.machine).values;
    const auto schedule = time(**at, of.schedule, machine);
    const auto against = time(**at, of.against, machine);
    if (!schedule || !against)
        return std::unexpected((schedule ? against : schedule).error());
    return PairTimes{*schedule, *against, TimeOrigin::Simulated};
}

namespace {

Viewport part_of(const SaliencyReason& grid, const SaliencyCell& cell) {
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    return {grid.row_edges[row], grid.row_edges[row + 1], grid.column_edges[column],
            grid.column_edges[column + 1]};
}

/// By row, then column.
std::vector<SaliencyCell> filled_cells(const DensityGrid& grid) {
    std::vector<SaliencyCell> cells;
    for (std::int64_t row = 0; row < grid.height(); ++row)
        for (std::int64_t column = 0; column < grid.width(); ++column)
            if (const auto entries = grid.counts[static_cast<std::size_t>(row * grid.width() + column)];
                entries > 0)
                cells.push_back({.row = row, .column = column, .entries = entries});
    return cells;
}

} // namespace

CsrPattern without_entries(const CsrPattern& pattern, const Viewport& part, std::int64_t every) {
    CsrPattern left;
    left.rows = pattern.rows;
    left.cols = pattern.cols;
    left.row_pointers.reserve(pattern.row_pointers.size());
    left.column_ids.reserve(pattern.column_ids.size());
    std::int64_t met = 0;
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const bool is_touched = row >= part.row_begin && row < part.row_end;
        const auto begin = pattern.row_pointers[static_cast<std::size_t>(row)];
        const auto end = pattern.row_pointers[static_cast<std::size_t>(row) + 1];
        for (std::int64_t place = begin; place < end; ++place) {
            const std::int32_t column = pattern.column_ids[static_cast<std::size_t>(place)];
            if (is_touched && column >= part.col_begin && column < part.col_end && met++ % every == 0)
                continue;
            left.column_ids.push_back(column);
        }
        left.row_pointers.push_back(left.nnz());
    }
    return left;
}

Result<SaliencyReason> find_saliency(const OcclusionRequest& request) {
    if (request.pattern.nnz() == 0)
        return fail(Fault::Input, "the matrix has no entries");
    DensityGrid grid = overview(request.pattern, request.cells, request.cells, request.threads);
    const auto whole = request.margin(request.pattern);
    if (!whole)
        return std::unexpected(whole.error());
    SaliencyReason reason{.margin = *whole, .cells = filled_cells(grid)};
    reason.row_edges = std::move(grid.row_edges);
    reason.column_edges = std::move(grid.col_edges);
    // A pattern without any entry is none that a model has ever seen.
    const std::int64_t every = reason.cells.size() == 1 && reason.cells.front().entries > 1 ? 2 : 1;
    reason.removed_share = 1.0 / static_cast<double>(every);

    std::vector<std::size_t> order(reason.cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t place) { return reason.cells[place].entries; });
    for (std::size_t done = 0; done < order.size(); ++done) {
        if (request.stop.stop_requested())
            return fail(Fault::Cancelled, "stopped between two cells");
        if (request.is_over && request.is_over()) {
            reason.complete = false;
            break;
        }
        if (request.progress)
            request.progress({"taking cells of the pattern away", done, order.size()});
        SaliencyCell& cell = reason.cells[order[done]];
        const auto margin = request.margin(without_entries(request.pattern, part_of(reason, cell), every));
        if (!margin)
            return std::unexpected(margin.error());
        cell.support = *whole - *margin;
    }
    return reason;
}

} // namespace sparsight
