#include "cli/evaluation_rematch.h"

#include "base/stopwatch.h"
#include "cli/timed_stop.h"
#include "collection/rematch.h"
#include "evaluation/contenders.h"
#include "evaluation/rematch_times.h"
#include "store/rematches.h"
#include "store/stored_pattern.h"

#include <fmt/format.h>
#include <vector>

namespace sparsight {

namespace {

struct Round {
    const MatrixRecord* matrix = nullptr;
    std::vector<SuperSchedule> schedules;
};

/// Those that there is something to do on.
Result<std::vector<Round>> rounds_of(Workspace& workspace, const EvaluationScope& scope,
                                     std::span<const MatrixRecord> matrices, int turns, bool again) {
    std::vector<Round> rounds;
    for (const MatrixRecord& matrix : matrices) {
        auto schedules = contenders(workspace, scope, matrix);
        if (!schedules)
            return std::unexpected(std::move(schedules).error());
        const auto known = RematchTimes::read(workspace, scope.run, matrix.id);
        if (!known)
            return std::unexpected(known.error());
        if (!schedules->empty() && (again || !known->are_of(*schedules, turns)))
            rounds.push_back({&matrix, *std::move(schedules)});
    }
    return rounds;
}

/// Tells of measurements over all rounds.
class RoundProgress {
public:
    RoundProgress(const std::vector<Round>& rounds, int turns, JobEvents& events, ProgressDisplay& display)
        : events_(events)
        , display_(display)
        , turns_(static_cast<std::uint64_t>(turns)) {
        for (const Round& round : rounds)
            total_ += measurements(round);
    }

    void begin(const Round& round) {
        what_ = fmt::format("measuring the fastest on {} in turns", round.matrix->name);
    }
    void tell(std::uint64_t done_of_round) {
        const std::uint64_t done = before_ + done_of_round;
        std::optional<Seconds> left;
        if (done > 0)
            left = Seconds(stopwatch_.seconds() / static_cast<double>(done) *
                           static_cast<double>(total_ - done));
        events_.progress(what_, done, total_);
        display_.show({.what = what_, .done = done, .total = total_, .left = left});
    }
    void end(const Round& round) { before_ += measurements(round); }

private:
    [[nodiscard]] std::uint64_t measurements(const Round& round) const {
        return round.schedules.size() * turns_;
    }

    JobEvents& events_;
    ProgressDisplay& display_;
    std::uint64_t turns_;
    Stopwatch stopwatch_;
    std::string what_;
    std::uint64_t before_ = 0;
    std::uint64_t total_ = 0;
};

Result<std::vector<RematchTime>> measure(Workspace& workspace, const Round& round,
                                         const RematchSettings& settings, const std::stop_token& stop,
                                         RoundProgress& progress) {
    auto pattern = load_pattern(workspace, round.matrix->id);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    progress.begin(round);
    return measure_in_turns(*std::move(pattern), round.schedules, settings, stop,
                            [&](const Progress& state) { progress.tell(state.done); });
}

} // namespace

Result<RematchOutcome> run_rematch(Workspace& workspace, const EvaluationScope& scope,
                                   std::span<const MatrixRecord> matrices, const CollectionRequest& measuring,
                                   std::optional<Seconds> time, JobEvents& events, ProgressDisplay& display,
                                   const std::stop_token& stop) {
    RematchSettings settings;
    settings.dense = scope.dense;
    settings.threads = measuring.threads;
    settings.protocol = measuring.protocol;
    settings.limits = measuring.limits;
    const auto rounds = rounds_of(workspace, scope, matrices, settings.turns, measuring.again);
    if (!rounds)
        return std::unexpected(rounds.error());
    std::optional<TimedStop> out_of_time;
    if (time)
        out_of_time.emplace(stop, *time);
    RematchOutcome outcome;
    RoundProgress progress(*rounds, settings.turns, events, display);
    for (const Round& round : *rounds) {
        const auto times =
            measure(workspace, round, settings, out_of_time ? out_of_time->token() : stop, progress);
        if (!times) {
            outcome.complete = false;
            if (times.error().fault == Fault::Cancelled)
                break;
            outcome.failures.push_back({round.matrix->name, "", times.error()});
        } else if (auto stored = record_rematch(workspace, scope.run, round.matrix->id, *times); !stored) {
            return std::unexpected(std::move(stored).error());
        }
        progress.end(round);
    }
    return outcome;
}

} // namespace sparsight
