#include "domains/sparse/kernel/measurement/thread_timeline.h"

#include "base/optional_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace sparsight {

ParallelLoop parallel_loop(const SuperSchedule& asked, std::int64_t rows, std::int64_t cols) {
    const SuperSchedule schedule = canonical(asked);
    const LoopIndex loop = schedule.parallel;
    ParallelLoop made{.name = name(loop), .chunk = schedule.chunk};
    if (!is_sparse_index(schedule.op, loop.index))
        return made;
    made.over_rows = loop.index == row_index(schedule.op);
    made.ids = made.over_rows ? rows : cols;
    // A compressed loop runs over what is stored, with gaps.
    if (loop.part == Part::Outer && schedule.format(loop) == LevelFormat::Uncompressed)
        made.ids_per_iteration = schedule.split(loop.index);
    return made;
}

std::int64_t merged_chunks(std::int64_t chunks, std::int64_t most) {
    return std::max<std::int64_t>(1, (chunks + most - 1) / most);
}

namespace {

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

LoadBalance load_balance(const ThreadTimeline& timeline) {
    std::vector<double> busy(static_cast<std::size_t>(std::max(1, timeline.threads)));
    for (const ChunkInterval& interval : timeline.intervals)
        busy[static_cast<std::size_t>(interval.thread)] += static_cast<double>(interval.busy_ns) * 1e-6;
    const auto longest = std::ranges::max_element(busy);
    const auto busiest = static_cast<std::size_t>(longest - busy.begin());
    const auto threads = static_cast<double>(busy.size());
    const double work = sum_of(busy);
    LoadBalance balance{static_cast<int>(busiest), *longest, work / threads};
    std::vector<double> waiting;
    if (timeline.waiting_ns.size() == busy.size())
        for (const std::int64_t each : timeline.waiting_ns)
            waiting.push_back(static_cast<double>(each) * 1e-6);
    else if (timeline.regions <= 1 || work <= *longest) // for one thread all others wait in every region
        for (const double each : busy)
            waiting.push_back(*longest - each);
    else
        return balance;
    const double all = sum_of(waiting);
    balance.imbalance = balance.mean_ms > 0 ? 1 + all / threads / balance.mean_ms : 1;
    balance.waiting_ms = timeline.regions > 1 ? all / threads
                         : busy.size() > 1    ? (all - waiting[busiest]) / (threads - 1)
                                              : 0;
    return balance;
}

ChunkPlace place_of(const ThreadTimeline& timeline, const ChunkInterval& interval) {
    const ParallelLoop& loop = timeline.loop;
    const std::int64_t length =
        interval.chunks > 1 ? std::min(loop.chunk, interval.iterations) : interval.iterations;
    const std::int64_t last = interval.first + std::max<std::int64_t>(1, length) - 1;
    if (loop.ids_per_iteration == 0)
        return {interval.first, last};
    return {interval.first * loop.ids_per_iteration + 1,
            std::min((last + 1) * loop.ids_per_iteration, loop.ids)};
}

std::string timeline_csv(const ThreadTimeline& timeline) {
    std::string csv = "source,thread,chunk,chunks,first iteration,iterations,begin [ns],end [ns],busy [ns]\n";
    for (const ChunkInterval& each : timeline.intervals)
        csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", timeline.measured ? "measured" : "simulated",
                           each.thread + 1, each.chunk + 1, each.chunks, each.first, each.iterations,
                           each.begin_ns, each.end_ns, each.busy_ns);
    return csv;
}

Json timeline_json(const ThreadTimeline& timeline) {
    const LoadBalance balance = load_balance(timeline);
    Json json{{"source", timeline.measured ? "measured" : "simulated"},
              {"machine", timeline.machine},
              {"threads", timeline.threads},
              {"loop",
               {{"name", timeline.loop.name},
                {"over_rows", timeline.loop.over_rows},
                {"ids", timeline.loop.ids},
                {"ids_per_iteration", timeline.loop.ids_per_iteration},
                {"chunk", timeline.loop.chunk}}},
              {"regions", timeline.regions},
              {"chunks", timeline.chunks},
              {"iterations", timeline.iterations},
              {"total_ns", timeline.total_ns},
              {"opening_ns", timeline.opening_ns},
              {"plain_ms", timeline.plain_ms ? Json(*timeline.plain_ms) : Json()},
              {"overhead", nullptr},
              {"balance",
               {{"busiest_thread", balance.busiest + 1},
                {"busiest_ms", balance.busiest_ms},
                {"mean_ms", balance.mean_ms},
                {"waiting_ms", json_or_null(balance.waiting_ms)},
                {"imbalance", json_or_null(balance.imbalance)}}},
              {"waiting_ns", timeline.waiting_ns.empty() ? Json() : Json(timeline.waiting_ns)},
              {"intervals", Json::array()}};
    if (timeline.overhead)
        json["overhead"] = {{"share", timeline.overhead->share}, {"error", timeline.overhead->error}};
    for (const ChunkInterval& each : timeline.intervals)
        json["intervals"].push_back({{"thread", each.thread + 1},
                                     {"chunk", each.chunk + 1},
                                     {"chunks", each.chunks},
                                     {"first", each.first},
                                     {"iterations", each.iterations},
                                     {"begin_ns", each.begin_ns},
                                     {"end_ns", each.end_ns},
                                     {"busy_ns", each.busy_ns}});
    return json;
}

Result<ThreadTimeline> timeline_from_json(const Json& json) {
    try {
        ThreadTimeline timeline;
        const Json& loop = json.at("loop");
        timeline.measured = json.at("source").get<std::string>() == "measured";
        timeline.machine = json.at("machine").get<std::string>();
        timeline.threads = json.at("threads").get<int>();
        timeline.loop = {loop.at("name").get<std::string>(), loop.at("over_rows").get<bool>(),
                         loop.at("ids").get<std::int64_t>(), loop.at("ids_per_iteration").get<std::int64_t>(),
                         loop.at("chunk").get<std::int64_t>()};
        timeline.regions = json.at("regions").get<std::int64_t>();
        timeline.chunks = json.at("chunks").get<std::int64_t>();
        timeline.iterations = json.at("iterations").get<std::int64_t>();
        timeline.total_ns = json.at("total_ns").get<std::int64_t>();
        timeline.opening_ns = json.at("opening_ns").get<std::int64_t>();
        if (const Json& plain = json.at("plain_ms"); !plain.is_null())
            timeline.plain_ms = plain.get<double>();
        if (const Json& overhead = json.at("overhead"); !overhead.is_null())
            timeline.overhead = {overhead.at("share").get<double>(), overhead.at("error").get<double>()};
        // A program of an earlier version does not tell it.
        if (const auto waiting = json.find("waiting_ns"); waiting != json.end() && !waiting->is_null())
            timeline.waiting_ns = waiting->get<std::vector<std::int64_t>>();
        for (const Json& each : json.at("intervals")) {
            const auto whole = [&](const char* key) { return each.at(key).get<std::int64_t>(); };
            const std::int64_t thread = whole("thread") - 1;
            if (thread < 0 || thread >= timeline.threads)
                return fail(Fault::Input, fmt::format("the timeline has an interval of thread {} of {}",
                                                      thread + 1, timeline.threads));
            timeline.intervals.push_back({static_cast<int>(thread), whole("chunk") - 1, whole("chunks"),
                                          whole("first"), whole("iterations"), whole("begin_ns"),
                                          whole("end_ns"), whole("busy_ns")});
        }
        return timeline;
    } catch (const nlohmann::json::exception& problem) {
        return fail(Fault::Input, fmt::format("this is no timeline: {}", problem.what()));
    }
}

} // namespace sparsight
