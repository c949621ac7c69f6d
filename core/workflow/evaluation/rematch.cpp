#include "workflow/evaluation/rematch.h"

#include "collection/collector.h"
#include "evaluation/rematch_times.h"
#include "store/choices.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

struct Round {
    const WorkloadRecord* workload = nullptr;
    Contenders contenders;
    std::vector<WrittenConfiguration> configurations; ///< of the contenders
    std::vector<WrittenConfiguration> challengers;    ///< likewise

    [[nodiscard]] std::uint64_t measurements_of_heats() const {
        return measurements_of_halving(challengers.size(), challengers_in_turns);
    }
    [[nodiscard]] std::uint64_t measurements() const {
        return measurements_of_heats() +
               (configurations.size() + std::min(challengers.size(), challengers_in_turns)) * rematch_turns;
    }
};

/// Those that there is something to do on.
Result<std::vector<Round>> rounds_of(Workspace& workspace, const MeasuringDomain& domain,
                                     const EvaluationScope& scope, std::span<const WorkloadRecord> workloads,
                                     const CollectionRequest& request) {
    const auto codec = domain.domain().codec(scope.setting);
    if (!codec)
        return std::unexpected(codec.error());
    std::vector<Round> rounds;
    for (const WorkloadRecord& workload : workloads) {
        auto found = contenders(workspace, domain.domain(), scope, workload.id, workload.name);
        if (!found)
            return std::unexpected(found.error());
        const auto known = RematchTimes::read(workspace, *codec, scope.run, workload.id);
        if (!known)
            return std::unexpected(known.error());
        if (found->configurations.empty() || (!request.again && known->are_of(*found, rematch_turns)))
            continue;
        Round round{&workload, *std::move(found), {}, {}};
        for (const auto& [configurations, written] :
             {std::pair(&round.contenders.configurations, &round.configurations),
              std::pair(&round.contenders.challengers, &round.challengers)})
            for (const Configuration& configuration : *configurations) {
                auto each = domain.written(scope.setting, (*codec)->text(configuration, request.threads),
                                           request.threads);
                if (!each)
                    return std::unexpected(std::move(each).error());
                written->push_back(*std::move(each));
            }
        rounds.push_back(std::move(round));
    }
    return rounds;
}

/// Tells of measurements over all rounds.
class RoundProgress {
public:
    RoundProgress(const std::vector<Round>& rounds, Observer& observer)
        : observer_(observer) {
        for (const Round& round : rounds)
            total_ += round.measurements();
    }

    void begin(const Round& round) {
        of_round_ = round.measurements();
        what_ = fmt::format("measuring the fastest on {} in turns", round.workload->name);
    }
    /// A noisy round has more turns than was foreseen.
    void tell(std::uint64_t done_of_round, std::uint64_t of_round) {
        total_ += of_round - of_round_;
        of_round_ = of_round;
        const std::uint64_t done = before_ + done_of_round;
        std::optional<Seconds> left;
        if (done > 0)
            left = Seconds(stopwatch_.seconds() / static_cast<double>(done) *
                           static_cast<double>(total_ - done));
        observer_.progress({.stage = what_, .done = done, .total = total_, .left = left});
    }
    void end() { before_ += of_round_; }

private:
    Observer& observer_;
    Stopwatch stopwatch_;
    std::string what_;
    std::uint64_t before_ = 0;
    std::uint64_t of_round_ = 0;
    std::uint64_t total_ = 0;
};

Result<std::vector<ConfigurationTurns>> measure(Workspace& workspace, MeasuringSession& session, Round round,
                                                const std::stop_token& stop, RoundProgress& progress) {
    progress.begin(round);
    const auto measurer = session.open(workspace, *round.workload);
    if (!measurer)
        return std::unexpected(measurer.error());
    const std::uint64_t of_heats = round.measurements_of_heats();
    const std::uint64_t of_turns = round.measurements() - of_heats;
    const auto faster =
        fastest_by_halving(**measurer, round.challengers, challengers_in_turns, stop,
                           [&](const Progress& state) { progress.tell(state.done, state.total + of_turns); });
    if (!faster)
        return std::unexpected(faster.error());
    for (const std::size_t place : *faster) {
        round.configurations.push_back(round.challengers[place]);
        round.contenders.add(round.contenders.challengers[place]);
    }
    return measure_in_turns(
        **measurer, round.configurations, rematch_turns, stop,
        [&](const Progress& state) { progress.tell(of_heats + state.done, of_heats + state.total); },
        [&](std::span<const ConfigurationTurns> times) { return !round.contenders.are_precise(times); });
}

} // namespace

Result<bool> wants_rematch(Workspace& workspace, const MeasuringDomain& domain, const EvaluationScope& scope,
                           std::span<const WorkloadRecord> workloads, const CollectionRequest& request) {
    const auto rounds = rounds_of(workspace, domain, scope, workloads, request);
    if (!rounds)
        return std::unexpected(rounds.error());
    return !rounds->empty();
}

Result<RematchOutcome> run_rematch(Workspace& workspace, const MeasuringDomain& domain,
                                   const EvaluationScope& scope, std::span<const WorkloadRecord> workloads,
                                   const CollectionRequest& request, std::optional<Seconds> time,
                                   Observer& observer, const std::stop_token& stop) {
    const auto rounds = rounds_of(workspace, domain, scope, workloads, request);
    if (!rounds)
        return std::unexpected(rounds.error());
    RematchOutcome outcome;
    if (rounds->empty())
        return outcome;
    const auto session = domain.begin({.setting = scope.setting,
                                       .threads = request.threads,
                                       .protocol = request.protocol,
                                       .most_bytes = request.most_bytes});
    if (!session)
        return std::unexpected(session.error());
    std::optional<TimedStop> out_of_time;
    if (time)
        out_of_time.emplace(stop, *time);
    RoundProgress progress(*rounds, observer);
    for (const Round& round : *rounds) {
        const auto times =
            measure(workspace, **session, round, out_of_time ? out_of_time->token() : stop, progress);
        if (!times) {
            outcome.complete = false;
            if (times.error().fault == Fault::Cancelled)
                break;
            outcome.failures.push_back({round.workload->name, "", times.error()});
        } else if (auto stored = record_turn_times(workspace, scope.run, round.workload->id, *times);
                   !stored) {
            return std::unexpected(std::move(stored).error());
        }
        progress.end();
    }
    return outcome;
}

} // namespace sparsight
