#include "schedule/hash.h"

namespace sparsight {
namespace {

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014) over a running value.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash += value + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31U);
}

std::uint64_t bits(LoopIndex loop) {
    return static_cast<std::uint64_t>(loop.index) * 2 + static_cast<std::uint64_t>(loop.part);
}

} // namespace

std::uint64_t hash_value(const SuperSchedule& schedule) {
    std::uint64_t small = static_cast<std::uint64_t>(schedule.op);
    for (const LoopIndex loop : schedule.order)
        small = small * 8 + bits(loop);
    for (const LevelFormat format : schedule.formats)
        small = small * 2 + static_cast<std::uint64_t>(format);
    small = small * 8 + bits(schedule.parallel);
    std::uint64_t hash = mix(0, small);
    for (const std::int64_t split : schedule.splits)
        hash = mix(hash, static_cast<std::uint64_t>(split));
    hash = mix(hash, static_cast<std::uint64_t>(schedule.threads));
    return mix(hash, static_cast<std::uint64_t>(schedule.chunk));
}

} // namespace sparsight
