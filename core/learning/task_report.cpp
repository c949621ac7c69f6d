#include "base/plural.h"
#include "learning/workspace_tasks.h"

#include <fmt/format.h>
#include <initializer_list>

namespace sparsight {

namespace {

struct Reason {
    std::int64_t count = 0;
    std::string_view words;
};

/// "12 given up, 3 failed"; empty where there is none.
std::string listed(std::initializer_list<Reason> reasons) {
    std::string text;
    for (const Reason& reason : reasons)
        if (reason.count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason.count, reason.words);
    return text;
}

} // namespace

std::vector<std::string> sentences(const TaskReport& report) {
    const RuntimeCounts& counts = report.counts;
    std::string source = report.protocol;
    if (report.threads > 0)
        source += (source.empty() ? "" : ", ") + counted(report.threads, "thread", "threads");
    std::vector<std::string> text;
    const auto other_sources = [&] {
        if (const auto others = listed({{report.of_other_threads, "with other numbers of threads"},
                                        {report.of_other_protocols, "of other protocols"}});
            !others.empty())
            text.push_back(
                fmt::format("left out of {}, as no part of this task: {}", report.machine, others));
    };
    if (counts.measurements == 0) {
        text.push_back(fmt::format("{}: no measurements{}", report.machine,
                                   source.empty() ? "" : fmt::format(" ({})", source)));
        other_sources();
        return text;
    }
    text.push_back(fmt::format("{} ({}): {} of {} of {} learned from", report.machine, source,
                               counted(counts.runtimes, "runtime", "runtimes"),
                               counted(counts.measurements, "measurement", "measurements"),
                               counted(report.matrices, "matrix", "matrices")));
    other_sources();
    if (const auto infinite = listed({{counts.failed, "failed"},
                                      {counts.given_up, "given up"},
                                      {counts.beyond_given_up, "slower than one that was given up"}});
        !infinite.empty())
        text.push_back(fmt::format("taken as slower than all others: {}", infinite));
    if (const auto left_out = listed({{counts.too_short, "too short to be true"},
                                      {counts.too_long, "too long"},
                                      {counts.repeated, "of a schedule that is there in other words"}});
        !left_out.empty())
        text.push_back(fmt::format("left out: {}", left_out));
    const auto leave_out = [&](std::int64_t matrices, std::int64_t measurements, std::string_view why) {
        if (matrices > 0)
            text.push_back(fmt::format("left out: {} ({}), {}", counted(matrices, "matrix", "matrices"),
                                       counted(measurements, "measurement", "measurements"), why));
    };
    leave_out(report.without_pattern, counts.without_pattern, "known by name alone: import the entries");
    leave_out(report.unreadable, counts.unreadable,
              report.why_unreadable.empty()
                  ? "whose entries can't be read"
                  : fmt::format("whose entries can't be read, as {}", report.why_unreadable));
    leave_out(report.without_order, counts.without_order, "without two different runtimes");
    return text;
}

} // namespace sparsight
