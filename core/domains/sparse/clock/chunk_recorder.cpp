#include "domains/sparse/clock/chunk_recorder.h"

#include "domains/sparse/kernel/measurement/team.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sparsight {

namespace {

std::int64_t steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace

ChunkRecorder::ChunkRecorder(int threads)
    : id_(next_id())
    , lanes_(static_cast<std::size_t>(threads)) {
    prepare(0, 1);
}

void ChunkRecorder::prepare(std::int64_t chunks, std::int64_t merged) {
    for (std::size_t thread = 0; thread < lanes_.size(); ++thread)
        lanes_[thread].intervals.prepare(static_cast<int>(thread), chunks, merged);
    regions_ = chunks_ = iterations_ = opening_ns_ = total_ns_ = 0;
    for (Lane& lane : lanes_)
        lane.region = -1;
}

std::int64_t ChunkRecorder::now_ns() const {
    return steady_ns() - start_ns_;
}

void ChunkRecorder::begin_run() {
    static_cast<void>(own_lane()); // the caller is the first thread
    start_ns_ = steady_ns();
}

void ChunkRecorder::end_opening() {
    opening_ns_ = now_ns();
}

void ChunkRecorder::end_run() {
    total_ns_ = now_ns();
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
    context->team->run(context, &run_chunk, captured, begin, end, context->chunk);
    ++regions_;
    chunks_ += (end - begin + chunk_ - 1) / chunk_;
    iterations_ += end - begin;
}

void ChunkRecorder::run_chunk(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                              std::int64_t end) {
    ChunkRecorder& recorder = *context->recorder;
    Lane& lane = recorder.own_lane();
    const bool goes_on = lane.region == recorder.regions_;
    const std::int64_t begin_ns = goes_on ? lane.last_end_ns : recorder.now_ns();
    recorder.body_(context, captured, begin, end);
    const std::int64_t end_ns = recorder.now_ns();
    lane.region = recorder.regions_;
    lane.last_end_ns = end_ns;
    const std::int64_t first = begin - recorder.region_begin_;
    lane.intervals.add({.thread = static_cast<int>(&lane - recorder.lanes_.data()),
                        .chunk = recorder.chunks_ + first / recorder.chunk_,
                        .chunks = (end - begin + recorder.chunk_ - 1) / recorder.chunk_,
                        .first = first,
                        .iterations = end - begin,
                        .begin_ns = begin_ns,
                        .end_ns = end_ns,
                        .busy_ns = end_ns - begin_ns});
}

void ChunkRecorder::tell(ThreadTimeline& timeline) const {
    timeline.measured = true;
    timeline.threads = static_cast<int>(lanes_.size());
    timeline.regions = regions_;
    timeline.chunks = chunks_;
    timeline.iterations = iterations_;
    timeline.total_ns = total_ns_;
    timeline.opening_ns = opening_ns_;
    timeline.intervals.clear();
    for (const Lane& lane : lanes_)
        timeline.intervals.insert(timeline.intervals.end(), lane.intervals.begin(), lane.intervals.end());
}

} // namespace sparsight
