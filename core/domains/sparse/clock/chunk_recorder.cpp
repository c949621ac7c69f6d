#include "domains/sparse/clock/chunk_recorder.h"

#include "domains/sparse/kernel/measurement/team.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

namespace sparsight {

namespace {

std::int64_t steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t counter() {
#if defined(__x86_64__)
    return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
    std::int64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
}

/// The first line of a file of Linux that begins so; empty where there is none.
std::string line_of(const char* file, std::string_view beginning) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(beginning))
            return line;
    return {};
}

bool has_steady_counter() {
    return is_counter_steady(line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource", ""),
                             line_of("/proc/cpuinfo", "flags"));
}

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace

bool is_counter_steady([[maybe_unused]] std::string_view clocksource,
                       [[maybe_unused]] std::string_view flags) {
#if defined(__x86_64__)
    const auto has = [flags](std::string_view flag) { return flags.find(flag) != std::string_view::npos; };
    return clocksource == "tsc" || (clocksource == "kvm-clock" && has("constant_tsc") && has("nonstop_tsc"));
#elif defined(__aarch64__)
    return true; // the architecture promises it
#else
    return false;
#endif
}

ChunkRecorder::ChunkRecorder(int threads)
    : has_counter_(has_steady_counter())
    , id_(next_id())
    , lanes_(static_cast<std::size_t>(threads)) {
    prepare(0, 1);
}

void ChunkRecorder::prepare(std::int64_t chunks, std::int64_t merged) {
    regions_ = chunks_ = iterations_ = opening_ticks_ = total_ticks_ = total_ns_ = 0;
    for (Lane& lane : lanes_) {
        lane.intervals.prepare(chunks, merged);
        lane.region = -1;
        lane.waiting_ticks = 0;
    }
}

/// A look at the counter took 10 ns on an EPYC, one at the steady clock 24 ns: chunks may last less than a
/// microsecond.
std::int64_t ChunkRecorder::ticks() const {
    return has_counter_ ? counter() : steady_ns();
}

std::int64_t ChunkRecorder::now() const {
    return ticks() - start_ticks_;
}

void ChunkRecorder::begin_run() {
    static_cast<void>(own_lane()); // the caller is the first thread
    start_ns_ = steady_ns();
    start_ticks_ = ticks();
}

void ChunkRecorder::end_opening() {
    opening_ticks_ = now();
}

void ChunkRecorder::end_run() {
    total_ticks_ = now();
    total_ns_ = steady_ns() - start_ns_;
}

ChunkRecorder::Lane& ChunkRecorder::own_lane() {
    struct Claim {
        std::uint64_t recorder = 0;
        std::size_t lane = 0;
    };
    thread_local Claim claim;
    if (claim.recorder != id_)
        claim = {id_, std::min(claimed_.fetch_add(1), lanes_.size() - 1)};
    return lanes_[claim.lane];
}

void ChunkRecorder::run_region(KernelContext* context, ParallelBody body, const std::int64_t* captured,
                               std::int64_t begin, std::int64_t end) {
    if (begin >= end)
        return;
    body_ = body;
    region_begin_ = begin;
    chunk_ = context->chunk;
    const std::int64_t began = now();
    context->team->run(context, &run_chunk, captured, begin, end, context->chunk);
    add_waiting(began);
    ++regions_;
    chunks_ += (end - begin + chunk_ - 1) / chunk_;
    iterations_ += end - begin;
}

/// A region ends with its last chunk. A thread that took none has waited since the region began.
void ChunkRecorder::add_waiting(std::int64_t region_began) {
    const auto end_of = [&](const Lane& lane) {
        return lane.region == regions_ ? lane.last_end_ticks : region_began;
    };
    std::int64_t last = region_began;
    for (const Lane& lane : lanes_)
        last = std::max(last, end_of(lane));
    for (Lane& lane : lanes_)
        lane.waiting_ticks += last - end_of(lane);
}

void ChunkRecorder::run_chunk(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                              std::int64_t end) {
    ChunkRecorder& recorder = *context->recorder;
    Lane& lane = recorder.own_lane();
    const bool goes_on = lane.region == recorder.regions_;
    const std::int64_t began = goes_on ? lane.last_end_ticks : recorder.now();
    recorder.body_(context, captured, begin, end);
    const std::int64_t ended = recorder.now();
    lane.region = recorder.regions_;
    lane.last_end_ticks = ended;
    const std::int64_t first = begin - recorder.region_begin_;
    lane.intervals.add({.thread = static_cast<int>(&lane - recorder.lanes_.data()),
                        .chunk = recorder.chunks_ + first / recorder.chunk_,
                        .chunks = (end - begin + recorder.chunk_ - 1) / recorder.chunk_,
                        .first = first,
                        .iterations = end - begin,
                        .begin_ticks = began,
                        .end_ticks = ended,
                        .busy_ticks = ended - began});
}

void ChunkRecorder::tell(ThreadTimeline& timeline) const {
    timeline.measured = true;
    timeline.threads = static_cast<int>(lanes_.size());
    timeline.regions = regions_;
    timeline.chunks = chunks_;
    timeline.iterations = iterations_;
    timeline.total_ns = total_ns_;
    const double ns_per_tick =
        total_ticks_ > 0 ? static_cast<double>(total_ns_) / static_cast<double>(total_ticks_) : 1;
    const auto in_ns = [&](std::int64_t time) {
        return std::clamp<std::int64_t>(std::llround(static_cast<double>(time) * ns_per_tick), 0, total_ns_);
    };
    timeline.opening_ns = in_ns(opening_ticks_);
    timeline.intervals.clear();
    timeline.waiting_ns.clear();
    for (const Lane& lane : lanes_) {
        timeline.waiting_ns.push_back(in_ns(lane.waiting_ticks));
        for (const TickInterval& each : lane.intervals) {
            const std::int64_t begin_ns = in_ns(each.begin_ticks);
            const std::int64_t end_ns = in_ns(each.end_ticks);
            timeline.intervals.push_back({.thread = each.thread,
                                          .chunk = each.chunk,
                                          .chunks = each.chunks,
                                          .first = each.first,
                                          .iterations = each.iterations,
                                          .begin_ns = begin_ns,
                                          .end_ns = end_ns,
                                          .busy_ns = std::min(in_ns(each.busy_ticks), end_ns - begin_ns)});
        }
    }
}

} // namespace sparsight
