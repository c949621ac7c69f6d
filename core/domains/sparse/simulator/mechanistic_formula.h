// The closed formula of the mechanistic simulator. It is a template so that the calibration can differentiate
// it by the machine's parameters; everything else includes simulator.h.
//
//   T = [Σ tᵢᵖ]^(1/p) + imbalance + regions · cost + chunks · cost / threads
//   tᵢ: instructions, transfers between L1, L2, L3 and memory, latency
//
// Terms, with the machine's parameters in capitals:
//   instructions   Σ count · CYCLES(kind) / (CLOCK · cores); kinds: loop starts and iterations by level
//                  format, vectors and scalars added to registers or to C in memory; ⌈extent / LANES⌉
//                  vectors a loop; and for each compressed loop that runs another number of times than the
//                  time before MISPREDICTED_EXIT cycles (loop_counts.h, with sources)
//   transfers      bytes that miss a cache by the layer condition (memory_scopes.h) over the bandwidth behind
//                  it; saturating: P(n) = min(n · P(1), socket) (ECM: Stengel et al., ICS 2015), remote
//                  memory by 1/b = f_local/b + f_remote · PENALTY/b
//   latency        far apart pieces that miss, times the latency behind, over cores · OUTSTANDING misses
//                  (Little's law)
//   p = OVERLAP: 1 adds the times up, large values let the longest one hide the others
//   imbalance      the same sum for the busiest thread (schedule_profile.h), less that of the average thread;
//                  the fewer cores are busy, the faster they are: LONE_GAIN for a single one, and for n of N
//                  LONE_GAIN^(1 − log n / log N)
//   regions        TEAM_START + regions · REGION_COST
//   chunks         chunks of a thread · CHUNK_COST, which grows with the threads where nothing is known of
//                  it: they take chunks from one counter, in turn
#pragma once

#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace sparsight::mechanistic {

/// How sharply a scope stops to fit as it outgrows a cache: at the cache's size half of it is taken to fit.
inline constexpr double cache_sharpness = 3;

template <typename Scalar>
Scalar power(const Scalar& base, const Scalar& exponent) {
    using std::exp;
    using std::log;
    return exp(exponent * log(base));
}

inline double number(double value) {
    return value;
}
/// Of a number that carries its derivatives.
template <typename Scalar>
double number(const Scalar& value) {
    return value.value();
}

/// In which numbers the misses of a cache are computed. They depend on its capacities alone, so that numbers
/// with the derivatives of a whole machine specialise this by numbers with two.
template <typename Scalar>
struct InCapacities {
    using Number = Scalar;

    [[nodiscard]] const Scalar& whole(const Number& number) const { return number; }

    Number of_core; ///< bytes of the cache that one core has
    Number of_one;  ///< bytes of one cache, for all cores that share it
};

/// What passes into a cache.
template <typename Scalar>
struct Misses {
    Scalar bytes{0};
    Scalar segments{0};
};
/// Of A, B, D and C, and of C once more where it is cleared.
inline constexpr std::size_t cleared_output = 4;
template <typename Scalar>
using OperandMisses = std::array<Misses<Scalar>, cleared_output + 1>;

/// Misses of the first, the second and the last caches.
template <typename Scalar>
struct CacheMisses {
    OperandMisses<Scalar> first;
    OperandMisses<Scalar> second;
    OperandMisses<Scalar> last;
};

template <typename Scalar>
class Formula {
public:
    Formula(const BasicMachineParameters<Scalar>& machine, const ScheduleProfile& profile,
            const InstructionCounts& instructions, std::optional<TimeTerm> without = std::nullopt)
        : machine_(machine)
        , profile_(profile)
        , instructions_(instructions)
        , without_(without)
        , threads_(std::max(1.0, constant(MachineParameter::Threads)))
        , cores_(std::min(threads_, constant(MachineParameter::Cores)))
        , regions_(instructions.regions) {
        opens_regions_ = regions_ > 0 && threads_ > 1 && (profile.chunks > 1 || is_tacos_code());
        waits_ = regions_ > 0 && threads_ > 1 && !opens_regions_ ? cores_ : 1;
        if (!opens_regions_)
            threads_ = cores_ = 1;
        gain_ = speed_of(cores_);
        const double cores_of_cache = std::max(1.0, constant(P::Cores) / constant(P::L3Caches));
        third_caches_ = std::ceil(cores_ / cores_of_cache);
    }

    BasicSimulatedTime<Scalar> run() const {
        BasicSimulatedTime<Scalar> time;
        time.parts.fill(Scalar(0)); // a number with derivatives begins as anything
        const Scalar compute = instruction_time();
        time[TimeTerm::FillIn] = compute * profile_.loops.fill_in;
        time[TimeTerm::Compute] = compute - time[TimeTerm::FillIn];
        const Scalar memory_bytes = add_transfers(time);
        leave_out(time);
        combine(time, memory_bytes);
        if (opens_regions_) {
            time[TimeTerm::Regions] = (machine_[P::TeamStart] + machine_[P::RegionCost] * regions_) * 1e-3;
            time[TimeTerm::Chunks] =
                machine_[P::ChunkCost] * (1e-3 * regions_ * std::ceil(profile_.chunks / threads_));
        }
        if (waits_ > 1)
            tell_waiting(time);
        leave_out(time);
        return time;
    }

    [[nodiscard]] CacheMisses<Scalar> cache_misses() const {
        CacheMisses<Scalar> misses{misses_of(own_cache(P::L1Bytes)), misses_of(own_cache(P::L2Bytes)), {}};
        misses.last = has_third_cache() ? misses_of(third_cache()) : misses.second;
        return misses;
    }

    [[nodiscard]] bool has_third_cache() const { return constant(P::L3Bytes) > 0; }

private:
    using P = MachineParameter;

    [[nodiscard]] double constant(P parameter) const { return number(machine_[parameter]); }

    /// Generated code that updates C in memory is TACO's; it runs under OpenMP.
    [[nodiscard]] bool is_tacos_code() const { return constant(P::Accumulators) == 0; }

    /// Of a core while so many are busy, over its speed while all are.
    [[nodiscard]] Scalar speed_of(double busy) const {
        const double all = constant(P::Cores);
        if (all <= 1)
            return Scalar(1);
        const Scalar alone = constant(P::LoneGain) < all ? machine_[P::LoneGain] : Scalar(all);
        return power<Scalar>(alone, Scalar(1 - std::log(std::max(1.0, busy)) / std::log(all)));
    }

    /// Cores that the threads are worth: a second thread of a core adds what SMT gains.
    [[nodiscard]] Scalar core_equivalents() const {
        const double spare = constant(P::Threads) - cores_;
        if (threads_ <= cores_ || spare <= 0)
            return Scalar(cores_);
        return (machine_[P::SmtGain] - 1.0) * (cores_ * (threads_ - cores_) / spare) + cores_;
    }

    [[nodiscard]] Scalar instruction_time() const {
        Scalar cycles(0);
        for (const InstructionKind& kind : instruction_kinds)
            cycles += machine_[kind.cycles] * (instructions_.*kind.count);
        return cycles * 1e-6 / (machine_[P::ClockRate] * gain_ * core_equivalents());
    }

    /// What the cores of one of `caches` caches touch in one execution of a scope.
    [[nodiscard]] static double footprint(const MemoryScope& scope, double caches) {
        double bytes = 0;
        for (const OperandVolume& operand : scope.operands) {
            const bool divided = !scope.inside_parallel && operand.sharing == Sharing::Divided;
            bytes += operand.bytes / (divided ? caches : 1);
        }
        return bytes / scope.executions;
    }

    /// Which part of such a footprint stays in a cache from one use to the next, 0 to 1.
    template <typename Number>
    [[nodiscard]] static Number fit(double footprint, const Number& capacity) {
        if (footprint <= 0)
            return Number(1);
        return 1.0 / (1.0 + power<Number>(footprint / capacity, Number(cache_sharpness)));
    }

    struct CacheLevel {
        Scalar of_core;  ///< bytes of it that one core has
        Scalar of_one;   ///< bytes of one cache, for all cores that share it
        double count;    ///< lines that are in one of so many are not in the others
        double streamed; ///< share of C's bytes that passes where C is written past the caches
    };

    /// Stores past the caches spare reading what is overwritten (Lowering::output_exceeds_caches).
    [[nodiscard]] bool streams_output() const {
        const double third = constant(P::L3Bytes);
        const double last = third > 0 ? third / constant(P::L3Caches) : constant(P::L2Bytes);
        return instructions_.fills_output_lines && profile_.output_bytes > last / 2;
    }

    /// What passes into a level: of the outermost scope that fits. The whole nest that fits is there from the
    /// run before, as runs are repeated. In the next region, as in the next run, chunks are handed out anew:
    /// what a cache kept of operands that threads divide is then mostly another one's, and what was written
    /// has to come from there.
    [[nodiscard]] OperandMisses<Scalar> misses_of(const CacheLevel& level) const {
        constexpr std::size_t output = 3;
        using Number = InCapacities<Scalar>::Number;
        const InCapacities<Scalar> capacities{level.of_core, level.of_one};
        OperandMisses<Number> result;
        std::array<Number, 4> remaining;
        remaining.fill(Number(1));
        const bool sunk = instructions_.sinks && !profile_.sunk_scopes.empty();
        const std::vector<MemoryScope>& scopes = sunk ? profile_.sunk_scopes : profile_.scopes;
        for (std::size_t s = 0; s < scopes.size(); ++s) {
            const MemoryScope& scope = scopes[s];
            const bool innermost = s + 1 == scopes.size();
            const Number fits = fit(footprint(scope, level.count),
                                    scope.inside_parallel ? capacities.of_core : capacities.of_one);
            for (std::size_t o = 0; o < scope.operands.size(); ++o) {
                const OperandVolume& operand = scope.operands[o];
                const bool stays = scope.inside_parallel || operand.sharing == Sharing::Common;
                const double same = stays ? 1 : 1 / level.count;
                const Number share = innermost ? remaining[o] : Number(remaining[o] * fits * same);
                const double bytes = operand.bytes * (o == output && streams_output() ? level.streamed : 1);
                if (s > 0) {
                    result[o].bytes += share * bytes;
                    result[o].segments += share * operand.segments;
                    if (o == output)
                        result[o].bytes += remaining[o] * fits * (1 - same) * operand.bytes;
                }
                remaining[o] -= share;
            }
        }
        if (instructions_.clears_output)
            result[cleared_output].bytes +=
                profile_.output_bytes * (1.0 - fit(profile_.output_bytes / cores_, capacities.of_core));
        OperandMisses<Scalar> whole;
        for (std::size_t o = 0; o < result.size(); ++o) {
            whole[o].bytes = capacities.whole(result[o].bytes);
            whole[o].segments = capacities.whole(result[o].segments);
        }
        return whole;
    }

    /// Of memory, for all that the cores can take or the sockets can give, and for what the busiest core
    /// alone could take if the others waited for it.
    [[nodiscard]] Scalar memory_bandwidth(double busiest) const {
        const double per_socket = std::max(1.0, constant(P::Cores) / constant(P::Sockets));
        const double sockets = std::min(constant(P::Sockets), std::ceil(cores_ / per_socket));
        const double remote = (sockets - 1) / sockets;
        const Scalar of_cores = machine_[P::CoreBandwidth] * (cores_ / busiest);
        const Scalar of_sockets = machine_[P::SocketBandwidth] * sockets;
        const Scalar all = of_cores < of_sockets ? of_cores : of_sockets;
        return all / (1.0 + remote * (machine_[P::RemotePenalty] - 1.0));
    }

    [[nodiscard]] CacheLevel own_cache(P bytes) const {
        return {machine_[bytes], machine_[bytes], cores_, 0};
    }
    /// With what its cores have in their own caches besides.
    [[nodiscard]] CacheLevel third_cache() const {
        constexpr double without_reading = 0.5;
        const double cores_of_cache = cores_ / third_caches_;
        const Scalar of_one =
            machine_[P::L3Bytes] / constant(P::L3Caches) + machine_[P::L2Bytes] * cores_of_cache;
        return {of_one / cores_of_cache, of_one, third_caches_, without_reading};
    }

    static Misses<Scalar> sum_of(const OperandMisses<Scalar>& operands) {
        Misses<Scalar> sum;
        for (const Misses<Scalar>& operand : operands) {
            sum.bytes += operand.bytes;
            sum.segments += operand.segments;
        }
        return sum;
    }

    /// Sets the transfers' terms; returns the bytes that come from memory.
    Scalar add_transfers(BasicSimulatedTime<Scalar>& time) const {
        const CacheMisses<Scalar> misses = cache_misses();
        const Misses<Scalar> first = sum_of(misses.first);
        const Misses<Scalar> second = sum_of(misses.second);
        const Misses<Scalar> third = sum_of(misses.last);
        const bool has_third = has_third_cache();

        const Scalar cores = gain_ * cores_;
        time[TimeTerm::L2Traffic] =
            first.bytes * 1e-6 / (machine_[P::L2Bandwidth] * machine_[P::ClockRate] * cores);
        if (has_third)
            time[TimeTerm::L3Traffic] = second.bytes * 1e-6 / (machine_[P::L3Bandwidth] * cores);
        time[TimeTerm::MemoryTraffic] = third.bytes * 1e-6 / memory_bandwidth(1);
        const Scalar in_flight = machine_[P::OutstandingMisses] * cores;
        time[TimeTerm::Latency] = third.segments * machine_[P::MemoryLatency] * 1e-6 / in_flight;
        if (has_third)
            time[TimeTerm::Latency] += second.segments * machine_[P::L3Latency] * 1e-6 / in_flight;
        return third.bytes;
    }

    /// The busiest of a team's work over the average's. In one region the real chunks are known; of many
    /// regions each has its share of them, and perhaps fewer than there are members.
    [[nodiscard]] double busiest_of(double team) const {
        const double of_all = 1 + profile_.balance.excess(team);
        if (regions_ <= 1)
            return of_all;
        const double idle = team / profile_.chunks;
        const double last_chunk = 1 + (team - 1) / (2 * profile_.chunks);
        return std::max(of_all, std::min(team, std::max(idle, last_chunk)));
    }
    /// Where threads share cores, a busy one has its core for itself while the others wait: it is never
    /// slower than one of a team of as many threads as there are cores.
    [[nodiscard]] double busiest_for_transfers() const {
        return std::min(busiest_of(threads_), busiest_of(cores_));
    }
    [[nodiscard]] double busiest_for_instructions() const {
        return std::min(busiest_of(threads_), busiest_of(cores_) * number(core_equivalents()) / cores_);
    }

    /// Of a parallel loop that one thread ran: what all could have shared, and that the others waited.
    void tell_waiting(BasicSimulatedTime<Scalar>& time) const {
        const Scalar share = gain_ / (speed_of(waits_) * waits_);
        for (const TimeTerm term : {TimeTerm::Compute, TimeTerm::FillIn, TimeTerm::L2Traffic,
                                    TimeTerm::L3Traffic, TimeTerm::MemoryTraffic, TimeTerm::Latency}) {
            time[TimeTerm::Imbalance] += time[term] * (1.0 - share);
            time[term] *= share;
        }
    }

    /// By what the busiest is slower than the average one. Some others are idle then, and it is faster.
    [[nodiscard]] Scalar slowdown(double busiest) const {
        return busiest * gain_ / speed_of(cores_ / busiest);
    }

    void leave_out(BasicSimulatedTime<Scalar>& time) const {
        if (without_)
            time[*without_] = Scalar(0);
    }

    static Scalar compute_of(const BasicSimulatedTime<Scalar>& time) {
        return time[TimeTerm::Compute] + time[TimeTerm::FillIn];
    }

    /// Σ tᵖ over what overlaps.
    [[nodiscard]] Scalar sum_of_powers(const BasicSimulatedTime<Scalar>& time) const {
        Scalar sum = powered(compute_of(time));
        for (const TimeTerm term : overlapping)
            sum += powered(time[term]);
        return sum;
    }
    [[nodiscard]] Scalar powered(const Scalar& time) const {
        constexpr double nothing = 1e-12; // ms; keeps the logarithm finite
        return power<Scalar>(time + nothing, machine_[P::Overlap]);
    }

    /// Of the same work on the busiest thread: all its own terms grow; memory gives it what the others leave.
    [[nodiscard]] BasicSimulatedTime<Scalar> on_busiest(BasicSimulatedTime<Scalar> time,
                                                        const Scalar& memory_bytes) const {
        for (const TimeTerm term : {TimeTerm::Compute, TimeTerm::FillIn})
            time[term] *= slowdown(busiest_for_instructions());
        const double busiest = busiest_for_transfers();
        for (const TimeTerm term : {TimeTerm::L2Traffic, TimeTerm::L3Traffic, TimeTerm::Latency})
            time[term] *= slowdown(busiest);
        if (time[TimeTerm::MemoryTraffic] > 0)
            time[TimeTerm::MemoryTraffic] = memory_bytes * 1e-6 / memory_bandwidth(busiest);
        return time;
    }

    /// Lets the parts overlap: each keeps its share of Σ tᵖ, and what the busiest thread needs beyond that is
    /// imbalance.
    void combine(BasicSimulatedTime<Scalar>& time, const Scalar& memory_bytes) const {
        const Scalar inverse = 1.0 / machine_[P::Overlap];
        const Scalar sum = sum_of_powers(time);
        const Scalar total = power<Scalar>(sum, inverse);
        const Scalar busiest = power<Scalar>(sum_of_powers(on_busiest(time, memory_bytes)), inverse);
        const Scalar compute = compute_of(time);
        if (compute > 0) {
            const Scalar shrunk = total * powered(compute) / sum / compute;
            time[TimeTerm::Compute] *= shrunk;
            time[TimeTerm::FillIn] *= shrunk;
        }
        for (const TimeTerm term : overlapping)
            time[term] = total * powered(time[term]) / sum;
        time[TimeTerm::Imbalance] = busiest - total;
    }

    static constexpr std::array overlapping{TimeTerm::L2Traffic, TimeTerm::L3Traffic, TimeTerm::MemoryTraffic,
                                            TimeTerm::Latency};

    const BasicMachineParameters<Scalar>& machine_;
    const ScheduleProfile& profile_;
    const InstructionCounts& instructions_;
    std::optional<TimeTerm> without_;
    double threads_;
    double cores_;
    double regions_;
    /// Our own team runs a loop of one chunk, and one thread runs every loop, where it is met (Team::run);
    /// OpenMP opens a region for one chunk, too.
    bool opens_regions_ = false;
    double waits_ = 1;        ///< cores that could have shared a parallel loop which one of them runs
    double third_caches_ = 1; ///< that the cores use
    Scalar gain_{1};          ///< of a core by those that idle
};

} // namespace sparsight::mechanistic
