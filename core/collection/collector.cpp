#include "collection/collector.h"

#include "base/digest.h"
#include "collection/collection_plan.h"
#include "store/measurements.h"
#include "store/runs.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

std::string digest_text(const std::vector<std::string>& texts) {
    Digest digest;
    for (const std::string& text : texts)
        digest.add(std::string_view(text));
    return fmt::format("{:016x}", digest.value());
}

std::string digest_text(const ConfigurationsByWorkload& chosen) {
    Digest digest;
    for (const auto& [workload, texts] : chosen.texts) {
        digest.add(std::string_view(workload));
        digest.add(std::uint64_t{texts.size()});
        for (const std::string& text : texts)
            digest.add(std::string_view(text));
    }
    return fmt::format("{:016x}", digest.value());
}

/// The text that tells whether a run is the same as one that did not finish.
std::string parameters_of(const CollectionRequest& request, const MeasuringDomain& measuring,
                          MachineId machine) {
    const Domain& domain = measuring.domain();
    Json json{{domain.words().workload.many, request.workloads}};
    for (const SettingMember& member : domain.members(request.setting)) {
        if (const auto* const number = std::get_if<std::int64_t>(&member.value))
            json[member.key] = *number;
        else if (const auto* const text = std::get_if<std::string>(&member.value))
            json[member.key] = *text;
    }
    if (const auto* sampled = std::get_if<SampledConfigurations>(&request.wanted))
        json.update({{"sampler", sampled->sampler.empty() ? std::string(measuring.samplers().front())
                                                          : sampled->sampler},
                     {"count", sampled->count},
                     {"seed", sampled->seed}});
    else if (const auto* searched = std::get_if<SearchedConfigurations>(&request.wanted))
        json.update({{"searched", searched->count}, {"seed", searched->seed}});
    else if (const auto* by_workload = std::get_if<ConfigurationsByWorkload>(&request.wanted))
        json["chosen"] = digest_text(*by_workload);
    else
        json["listed"] = digest_text(std::get<ListedConfigurations>(request.wanted).texts);
    json.update({{"threads", request.threads},
                 {"protocol", name(request.protocol)},
                 {"machine", static_cast<std::int64_t>(machine)}});
    if (request.again)
        json["again"] = true;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What takes the process down is tried again, since the process may have been killed by hand.
constexpr int most_attempts = 3;

class Collection {
public:
    Collection(Workspace& workspace, const MeasuringDomain& domain, MachineId machine,
               const CollectionRequest& request, const CollectionObserver& observer,
               const std::stop_token& stop)
        : workspace_(workspace)
        , domain_(domain)
        , machine_(machine)
        , request_(request)
        , observer_(observer)
        , stop_(stop)
        , start_(request.clock()) {}

    Result<CollectionSummary> run() {
        auto unfinished = unfinished_run(workspace_, "collect", parameters_of(request_, domain_, machine_));
        if (!unfinished)
            return std::unexpected(std::move(unfinished).error());
        unfinished_ = *std::move(unfinished);
        if (auto planned = plan(); !planned)
            return std::unexpected(planned.error());
        const auto session = domain_.begin({.setting = request_.setting,
                                            .threads = request_.threads,
                                            .protocol = request_.protocol,
                                            .most_bytes = request_.most_bytes});
        if (!session)
            return std::unexpected(session.error());
        const auto run = begin_run();
        if (!run)
            return std::unexpected(run.error());
        const auto result = measure_all(**session, *run);
        summary_.elapsed = elapsed();
        const RunState state = !result             ? RunState::Failed
                               : summary_.complete ? RunState::Finished
                                                   : RunState::Stopped;
        const auto ended = end_run(workspace_, *run, state, result ? "" : result.error().text());
        if (!result)
            return std::unexpected(result.error());
        if (!ended)
            return std::unexpected(ended.error());
        return std::move(summary_);
    }

private:
    /// To measure again what an unfinished run has measured again already would never end.
    Result<void> plan() {
        std::optional<std::string> since;
        if (request_.again)
            since = unfinished_ ? unfinished_->started : measuring_date();
        auto planned = plan_collection(workspace_, domain_, machine_, request_, since);
        if (!planned)
            return std::unexpected(planned.error());
        summary_.outdated = planned->other_engines;
        plans_ = std::move(planned->workloads);
        summary_.failures = std::move(planned->failures);
        for (const WorkloadPlan& plan : plans_)
            summary_.skipped += static_cast<std::int64_t>(plan.stored());
        return {};
    }

    /// A search that finds no more makes it less.
    [[nodiscard]] std::uint64_t total() const {
        return std::accumulate(
            plans_.begin(), plans_.end(), std::uint64_t{0},
            [](std::uint64_t sum, const WorkloadPlan& plan) { return sum + plan.wanted(); });
    }

    /// Goes on with an unfinished run, unless a living process is at it.
    Result<RunId> begin_run() {
        if (unfinished_) {
            auto hold = RunHold::take(workspace_, unfinished_->id);
            if (hold) {
                hold_.emplace(*std::move(hold));
                if (auto resumed = resume_run(workspace_, unfinished_->id); !resumed)
                    return std::unexpected(std::move(resumed).error());
                return unfinished_->id;
            }
            if (hold.error().fault != Fault::Environment)
                return std::unexpected(std::move(hold).error());
        }
        const auto run = start_run(workspace_, "collect", parameters_of(request_, domain_, machine_));
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace_, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        hold_.emplace(*std::move(hold));
        return *run;
    }

    Result<void> measure_all(MeasuringSession& session, RunId run) {
        done_ = static_cast<std::uint64_t>(summary_.skipped);
        do {
            if (auto measured = measure_round(session, run); !measured)
                return measured;
        } while (!std::ranges::all_of(plans_, &WorkloadPlan::is_done) && !out_of_time());
        summary_.complete = done_ == total();
        return {};
    }

    /// Each workload for its share of the time that is left.
    Result<void> measure_round(MeasuringSession& session, RunId run) {
        auto sharing = std::ranges::count(plans_, false, &WorkloadPlan::is_done);
        for (std::size_t at = 0; at < plans_.size() && !out_of_time(); ++at) {
            WorkloadPlan& plan = plans_[at];
            const bool is_first_turn = at >= touched_;
            touched_ = std::max(touched_, at + 1);
            if (observer_.on_workload && (is_first_turn || !plan.is_done()))
                observer_.on_workload(plan.workload().name, at + 1, plans_.size());
            if (plan.is_done())
                continue;
            std::optional<Seconds> share_ends;
            if (request_.budget)
                share_ends = elapsed() + (*request_.budget - elapsed()) / static_cast<double>(sharing--);
            const auto measurer = session.open(workspace_, plan.workload());
            if (!measurer) {
                // The workload is not the workspace's fault: its file may be gone. The others go on.
                summary_.failures.push_back({plan.workload().name, "", measurer.error()});
                plan.give_up();
                continue;
            }
            if (auto measured = measure(plan, share_ends, **measurer, run); !measured)
                return measured;
        }
        return {};
    }

    /// At least one configuration in each turn, even when loading the workload took all the time.
    Result<void> measure(WorkloadPlan& plan, std::optional<Seconds> share_ends, WorkloadMeasurer& measurer,
                         RunId run) {
        const MeasurementConditions conditions = conditions_of(request_, machine_, plan.workload().id);
        const std::string engine = domain_.engine();
        const auto best =
            shortest_median(workspace_, conditions, domain_.stored_threads(request_.threads), engine);
        if (!best)
            return std::unexpected(best.error());
        if (*best && !request_.again)
            measurer.know(**best);
        if (stop_.stop_requested())
            return {};
        do {
            const WrittenConfiguration configuration = plan.current();
            const PendingMeasurement in_flight{plan.workload().name, request_.setting.text,
                                               configuration.text};
            const auto attempts = begin_attempt(workspace_, in_flight);
            if (!attempts)
                return std::unexpected(attempts.error());
            // No stop token inside: a measurement that has begun is worth finishing.
            auto measurement = *attempts > most_attempts ? died_before() : measurer.measure(configuration);
            if (measurement)
                measurement->engine = engine;
            plan.finish(measurement ? &*measurement : nullptr);
            if (!measurement) {
                summary_.failures.push_back(
                    {plan.workload().name, in_flight.configuration, measurement.error()});
                continue;
            }
            const auto is_stored =
                offer_measurement(workspace_, conditions, configuration, *measurement, run);
            if (!is_stored)
                return std::unexpected(is_stored.error());
            summary_.kept += *is_stored ? 0 : 1;
            count(in_flight, *measurement);
            tell(in_flight, *measurement);
        } while (!plan.is_done() && !out_of_time() && !(share_ends && elapsed() >= *share_ends));
        return end_attempts(workspace_);
    }

    static Result<Measurement> died_before() {
        Measurement measurement;
        measurement.status = MeasurementStatus::Failed;
        measurement.reason = "the program ended three times while it was measured";
        return measurement;
    }

    void count(const PendingMeasurement& in_flight, const Measurement& measurement) {
        ++done_;
        ++(has_time(measurement.status) ? summary_.measured : summary_.failed);
        summary_.given_up += measurement.status == MeasurementStatus::GaveUp ? 1 : 0;
        summary_.too_large += measurement.status == MeasurementStatus::TooLarge ? 1 : 0;
        const bool is_ours = measurement.status == MeasurementStatus::Mismatch ||
                             measurement.status == MeasurementStatus::Failed;
        if (is_ours)
            summary_.failures.push_back(
                {in_flight.workload, in_flight.configuration, {Fault::Internal, measurement.reason, {}, 0}});
    }

    void tell(const PendingMeasurement& measured, const Measurement& measurement) const {
        if (!observer_.on_step)
            return;
        const auto fresh = static_cast<double>(summary_.measured + summary_.failed);
        const Seconds spent = elapsed();
        std::optional<Seconds> left = spent / fresh * static_cast<double>(total() - done_);
        if (request_.budget)
            left = std::min(*left, std::max(Seconds(0), *request_.budget - spent));
        observer_.on_step(
            {measured.workload, measured.configuration, measurement, done_, total(), spent, left});
    }

    [[nodiscard]] Seconds elapsed() const { return request_.clock() - start_; }

    [[nodiscard]] bool out_of_time() const {
        return stop_.stop_requested() || (request_.budget && elapsed() >= *request_.budget);
    }

    Workspace& workspace_;
    const MeasuringDomain& domain_;
    MachineId machine_;
    const CollectionRequest& request_;
    const CollectionObserver& observer_;
    const std::stop_token& stop_;
    Milliseconds start_;
    std::vector<WorkloadPlan> plans_;
    std::optional<RunRecord> unfinished_; ///< with the same parameters
    std::optional<RunHold> hold_;
    std::size_t touched_ = 0; ///< plans whose first turn has come
    std::uint64_t done_ = 0;
    CollectionSummary summary_;
};

} // namespace

Error CollectionFailure::described() const {
    Error described = error;
    described.message = configuration.empty()
                            ? fmt::format("{}: {}", workload, error.message)
                            : fmt::format("{}: {}: {}", workload, configuration, error.message);
    return described;
}

double CollectionSummary::configurations_per_second() const {
    return elapsed.count() > 0 ? static_cast<double>(measured + failed) / elapsed.count() : 0;
}

Result<CollectionSummary> collect(Workspace& workspace, const MeasuringDomain& domain, MachineId machine,
                                  const CollectionRequest& request, const CollectionObserver& observer,
                                  const std::stop_token& stop) {
    if (request.threads < 1)
        return fail(Fault::Input, fmt::format("{} threads: expected 1 or more", request.threads));
    return Collection(workspace, domain, machine, request, observer, stop).run();
}

namespace {

std::string why_without_time(const Measurement& measurement) {
    if (measurement.reason.empty())
        return std::string(name(measurement.status));
    return fmt::format("{}: {}", name(measurement.status), measurement.reason);
}

Result<void> measure(WorkloadMeasurer& measurer, ConfigurationTurns& player) {
    if (!player.error.empty())
        return {}; // what has missed a turn is compared with nothing
    const auto measurement = measurer.measure(player.configuration);
    if (!measurement && measurement.error().fault == Fault::Cancelled)
        return std::unexpected(measurement.error());
    if (measurement && measurement->status == MeasurementStatus::Measured) {
        player.turns_ms.push_back(measurement->median.count());
        return {};
    }
    // Memory that was short for one configuration, as in a collection, is no reason to give up the others.
    player.error = measurement ? why_without_time(*measurement) : measurement.error().text();
    player.turns_ms.clear();
    return {};
}

} // namespace

Result<std::vector<ConfigurationTurns>>
measure_in_turns(WorkloadMeasurer& measurer, std::span<const WrittenConfiguration> configurations, int turns,
                 const std::stop_token& stop, const ProgressSink& progress, const WantsTurn& wants_turn) {
    if (turns < 1)
        return fail(Fault::Input, fmt::format("{} turns: expected 1 or more", turns));
    std::vector<ConfigurationTurns> players;
    for (const WrittenConfiguration& configuration : configurations)
        players.push_back({configuration, {}, {}});
    std::uint64_t done = 0;
    std::uint64_t total = players.size() * static_cast<std::uint64_t>(turns);
    const auto take_turn = [&](int turn) -> Result<void> {
        for (std::size_t at = 0; at < players.size(); ++at) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while configurations were measured in turns");
            if (progress)
                progress({"measuring in turns", done++, total});
            // Every other turn goes backwards: none is always the one behind another.
            if (auto measured = measure(measurer, players[turn % 2 == 0 ? at : players.size() - 1 - at]);
                !measured)
                return measured;
        }
        return {};
    };
    for (int turn = 0; turn < turns; ++turn)
        if (auto taken = take_turn(turn); !taken)
            return std::unexpected(std::move(taken).error());
    for (int turn = turns; turn < most_rematch_turns; ++turn) {
        if (const bool is_asked = turn % turns == 0; is_asked && !(wants_turn && wants_turn(players)))
            break;
        total += players.size();
        const std::vector<ConfigurationTurns> whole_turns = players;
        if (auto taken = take_turn(turn); !taken) {
            if (taken.error().fault == Fault::Cancelled)
                return whole_turns;
            return std::unexpected(std::move(taken).error());
        }
    }
    return players;
}

namespace {

/// Half of them, rounded up, but never fewer than are wanted.
std::size_t after_a_heat(std::size_t contestants, std::size_t wanted) {
    return std::max((contestants + 1) / 2, wanted);
}

} // namespace

std::uint64_t measurements_of_halving(std::size_t configurations, std::size_t most) {
    std::uint64_t measurements = 0;
    for (std::size_t left = configurations; left > std::max<std::size_t>(most, 1);
         left = after_a_heat(left, most))
        measurements += left * turns_of_a_heat;
    return measurements;
}

Result<std::vector<std::size_t>> fastest_by_halving(WorkloadMeasurer& measurer,
                                                    std::span<const WrittenConfiguration> configurations,
                                                    std::size_t most, const std::stop_token& stop,
                                                    const ProgressSink& progress) {
    std::vector<std::size_t> left(configurations.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<double> logarithms(configurations.size(), 0);
    const std::uint64_t total = measurements_of_halving(configurations.size(), most);
    std::uint64_t done = 0;
    while (left.size() > std::max<std::size_t>(most, 1)) {
        std::vector<WrittenConfiguration> heat;
        for (const std::size_t place : left)
            heat.push_back(configurations[place]);
        const auto times =
            measure_in_turns(measurer, heat, turns_of_a_heat, stop, [&](const Progress& state) {
                if (progress)
                    progress({state.stage, done + state.done, total});
            });
        if (!times)
            return std::unexpected(times.error());
        done += left.size() * turns_of_a_heat;
        for (std::size_t at = 0; at < heat.size(); ++at) {
            for (const double milliseconds : (*times)[at].turns_ms)
                logarithms[left[at]] += std::log(milliseconds);
            if ((*times)[at].turns_ms.empty())
                logarithms[left[at]] = std::numeric_limits<double>::infinity();
        }
        const std::size_t go_on = after_a_heat(left.size(), most);
        std::ranges::stable_sort(left, {}, [&](std::size_t place) { return logarithms[place]; });
        left.resize(go_on);
    }
    std::ranges::sort(left);
    return left;
}

} // namespace sparsight
