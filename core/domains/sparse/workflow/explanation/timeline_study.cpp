#include "domains/sparse/workflow/explanation/timeline_study.h"

#include "base/memory.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "domains/sparse/clock/timeline_recording.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulated_timeline.h"
#include "machine/probe/system_files.h"
#include "workflow/machines/measuring_turn.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

Result<TimelineAnswer> record(const ExplainRequest& request, NamedSubject subject, Observer& observer,
                              const std::stop_token& stop) {
    keep_freed_memory();
    const auto turn = measuring_turn(observer, stop);
    if (!turn)
        return std::unexpected(turn.error());
    auto inputs = KernelInputs::make(std::move(subject.matrix.pattern), request.op, request.dense,
                                     request.threads, operand_limit());
    if (!inputs)
        return std::unexpected(std::move(inputs).error());
    auto compiler = KernelCompiler::make();
    if (!compiler)
        return std::unexpected(std::move(compiler).error());
    try {
        Team team(request.threads);
        const BackgroundLoad others;
        auto timeline = record_timeline(
            subject.schedule, *inputs, *compiler, team,
            {.limits = {.max_bytes = operand_limit()}, .stop = stop, .progress = observer.sink()});
        if (!timeline)
            return std::unexpected(std::move(timeline).error());
        timeline->machine = subject.machine.machine.name;
        TimelineAnswer answer{subject.matrix.name, subject.schedule, *std::move(timeline)};
        if (const double taken = others.share().value_or(0); taken > disturbing_share)
            answer.busy_share = taken;
        return answer;
    } catch (const std::system_error& error) {
        return fail(Fault::Environment,
                    fmt::format("{} threads can't be started: {}", request.threads, error.what()));
    }
}

} // namespace

Result<TimelineAnswer> answer_timeline(const WorkspaceLocation& location, const ExplainRequest& request,
                                       Observer& observer, const std::stop_token& stop) {
    auto subject = named_subject(location, request);
    if (!subject)
        return std::unexpected(std::move(subject).error());
    std::vector<std::string> remarks = std::move(subject->remarks);
    auto answer = [&]() -> Result<TimelineAnswer> {
        if (request.measured)
            return record(request, *std::move(subject), observer, stop);
        auto timeline =
            simulated_timeline(ProfiledPattern(subject->matrix.pattern), subject->schedule, request.dense,
                               resolve_parameters(subject->machine.machine).values, stop);
        if (!timeline)
            return std::unexpected(std::move(timeline).error());
        timeline->machine = subject->machine.machine.name;
        return TimelineAnswer{subject->matrix.name, subject->schedule, *std::move(timeline)};
    }();
    if (answer)
        answer->remarks = std::move(remarks);
    return answer;
}

Json timeline_json(const ExplainRequest& request, const TimelineAnswer& answer) {
    return {{"matrix", answer.matrix},
            {"operator", name(request.op)},
            {"dense", dense_index(request.op) ? Json(request.dense) : Json()},
            {"schedule", to_text(answer.schedule)},
            {"timeline", timeline_json(answer.timeline)},
            {"busy_share", answer.busy_share ? Json(*answer.busy_share) : Json()}};
}

namespace {

std::string milliseconds_text(double milliseconds) {
    return fmt::format("{:.4g} ms", milliseconds);
}

std::string balance_text(const ThreadTimeline& timeline) {
    const LoadBalance balance = load_balance(timeline);
    const bool are_two = timeline.threads == 2;
    if (timeline.threads == 1)
        return fmt::format("One thread works {}.\n", milliseconds_text(balance.busiest_ms));
    if (!balance.waiting_ms || !balance.imbalance)
        return fmt::format(
            "Thread {} works longest: {}. How long threads wait in each region is not known.\n",
            balance.busiest + 1, milliseconds_text(balance.busiest_ms));
    if (balance.is_even())
        return fmt::format("{} work about as long: {} (imbalance {:.2f}×).\n",
                           are_two ? "Both threads" : fmt::format("All {} threads", timeline.threads),
                           milliseconds_text(balance.busiest_ms), *balance.imbalance);
    if (timeline.regions > 1)
        return fmt::format("The threads work {} and wait {} for each other on average, over {} regions "
                           "(imbalance {:.2f}×).\n",
                           milliseconds_text(balance.mean_ms), milliseconds_text(*balance.waiting_ms),
                           timeline.regions, *balance.imbalance);
    return fmt::format("Thread {} works {}, {} (imbalance {:.2f}×).\n", balance.busiest + 1,
                       milliseconds_text(balance.busiest_ms),
                       fmt::format(are_two ? fmt::runtime("the other one waits {} for it")
                                           : fmt::runtime("the others wait {} for it on average"),
                                   milliseconds_text(*balance.waiting_ms)),
                       *balance.imbalance);
}

std::string overhead_text(const ThreadTimeline& timeline) {
    if (!timeline.overhead)
        return {};
    const RecordingOverhead& cost = *timeline.overhead;
    std::string text = fmt::format("Recording costs {:.1f} % ± {:.1f} % of {}.\n", 100 * cost.share,
                                   100 * cost.error, milliseconds_text(timeline.plain_ms.value_or(0)));
    if (cost.disturbs())
        text += "That is more than 5 %: short chunks look longer than they are.\n";
    else if (cost.is_undecided())
        text += "Whether that is below 5 % is not decided: record again on a quiet computer.\n";
    return text;
}

std::string chunks_text(const ThreadTimeline& timeline) {
    std::string text = fmt::format(
        "{} of {}, {} in each", counted(timeline.regions, "region", "regions"), timeline.loop.name,
        counted(timeline.regions > 0 ? timeline.chunks / timeline.regions : 0, "chunk", "chunks"));
    if (!timeline.measured && timeline.regions > 1)
        text += "; the simulator knows their chunks together only and draws them as one";
    else if (timeline.is_merged())
        text += fmt::format("; {} intervals, as chunks that follow each other on a thread were merged",
                            timeline.intervals.size());
    return text + "\n";
}

Table threads_table(const ThreadTimeline& timeline) {
    struct Lane {
        std::int64_t chunks = 0;
        double busy_ms = 0;
        std::int64_t end_ns = 0;
    };
    std::vector<Lane> lanes(static_cast<std::size_t>(timeline.threads));
    for (const ChunkInterval& each : timeline.intervals) {
        Lane& lane = lanes[static_cast<std::size_t>(each.thread)];
        lane.chunks += each.chunks;
        lane.busy_ms += static_cast<double>(each.busy_ns) * 1e-6;
        lane.end_ns = std::max(lane.end_ns, each.end_ns);
    }
    const bool has_waiting = timeline.waiting_ns.size() == lanes.size();
    std::vector<Table::Column> columns{
        {"thread", Align::Right}, {"chunks", Align::Right}, {"works [ms]", Align::Right}};
    if (has_waiting)
        columns.push_back({"waits [ms]", Align::Right});
    columns.push_back({"done at [ms]", Align::Right});
    Table table(std::move(columns));
    const auto milliseconds = [](std::int64_t time) {
        return fmt::format("{:.4g}", static_cast<double>(time) * 1e-6);
    };
    for (std::size_t thread = 0; thread < lanes.size(); ++thread) {
        std::vector<std::string> cells{fmt::to_string(thread + 1), fmt::to_string(lanes[thread].chunks),
                                       fmt::format("{:.4g}", lanes[thread].busy_ms)};
        if (has_waiting)
            cells.push_back(milliseconds(timeline.waiting_ns[thread]));
        cells.push_back(milliseconds(lanes[thread].end_ns));
        table.add_row(std::move(cells));
    }
    return table;
}

} // namespace

std::string timeline_text(const ExplainRequest& request, const TimelineAnswer& answer) {
    const ThreadTimeline& timeline = answer.timeline;
    std::string text = fmt::format("matrix    {}, {}{}\n", answer.matrix, name(request.op),
                                   dense_index(request.op) ? fmt::format(", dense {}", request.dense) : "");
    text += fmt::format("schedule  {}\n", to_text(answer.schedule));
    text += timeline.measured ? fmt::format("recorded  on this computer, {}\n",
                                            counted(timeline.threads, "thread", "threads"))
                              : fmt::format("simulated on {}\n", timeline.machine);
    text +=
        fmt::format("run       {}, {}\n", milliseconds_text(static_cast<double>(timeline.total_ns) * 1e-6),
                    chunks_text(timeline));
    text += balance_text(timeline) + overhead_text(timeline);
    if (answer.busy_share)
        text += fmt::format("Other programs took {:.0f} % of the processors meanwhile.\n",
                            100 * *answer.busy_share);
    return text + "\n" + threads_table(timeline).text();
}

} // namespace sparsight
