// The closed formula of the mechanistic simulator. It is a template so that the calibration can differentiate
// it by the machine's parameters; everything else includes mechanistic_simulator.h.
//
//   T = [Σ tᵢᵖ]^(1/p) + imbalance + regions · cost + chunks · cost / threads
//   tᵢ: instructions, transfers between L1, L2, L3 and memory, latency
//
// Terms, with the machine's parameters in capitals:
//   instructions   Σ count · CYCLES(kind) / (CLOCK · cores); kinds: loop starts and iterations by level
//   format,
//                  vectors and scalars added to registers or to C in memory; ⌈extent / LANES⌉ vectors a loop
//   transfers      bytes that miss a cache by the layer condition (memory_scopes.h) over the bandwidth behind
//                  it; saturating: P(n) = min(n · P(1), socket) (ECM: Stengel et al., ICS 2015), remote
//                  memory by 1/b = f_local/b + f_remote · PENALTY/b
//   latency        far apart pieces that miss, times the latency behind, over cores · OUTSTANDING misses
//                  (Little's law)
//   p = OVERLAP: 1 adds the times up, large values let the longest one hide the others
//   imbalance      the same sum for the busiest thread (chunk_balance.h), less that of the average one
#pragma once

#include "machine/machine_parameters.h"
#include "machine/mechanistic/schedule_profile.h"
#include "machine/mechanistic/simulated_time.h"

#include <algorithm>
#include <cmath>
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
        , cores_(std::min(threads_, constant(MachineParameter::Cores))) {
        if (profile.regions == 0)
            threads_ = cores_ = 1;
    }

    BasicSimulatedTime<Scalar> run() const {
        BasicSimulatedTime<Scalar> time;
        const Scalar compute = instruction_time();
        time[TimeTerm::FillIn] = compute * profile_.loops.fill_in;
        time[TimeTerm::Compute] = compute - time[TimeTerm::FillIn];
        const Scalar memory_bytes = add_transfers(time);
        leave_out(time);
        combine(time, memory_bytes);
        time[TimeTerm::Regions] = machine_[P::RegionCost] * (1e-3 * profile_.regions);
        time[TimeTerm::Chunks] =
            machine_[P::ChunkCost] * (1e-3 * profile_.regions * std::ceil(profile_.chunks / threads_));
        leave_out(time);
        return time;
    }

private:
    using P = MachineParameter;

    [[nodiscard]] double constant(P parameter) const { return number(machine_[parameter]); }

    /// Cores that the threads are worth: a second thread of a core adds what SMT gains.
    [[nodiscard]] Scalar core_equivalents() const {
        const double spare = constant(P::Threads) - cores_;
        if (threads_ <= cores_ || spare <= 0)
            return Scalar(cores_);
        return (machine_[P::SmtGain] - 1.0) * (cores_ * (threads_ - cores_) / spare) + cores_;
    }

    [[nodiscard]] Scalar instruction_time() const {
        const InstructionCounts& counts = instructions_;
        const Scalar cycles = machine_[P::CompressedStart] * counts.compressed_starts +
                              machine_[P::CompressedIteration] * counts.compressed_iterations +
                              machine_[P::DenseStart] * counts.dense_starts +
                              machine_[P::DenseIteration] * counts.dense_iterations +
                              machine_[P::VectorStart] * counts.vector_starts +
                              machine_[P::TiledVector] * counts.tiled_vectors +
                              machine_[P::UpdatedVector] * counts.updated_vectors +
                              machine_[P::TiledScalar] * counts.tiled_scalars +
                              machine_[P::UpdatedScalar] * counts.updated_scalars +
                              machine_[P::TileVector] * counts.tile_vectors;
        return cycles * 1e-6 / (machine_[P::ClockRate] * core_equivalents());
    }

    struct Misses {
        Scalar bytes{0};
        Scalar segments{0};
    };

    /// What one core, or where the cache is shared all of them, touch in one execution of a scope.
    [[nodiscard]] double footprint(const MemoryScope& scope, bool of_one_core) const {
        double bytes = 0;
        for (const OperandVolume& operand : scope.operands) {
            const bool divided = of_one_core && !scope.inside_parallel && operand.sharing == Sharing::Divided;
            bytes += operand.bytes / (divided ? cores_ : 1);
        }
        return bytes / scope.executions;
    }

    /// Which part of such a footprint stays in a cache from one use to the next, 0 to 1.
    [[nodiscard]] static Scalar fit(double footprint, const Scalar& capacity) {
        if (footprint <= 0)
            return Scalar(1);
        return 1.0 / (1.0 + power<Scalar>(footprint / capacity, Scalar(cache_sharpness)));
    }

    struct Cache {
        Scalar own;      ///< bytes that one core has of it
        Scalar all;      ///< bytes that a scope outside the parallel loop has
        bool is_private; ///< lines that another core holds are not in it
    };

    /// What passes into a cache: of the outermost scope that fits. The whole nest that fits is there from the
    /// run before, as runs are repeated. In the next region, as in the next run, chunks are handed out anew:
    /// what a private cache kept is then mostly another core's.
    [[nodiscard]] Misses misses(const Cache& cache) const {
        Misses result;
        Scalar remaining(1);
        for (std::size_t s = 0; s < profile_.scopes.size(); ++s) {
            const MemoryScope& scope = profile_.scopes[s];
            const bool innermost = s + 1 == profile_.scopes.size();
            const double same_core = cache.is_private && !scope.inside_parallel ? 1 / threads_ : 1;
            const Scalar& bytes = scope.inside_parallel ? cache.own : cache.all;
            const Scalar share =
                innermost ? remaining
                          : Scalar(remaining * fit(footprint(scope, cache.is_private), bytes) * same_core);
            if (s > 0)
                for (const OperandVolume& operand : scope.operands) {
                    result.bytes += share * operand.bytes;
                    result.segments += share * operand.segments;
                }
            remaining -= share;
        }
        if (instructions_.clears_output)
            result.bytes += profile_.output_bytes * (1.0 - fit(profile_.output_bytes / cores_, cache.own));
        return result;
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

    /// Sets the transfers' terms; returns the bytes that come from memory.
    Scalar add_transfers(BasicSimulatedTime<Scalar>& time) const {
        const Scalar third_each = machine_[P::L3Bytes] / cores_ + machine_[P::L2Bytes];
        const Scalar third_all = machine_[P::L3Bytes] + machine_[P::L2Bytes] * cores_;
        const Misses first = misses({machine_[P::L1Bytes], machine_[P::L1Bytes], true});
        const Misses second = misses({machine_[P::L2Bytes], machine_[P::L2Bytes], true});
        const bool has_third = constant(P::L3Bytes) > 0;
        const Misses third = has_third ? misses({third_each, third_all, false}) : second;

        time[TimeTerm::L2Traffic] =
            first.bytes * 1e-6 / (machine_[P::L2Bandwidth] * machine_[P::ClockRate] * cores_);
        if (has_third)
            time[TimeTerm::L3Traffic] = second.bytes * 1e-6 / (machine_[P::L3Bandwidth] * cores_);
        time[TimeTerm::MemoryTraffic] = third.bytes * 1e-6 / memory_bandwidth(1);
        const Scalar in_flight = machine_[P::OutstandingMisses] * cores_;
        time[TimeTerm::Latency] = third.segments * machine_[P::MemoryLatency] * 1e-6 / in_flight;
        if (has_third)
            time[TimeTerm::Latency] += second.segments * machine_[P::L3Latency] * 1e-6 / in_flight;
        return third.bytes;
    }

    /// The busiest of a team's work over the average's. In one region the real chunks are known; of many
    /// regions each has its share of them, and perhaps fewer than there are members.
    [[nodiscard]] double busiest_of(double team) const {
        const double of_all = 1 + profile_.balance.excess(team);
        if (profile_.regions <= 1)
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
            time[term] *= busiest_for_instructions();
        const double busiest = busiest_for_transfers();
        for (const TimeTerm term : {TimeTerm::L2Traffic, TimeTerm::L3Traffic, TimeTerm::Latency})
            time[term] *= busiest;
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
};

} // namespace sparsight::mechanistic
