#include "domains/sparse/clock/timeline_recording.h"

#include "domains/sparse/clock/chunk_recorder.h"
#include "study/student.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace sparsight {

RecordingOverhead recording_overhead(std::span<const Milliseconds> plain,
                                     std::span<const Milliseconds> recorded) {
    // Without a unit; the robust statistics are those of times.
    std::array<std::vector<Milliseconds>, 2> by_order;
    for (std::size_t turn = 0; turn < std::min(plain.size(), recorded.size()); ++turn)
        if (plain[turn].count() > 0)
            by_order[turn % 2].emplace_back(recorded[turn] / plain[turn]);
    double logarithm = 0;
    double variance = 0;
    std::size_t ratios = 0;
    std::size_t orders = 0;
    for (const std::vector<Milliseconds>& one : by_order) {
        if (one.empty())
            continue;
        const double middle = median_of(one).count();
        // Of a median: 1.2533 σ/√n for normal noise.
        const double error =
            1.2533 * spread_of(one).count() / middle / std::sqrt(static_cast<double>(one.size()));
        logarithm += std::log(middle);
        variance += error * error;
        ratios += one.size();
        ++orders;
    }
    if (orders == 0)
        return {};
    const auto count = static_cast<double>(orders);
    const double ratio = std::exp(logarithm / count);
    return {ratio - 1,
            student_factor(std::max(ratios, orders + 1) - orders) * ratio * std::sqrt(variance) / count};
}

namespace {

/// The timelines of runs are kept, so that the one of median time can be chosen.
struct RecordedRun {
    Milliseconds time{};
    ThreadTimeline timeline;
};

class TurnRecording {
public:
    TurnRecording(KernelRunner& runner, Team& team, const RecordingOptions& options)
        : runner_(runner)
        , recorder_(team.size())
        , options_(options) {}

    Result<ThreadTimeline> record(ThreadTimeline timeline) {
        runner_.run_recorded(recorder_); // counts the chunks
        const std::int64_t chunks = recorder_.chunks();
        const std::int64_t merged = merged_chunks(chunks);
        const Milliseconds start = options_.clock();
        for (int turn = 0; turn < options_.most_turns; ++turn) {
            const Milliseconds spent = options_.clock() - start;
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while runs were recorded");
            const bool is_slow = spent > 4 * options_.budget;
            if (turn >= (is_slow ? std::min(3, options_.least_turns) : options_.least_turns) &&
                spent > options_.budget)
                break;
            tell_progress(turn, spent);
            recorder_.prepare(chunks, merged);
            runner_.run(); // what was prepared has cooled the caches
            // The second run finds warmer caches than the first: they take turns at that, too.
            if (turn % 2 == 0)
                plain_.push_back(time_of([&] { runner_.run(); }));
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while runs were recorded");
            recorded_.push_back(time_of([&] { runner_.run_recorded(recorder_); }));
            if (turn % 2 != 0)
                plain_.push_back(time_of([&] { runner_.run(); }));
            recorder_.tell(timeline);
            runs_.push_back({recorded_.back(), timeline});
        }
        const auto middle = runs_.begin() + std::ssize(runs_) / 2;
        std::ranges::nth_element(runs_, middle, {}, &RecordedRun::time);
        timeline = std::move(middle->timeline);
        timeline.overhead = recording_overhead(plain_, recorded_);
        timeline.plain_ms = median_of(plain_).count();
        return timeline;
    }

private:
    template <typename Run>
    [[nodiscard]] Milliseconds time_of(const Run& run) const {
        const Milliseconds begin = options_.clock();
        run();
        return options_.clock() - begin;
    }

    void tell_progress(int turn, Milliseconds spent) const {
        if (!options_.progress)
            return;
        const double share = std::max(std::min(1.0, spent / options_.budget) *
                                          std::min(1.0, turn / (0.0 + options_.least_turns)),
                                      static_cast<double>(turn) / options_.most_turns);
        options_.progress({"recording", static_cast<std::uint64_t>(100 * share), 100});
    }

    KernelRunner& runner_;
    ChunkRecorder recorder_;
    const RecordingOptions& options_;
    std::vector<Milliseconds> plain_;
    std::vector<Milliseconds> recorded_;
    std::vector<RecordedRun> runs_;
};

} // namespace

Result<ThreadTimeline> record_timeline(const SuperSchedule& schedule, KernelInputs& inputs,
                                       KernelCompiler& compiler, Team& team,
                                       const RecordingOptions& options) {
    const CsrPattern& pattern = inputs.pattern();
    const auto packed = pack(pattern, storage_format(schedule, pattern.rows, pattern.cols),
                             {options.limits, team.size(), schedule.op == Operator::SDDMM, options.stop});
    if (!packed)
        return std::unexpected(packed.error());
    const auto kernel =
        compiler.compile(lower(schedule, inputs.extents(), compiler.target(), mean_fill(*packed)));
    if (!kernel)
        return std::unexpected(kernel.error());
    const auto operands = inputs.operands(*packed);
    if (!operands)
        return std::unexpected(operands.error());
    if (options.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped before the first run");
    KernelRunner runner(*kernel, *operands, schedule.chunk, team);
    if (!runner.run_within(options.longest_run))
        return fail(Fault::Limit, fmt::format("a run takes longer than {:.0f} s: nothing is recorded",
                                              options.longest_run.count() / 1000));
    auto timeline = TurnRecording(runner, team, options)
                        .record({.loop = parallel_loop(schedule, pattern.rows, pattern.cols)});
    if (!timeline)
        return timeline;
    if (auto right = inputs.verify(*packed); !right)
        return std::unexpected(std::move(right).error());
    return timeline;
}

} // namespace sparsight
