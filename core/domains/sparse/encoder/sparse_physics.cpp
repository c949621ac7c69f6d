#include "domains/sparse/encoder/sparse_physics.h"

#include "base/parallel.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

constexpr int profiled_threads = 1; // neither a profile nor an encoding depends on them

/// What a schedule chooses: splits, formats, parallel loop, chunk, and how deep each loop stands; numbers of
/// about 1.
std::vector<double> choices_of(const SuperSchedule& schedule) {
    constexpr double log_scale = 0.4; // of a power of two
    const ScheduleEncoding encoding = encode(schedule);
    std::vector<double> choices;
    for (const int split : encoding.splits)
        choices.push_back(log_scale * split);
    for (const int format : encoding.formats)
        choices.push_back(2.0 * format - 1);
    const std::size_t loops = loop_count(encoding.op);
    for (std::size_t loop = 0; loop < loops; ++loop)
        choices.push_back(std::cmp_equal(loop, encoding.parallel) ? 1 : 0);
    choices.push_back(log_scale * encoding.chunk);
    for (std::size_t loop = 0; loop < loops; ++loop)
        for (std::size_t depth = 0; depth < loops; ++depth)
            if (encoding.order[loop * loops + depth] != 0)
                choices.push_back(static_cast<double>(depth) - static_cast<double>(loops - 1) / 2);
    return choices;
}

class ProfiledSchedules final : public PhysicsProfile {
public:
    /// Absent profiles are of schedules whose storage is too large. Fixed CSR comes last.
    ProfiledSchedules(std::vector<std::optional<ScheduleProfile>> profiles, std::vector<double> choices)
        : profiles_(std::move(profiles))
        , choices_(std::move(choices)) {}

    [[nodiscard]] const std::vector<std::optional<ScheduleProfile>>& profiles() const { return profiles_; }

    /// The scopes of loops are most of a profile.
    [[nodiscard]] std::int64_t kept_size() const override {
        constexpr std::size_t coordinate = 100; // bytes
        std::size_t bytes = choices_.size() * sizeof(double);
        for (const auto& profile : profiles_)
            bytes += sizeof(profile) + (profile ? profile->scopes.size() + profile->sunk_scopes.size() : 0) *
                                           sizeof(MemoryScope);
        return static_cast<std::int64_t>(bytes / coordinate);
    }

    [[nodiscard]] PhysicsNumbers numbers(const MachineParameters& machine, int threads) const override {
        const DifferentiatedMachine differentiated(machine, {});
        FittedCoordinates steps{}; // of θ for one of ln parameter
        for (std::size_t p = 0; p < steps.size(); ++p)
            steps[p] = 1 / std::log(parameter_info(fitted_parameters()[p]).doubt);
        std::vector<double> sensitivities(profiles_.size() * fitted_parameter_count);
        PhysicsNumbers all = simulated(threads, [&](const ScheduleProfile& profile, std::size_t at) {
            const LogTime time = differentiated.log_time(profile, instructions_on(machine, profile));
            for (std::size_t p = 0; p < steps.size(); ++p)
                sensitivities[at * steps.size() + p] = time.gradient[p] * steps[p];
            return time.time;
        });
        all.sensitivities = std::move(sensitivities);
        return all;
    }

    [[nodiscard]] PhysicsNumbers times(const MachineParameters& machine, int threads) const override {
        return simulated(
            threads, [&](const ScheduleProfile& profile, std::size_t) { return simulate(machine, profile); });
    }

private:
    /// Times by time_of(profile, place), on several threads.
    template <typename TimeOf>
    [[nodiscard]] PhysicsNumbers simulated(int threads, TimeOf time_of) const {
        PhysicsNumbers all;
        all.log_times.resize(profiles_.size(), std::numeric_limits<double>::infinity());
        all.terms.resize(profiles_.size() * time_term_count);
        all.choices = choices_;
        parallel_parts(threads, static_cast<std::int64_t>(profiles_.size()),
                       [&](int, std::int64_t begin, std::int64_t end) {
                           for (auto at = static_cast<std::size_t>(begin); std::cmp_less(at, end); ++at) {
                               if (!profiles_[at])
                                   continue;
                               const SimulatedTime time = time_of(*profiles_[at], at);
                               all.log_times[at] = std::log(time.total());
                               std::ranges::copy(time.parts, all.terms.begin() + static_cast<std::ptrdiff_t>(
                                                                                     at * time_term_count));
                           }
                       });
        return all;
    }

    std::vector<std::optional<ScheduleProfile>> profiles_;
    std::vector<double> choices_;
};

class LookedAtMatrix final : public PhysicsWorkload {
public:
    LookedAtMatrix(const CsrPattern& pattern, const SparseSetting& setting)
        : pattern_(pattern)
        , setting_(setting) {}

    [[nodiscard]] Result<std::shared_ptr<const PhysicsProfile>>
    profile(std::span<const Configuration> configurations, int threads,
            const std::stop_token& stop) const override {
        std::vector<SuperSchedule> schedules = schedules_of(configurations, profiled_threads);
        schedules.push_back(fixed_csr(setting_.op, profiled_threads));
        auto profiles = profile_all(pattern_, schedules, setting_.dense, {.threads = threads, .stop = stop});
        if (!profiles)
            return std::unexpected(std::move(profiles).error());
        const std::size_t width = choices_of(schedules.back()).size();
        std::vector<std::optional<ScheduleProfile>> buildable(schedules.size());
        std::vector<double> choices(schedules.size() * width);
        parallel_parts(threads, static_cast<std::int64_t>(schedules.size()),
                       [&](int, std::int64_t begin, std::int64_t end) {
                           for (auto at = static_cast<std::size_t>(begin); std::cmp_less(at, end); ++at) {
                               if (!is_too_large(pattern_.pattern(), schedules[at], (*profiles)[at]))
                                   buildable[at] = std::move((*profiles)[at]);
                               std::ranges::copy(choices_of(schedules[at]),
                                                 choices.begin() + static_cast<std::ptrdiff_t>(at * width));
                           }
                       });
        return std::make_shared<const ProfiledSchedules>(std::move(buildable), std::move(choices));
    }

private:
    ProfiledPattern pattern_;
    SparseSetting setting_;
};

class SparsePhysics final : public Physics {
public:
    explicit SparsePhysics(const SparseSetting& setting)
        : setting_(setting) {}

    [[nodiscard]] std::string subject() const override {
        return fmt::format("{} {}", name(setting_.op), setting_.dense);
    }
    [[nodiscard]] std::span<const std::string_view> terms() const override {
        static const MechanisticSimulator simulator;
        return simulator.terms();
    }
    [[nodiscard]] std::size_t choice_count() const override {
        return choices_of(fixed_csr(setting_.op, profiled_threads)).size();
    }

    [[nodiscard]] std::unique_ptr<const PhysicsWorkload> look_at(const Payload& payload) const override {
        return std::make_unique<const LookedAtMatrix>(pattern_of(payload), setting_);
    }

    [[nodiscard]] MachineParameters machine(const MachineDescription& description,
                                            int threads) const override {
        const MachineDescription facts = without_calibration(description);
        return threads == 0 ? resolve_parameters(facts).values : parameters_for_threads(facts, threads);
    }

    [[nodiscard]] Result<MachineParameters> fit(const MachineParameters& before,
                                                std::span<const MeasuredProfile> measured, std::uint64_t seed,
                                                const std::stop_token& stop,
                                                const ProgressSink& progress) const override {
        std::vector<CalibrationMatrix> matrices;
        for (const MeasuredProfile& each : measured)
            if (CalibrationMatrix matrix = finite_times(each); !matrix.milliseconds.empty())
                matrices.push_back(std::move(matrix));
        CalibrationOptions options;
        options.seed = seed;
        auto found = calibrate(before, matrices, options, stop, progress);
        if (!found)
            return std::unexpected(std::move(found).error());
        return found->after;
    }

    [[nodiscard]] std::vector<double> workload_numbers(std::span<const double> statistics) const override {
        return matrix_numbers(Architecture::StatisticsNet, pattern_statistics(statistics));
    }
    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int threads) const override {
        return statistics_vector(compute_statistics(pattern_of(payload), threads));
    }

private:
    static CalibrationMatrix finite_times(const MeasuredProfile& measured) {
        CalibrationMatrix matrix{measured.workload, {}, {}, {}, measured.family};
        const auto& profiles = static_cast<const ProfiledSchedules&>(*measured.profile).profiles();
        for (std::size_t at = 0; at < measured.milliseconds.size(); ++at) {
            if (!std::isfinite(measured.milliseconds[at]) || !profiles[at])
                continue;
            matrix.profiles.push_back(*profiles[at]);
            matrix.milliseconds.push_back(measured.milliseconds[at]);
            if (!measured.spreads.empty())
                matrix.spreads.push_back(measured.spreads[at]);
        }
        return matrix;
    }

    SparseSetting setting_;
};

} // namespace

std::shared_ptr<const Physics> sparse_physics(const SparseSetting& setting) {
    return std::make_shared<const SparsePhysics>(setting);
}

} // namespace sparsight
