#include "domains/sparse/simulator/line_costs.h"

#include "domains/sparse/simulator/mechanistic_formula.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

class LineAttribution {
public:
    LineAttribution(const SuperSchedule& schedule, const Extents& extents, const ScheduleProfile& profile,
                    const MachineParameters& machine)
        : profile_(profile)
        , machine_(machine)
        , placed_(instructions_by_place(machine, profile)) {
        costs_.nest = lower(canonical(schedule), extents, kernel_target(machine), profile.loops.fill);
        for (NestLine& line : print_lines(costs_.nest))
            costs_.lines.push_back({.line = std::move(line)});
        costs_.total = simulate(machine, profile);
    }

    LineCosts run() {
        add_instructions();
        add_transfers();
        for (const TimeTerm term : {TimeTerm::Compute, TimeTerm::FillIn})
            share_out(term, cycles());
        for (const TimeTerm term : {TimeTerm::Imbalance, TimeTerm::Regions, TimeTerm::Chunks})
            share_out(term, lines_of(LineRole::Parallel));
        return std::move(costs_);
    }

private:
    using Weights = std::vector<double>; ///< by line

    static constexpr double index_bytes = 4;
    static constexpr double value_bytes = 4;

    /// Of the lines with a role, and of one loop where it is told: 1 in all, divided as branches divide them.
    [[nodiscard]] Weights lines_of(LineRole role, std::optional<Variable> loop = {}) const {
        return weights([&](const NestLine& line) {
            if (line.role != role || (loop && line.variable != *loop))
                return 0.0;
            const bool is_of_elements = role == LineRole::Update || role == LineRole::Store;
            return line.visits * (is_of_elements ? static_cast<double>(line.tile_elements) : 1);
        });
    }

    /// Of the lines that touch an operand.
    [[nodiscard]] Weights lines_that_touch(Operand operand) const {
        return weights([&](const NestLine& line) {
            return std::ranges::find(line.touches, operand) == line.touches.end()
                       ? 0.0
                       : line.visits * static_cast<double>(line.tile_elements);
        });
    }

    [[nodiscard]] Weights weights(const std::function<double(const NestLine&)>& weight) const {
        Weights weights;
        for (const CostedLine& costed : costs_.lines)
            weights.push_back(weight(costed.line));
        return normal(std::move(weights));
    }

    /// What no line has is the update's: every nest has one.
    [[nodiscard]] Weights normal(Weights weights) const {
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        if (sum <= 0) {
            std::ranges::fill(weights, 0);
            const auto update = std::ranges::find(costs_.lines, LineRole::Update,
                                                  [](const CostedLine& costed) { return costed.line.role; });
            weights[static_cast<std::size_t>(update - costs_.lines.begin())] = 1;
            return weights;
        }
        for (double& weight : weights)
            weight /= sum;
        return weights;
    }

    void share_out(TimeTerm term, const Weights& among) {
        const Weights shares = normal(among);
        for (std::size_t at = 0; at < shares.size(); ++at)
            costs_.lines[at].time[term] = costs_.total[term] * shares[at];
    }

    void add(
        const InstructionCounts& counts, const Weights& among,
        const std::function<bool(MachineParameter)>& is_wanted = [](MachineParameter) { return true; }) {
        for (const InstructionKind& kind : instruction_kinds) {
            const double count = counts.*kind.count;
            if (count <= 0 || !is_wanted(kind.cycles))
                continue;
            for (std::size_t at = 0; at < among.size(); ++at)
                if (among[at] > 0) {
                    costs_.lines[at].instructions.push_back({kind.cycles, count * among[at]});
                    costs_.lines[at].cycles += count * among[at] * machine_[kind.cycles];
                }
        }
    }

    void add_runs(double runs, const Weights& among) {
        for (std::size_t at = 0; at < among.size(); ++at)
            costs_.lines[at].runs += runs * among[at];
    }

    void add_instructions() {
        const auto reads_crd = [](MachineParameter kind) {
            return kind == MachineParameter::CompressedIteration;
        };
        for (std::size_t depth = 0; depth < placed_.loops.size(); ++depth) {
            const OrderedLoop& loop = placed_.order.loops[depth];
            const InstructionCounts& counts = placed_.loops[depth];
            const Weights head = lines_of(LineRole::Loop, loop.coordinate);
            // Strips run the loops inside them again and again.
            const double runs = std::max(counts.compressed_iterations, placed_.iterations[depth]);
            add(counts, head, std::not_fn(reads_crd));
            add_runs(runs, head);
            if (loop.kind == LoopKind::Compressed) {
                const Weights coordinate = lines_of(LineRole::Coordinate, loop.coordinate);
                add(counts, coordinate, reads_crd);
                add_runs(runs, coordinate);
            }
        }
        const auto& iterations = placed_.iterations;
        add(placed_.update, lines_of(LineRole::Update));
        add_runs(iterations.empty() ? 1 : iterations.back(), lines_of(LineRole::Update));
        add(placed_.tile, lines_of(LineRole::Store));
    }

    [[nodiscard]] Weights cycles() const {
        Weights cycles;
        for (const CostedLine& costed : costs_.lines)
            cycles.push_back(costed.cycles);
        return cycles;
    }

    /// A's bytes by line: each of its arrays where it is read.
    [[nodiscard]] Weights lines_that_read_a() const {
        Weights bytes(costs_.lines.size(), 0.0);
        const auto add = [&](double of_array, const Weights& among) {
            for (std::size_t at = 0; at < bytes.size(); ++at)
                bytes[at] += of_array * among[at];
        };
        const auto& positions = profile_.storage.positions;
        for (const OrderedLoop& loop : placed_.order.loops) {
            if (loop.kind != LoopKind::Compressed)
                continue;
            const double parents = loop.level == 0 ? 1 : static_cast<double>(positions[loop.level - 1]);
            add(index_bytes * (parents + 1), lines_of(LineRole::Loop, loop.coordinate));
            add(index_bytes * static_cast<double>(positions[loop.level]),
                lines_of(LineRole::Coordinate, loop.coordinate));
        }
        add(value_bytes * static_cast<double>(positions.back()), lines_that_touch(Operand::A));
        return normal(std::move(bytes));
    }

    void add_transfers() {
        const mechanistic::Formula<double> formula(machine_, profile_, placed_.total);
        const mechanistic::CacheMisses<double> misses = formula.cache_misses();
        const bool has_third = formula.has_third_cache();
        const std::array<Weights, mechanistic::cleared_output + 1> lines{
            lines_that_read_a(), lines_that_touch(Operand::B), lines_that_touch(Operand::D),
            lines_that_touch(Operand::C), lines_of(LineRole::Clear)};
        Weights latency(costs_.lines.size(), 0.0);
        for (std::size_t operand = 0; operand < lines.size(); ++operand)
            for (std::size_t at = 0; at < costs_.lines.size(); ++at) {
                CostedLine& costed = costs_.lines[at];
                const double share = lines[operand][at];
                costed.l2_bytes += misses.first[operand].bytes * share;
                costed.l3_bytes += has_third ? misses.second[operand].bytes * share : 0;
                costed.memory_bytes += misses.last[operand].bytes * share;
                latency[at] +=
                    misses.last[operand].segments * machine_[MachineParameter::MemoryLatency] * share;
                if (has_third)
                    latency[at] +=
                        misses.second[operand].segments * machine_[MachineParameter::L3Latency] * share;
            }
        share_out(TimeTerm::Latency, latency);
        for (const auto& [term, bytes] : {std::pair{TimeTerm::L2Traffic, &CostedLine::l2_bytes},
                                          std::pair{TimeTerm::L3Traffic, &CostedLine::l3_bytes},
                                          std::pair{TimeTerm::MemoryTraffic, &CostedLine::memory_bytes}}) {
            Weights of_lines;
            for (const CostedLine& costed : costs_.lines)
                of_lines.push_back(costed.*bytes);
            share_out(term, of_lines);
        }
    }

    const ScheduleProfile& profile_;
    const MachineParameters& machine_;
    PlacedInstructions placed_;
    LineCosts costs_;
};

} // namespace

LineCosts line_costs(const SuperSchedule& schedule, const Extents& extents, const ScheduleProfile& profile,
                     const MachineParameters& machine) {
    return LineAttribution(schedule, extents, profile, machine).run();
}

} // namespace sparsight
