#include "collection/rematch.h"

#include "collection/measurement_safeguards.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

std::string why_without_time(const Measurement& measurement) {
    if (measurement.reason.empty())
        return std::string(name(measurement.status));
    return fmt::format("{}: {}", name(measurement.status), measurement.reason);
}

class Rematch {
public:
    Rematch(ScheduleMeasurer& measurer, std::span<const SuperSchedule> schedules, int threads, int turns)
        : measurer_(measurer)
        , turns_(turns) {
        for (const SuperSchedule& schedule : schedules) {
            players_.push_back({.schedule = schedule});
            players_.back().schedule.threads = threads;
        }
    }

    Result<std::vector<RematchTime>> run(const std::stop_token& stop, const ProgressSink& progress) {
        std::uint64_t done = 0;
        const std::uint64_t total = players_.size() * static_cast<std::uint64_t>(turns_);
        for (int turn = 0; turn < turns_; ++turn) {
            for (RematchTime& player : players_) {
                if (stop.stop_requested())
                    return fail(Fault::Cancelled, "stopped while schedules were measured in turns");
                if (progress)
                    progress({"measuring in turns", done++, total});
                if (auto measured = measure(player); !measured)
                    return std::unexpected(std::move(measured).error());
            }
            std::ranges::reverse(players_); // none is always the one behind another
        }
        if (turns_ % 2 == 1)
            std::ranges::reverse(players_);
        return std::move(players_);
    }

private:
    Result<void> measure(RematchTime& player) {
        if (!player.error.empty())
            return {}; // what has missed a turn is compared with nothing
        const auto measurement = measurer_.measure(player.schedule);
        if (!measurement && measurement.error().fault == Fault::Cancelled)
            return std::unexpected(measurement.error());
        if (measurement && measurement->status == MeasurementStatus::Measured) {
            player.turns_ms.push_back(measurement->median.count());
            return {};
        }
        // Memory that was short for one schedule, as in a collection, is no reason to give up the others.
        player.error = measurement ? why_without_time(*measurement) : measurement.error().text();
        player.turns_ms.clear();
        return {};
    }

    ScheduleMeasurer& measurer_;
    int turns_;
    std::vector<RematchTime> players_;
};

Result<void> check(std::span<const SuperSchedule> schedules, const RematchSettings& settings) {
    if (settings.turns < 1 || settings.threads < 1)
        return fail(Fault::Input, fmt::format("{} turns on {} threads: expected 1 or more of both",
                                              settings.turns, settings.threads));
    for (const SuperSchedule& schedule : schedules)
        if (schedule.op != schedules.front().op)
            return fail(Fault::Input, fmt::format("a schedule of {} can't be measured beside one of {}",
                                                  name(schedule.op), name(schedules.front().op)));
    return {};
}

} // namespace

Result<std::vector<RematchTime>> measure_in_turns(CsrPattern pattern,
                                                  std::span<const SuperSchedule> schedules,
                                                  const RematchSettings& settings,
                                                  const std::stop_token& stop, const ProgressSink& progress) {
    if (auto checked = check(schedules, settings); !checked)
        return std::unexpected(std::move(checked).error());
    if (schedules.empty())
        return std::vector<RematchTime>{};
    const Operator op = schedules.front().op;
    auto workload = KernelInputs::make(std::move(pattern), op, op == Operator::SpMV ? 1 : settings.dense,
                                       settings.threads, operand_limit());
    if (!workload)
        return std::unexpected(std::move(workload).error());
    auto compiler = KernelCompiler::make();
    if (!compiler)
        return std::unexpected(std::move(compiler).error());
    MeasurementOptions options;
    options.protocol = settings.protocol;
    options.limits = settings.limits;
    try {
        Team team(settings.threads);
        ScheduleMeasurer measurer(*workload, *compiler, team, options);
        return Rematch(measurer, schedules, settings.threads, settings.turns).run(stop, progress);
    } catch (const std::system_error& error) {
        return fail(Fault::Environment,
                    fmt::format("{} threads can't be started: {}", settings.threads, error.what()));
    }
}

} // namespace sparsight
