// Collecting: configurations are measured on workloads of a workspace, on this computer, and each measurement
// is stored as soon as it is made. What is stored already is left alone, so the same request goes on where it
// was stopped or killed.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "collection/measuring_domain.h"
#include "store/choices.h"
#include "store/machines.h"
#include "study/configuration.h"
#include "study/measurement.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sparsight {

class Workspace;

/// Drawn for each workload from its own space. The seed and the workload's name decide, so that a workload
/// gets the same configurations whatever else is collected beside it.
struct SampledConfigurations {
    std::string sampler{}; ///< of MeasuringDomain::samplers(); empty: the default
    int count = 100;
    std::uint64_t seed = 1;
};

/// The same list for every workload, as texts.
struct ListedConfigurations {
    std::vector<std::string> texts{};
};

/// Found by a search over measured times (collection_plan.h), until `count` configurations are measured on
/// each workload beside the baseline, those stored before included. The seed, the workload's name and the
/// times decide.
struct SearchedConfigurations {
    int count = 1000;
    std::uint64_t seed = 1;
};

/// A list for each workload, by its name: what models chose. For other workloads the baseline alone.
struct ConfigurationsByWorkload {
    std::map<std::string, std::vector<std::string>, std::less<>> texts{};
};

using WantedConfigurations = std::variant<SampledConfigurations, ListedConfigurations, SearchedConfigurations,
                                          ConfigurationsByWorkload>;

struct CollectionRequest {
    std::vector<std::string> workloads{}; ///< names; none: all whose data is known
    Setting setting{};
    WantedConfigurations wanted{};
    int threads = 1; ///< that configurations run on, whatever their texts say
    Protocol protocol = Protocol::Adaptive;
    std::uint64_t most_bytes = MeasuringConditions{}.most_bytes;
    bool again = false; ///< measure what was stored before this run began, too, and replace it
    /// For the whole collection; it ends between two measurements. Workloads get equal shares of what is
    /// left, and a workload that is done leaves its share to the others.
    std::optional<Seconds> budget{};
    MillisecondClock clock = steady_clock(); ///< of the budget and of what observers are told
};

/// After each configuration. `done` and `total` count configurations over all workloads, skipped ones
/// included.
struct CollectionStep {
    std::string_view workload;
    std::string_view configuration; ///< its text
    const Measurement& measurement;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    Seconds elapsed{};
    std::optional<Seconds> left; ///< an estimate from the speed so far
};

/// A workload that could not be measured at all, or one configuration on it that failed for no fault of its
/// own (out of memory) or for ours (a wrong result). What was measured beside it stands.
struct CollectionFailure {
    std::string workload;
    std::string configuration; ///< empty when the workload itself failed
    Error error;

    /// "workload: configuration: what happened", as one error for the user.
    [[nodiscard]] Error described() const;
};

struct CollectionSummary {
    std::int64_t measured = 0;  ///< with a time, given-up ones included
    std::int64_t given_up = 0;  ///< those of the measured whose time is a lower bound
    std::int64_t failed = 0;    ///< too large, mismatch, failed: stored as such
    std::int64_t too_large = 0; ///< those of the failed that exceed the limits
    std::int64_t kept = 0;      ///< given up or failed, so that an earlier time stands
    std::int64_t skipped = 0;   ///< stored before
    std::int64_t outdated = 0;  ///< stored by another engine, so that they had to be measured again
    Seconds elapsed{};
    bool complete = false; ///< nothing is left to measure
    std::vector<CollectionFailure> failures;

    [[nodiscard]] double configurations_per_second() const;
};

struct CollectionObserver {
    std::function<void(std::string_view workload, std::size_t number, std::size_t count)> on_workload;
    std::function<void(const CollectionStep&)> on_step;
};

/// The baseline, where the domain has one, is measured first on every workload. Stopping finishes the
/// measurement in flight. An error is one of the workspace or of the request; a workload that is not there or
/// cannot be loaded is a failure of the summary, and the others go on.
[[nodiscard]] Result<CollectionSummary> collect(Workspace& workspace, const MeasuringDomain& domain,
                                                MachineId machine, const CollectionRequest& request,
                                                const CollectionObserver& observer = {},
                                                const std::stop_token& stop = {});

inline constexpr int rematch_turns = 5;
inline constexpr int most_rematch_turns = 15;

/// Whether the times of all turns so far, in the order of the arguments, call for more turns.
using WantsTurn = std::function<bool(std::span<const ConfigurationTurns>)>;

/// Each configuration's times by turn, in the order of the arguments; one that can't be measured in every
/// turn has none, and the error. Every other turn goes backwards. After `turns` turns there are as many more,
/// up to most_rematch_turns, as long as `wants_turn` says so: asked after each, it would end too often on a
/// lucky one. Cancelled when it is stopped between two measurements of these `turns`: half a turn compares
/// nothing. Stopped later it keeps the turns that are whole. `progress` counts measurements; its total grows
/// with the turns. Error (Input): fewer than one turn.
[[nodiscard]] Result<std::vector<ConfigurationTurns>>
measure_in_turns(WorkloadMeasurer& measurer, std::span<const WrittenConfiguration> configurations,
                 int turns = rematch_turns, const std::stop_token& stop = {},
                 const ProgressSink& progress = {}, const WantsTurn& wants_turn = {});

inline constexpr int turns_of_a_heat = 2;

/// How many measurements fastest_by_halving() takes, where all of them can be measured.
[[nodiscard]] std::uint64_t measurements_of_halving(std::size_t configurations, std::size_t most);

/// The places of the fastest, by successive halving (Jamieson and Talwalkar, "Non-stochastic best arm
/// identification and hyperparameter optimization", AISTATS 2016): all take the turns of a heat, and the
/// half with the shorter geometric means over all heats goes on, until at most `most` are left. Where there
/// are no more than that, there is no heat. The times of heats only choose. What can't be measured comes
/// last. `progress` counts measurements. Cancelled when it is stopped.
[[nodiscard]] Result<std::vector<std::size_t>>
fastest_by_halving(WorkloadMeasurer& measurer, std::span<const WrittenConfiguration> configurations,
                   std::size_t most, const std::stop_token& stop = {}, const ProgressSink& progress = {});

} // namespace sparsight
