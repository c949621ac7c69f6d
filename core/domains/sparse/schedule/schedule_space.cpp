#include "domains/sparse/schedule/schedule_space.h"

#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// Puts the loops that `source` has, that the hybrid has too, and that `loops` lacks, where `source` has
/// them. True where one had to be moved.
bool insert_loops(const SuperSchedule& hybrid, const SuperSchedule& source, LoopList& loops) {
    bool is_moved = false;
    auto after = loops.begin(); // where the next loop goes, behind all that stand before it in the source
    for (const LoopIndex loop : existing_loops(source)) {
        if (!hybrid.has(loop))
            continue;
        if (const auto found = std::ranges::find(loops, loop); found != loops.end()) {
            after = found + 1;
            continue;
        }
        const auto outer = std::ranges::find(loops, LoopIndex{loop.index, Part::Outer});
        if (outer >= after) {
            after = outer + 1;
            is_moved = true;
        }
        after = loops.insert(after, loop) + 1;
    }
    return is_moved;
}

std::vector<Decision> decisions_of(const std::vector<ScheduleDecision>& differing, Operator op) {
    std::vector<Decision> decisions;
    std::ranges::transform(differing, std::back_inserter(decisions),
                           [op](const ScheduleDecision& each) { return decision_of(each, op); });
    return decisions;
}

} // namespace

ScheduleHybrids::ScheduleHybrids(const SuperSchedule& from, const SuperSchedule& to,
                                 std::vector<ScheduleDecision> decisions)
    : HybridSpace(configuration_of(from), configuration_of(to), decisions_of(decisions, from.op))
    , from_(from)
    , to_(to)
    , decisions_(std::move(decisions)) {}

Result<std::shared_ptr<const ScheduleHybrids>> ScheduleHybrids::make(const SuperSchedule& from,
                                                                     const SuperSchedule& to) {
    if (from.op != to.op)
        return fail(Fault::Input, fmt::format("one schedule is of {}, the other of {}: expected two of one "
                                              "operator",
                                              sparsight::name(from.op), sparsight::name(to.op)));
    for (const SuperSchedule& schedule : {from, to})
        if (auto valid = check(schedule); !valid)
            return std::unexpected(std::move(valid.error()));
    const SuperSchedule first = canonical(from);
    SuperSchedule second = canonical(to);
    second.threads = first.threads;
    std::vector<ScheduleDecision> decisions = differing_decisions(first, second);
    if (auto few = check_count(decisions.size()); !few)
        return std::unexpected(std::move(few.error()));
    return std::shared_ptr<const ScheduleHybrids>(new ScheduleHybrids(first, second, std::move(decisions)));
}

const SuperSchedule& ScheduleHybrids::source_of(const ScheduleDecision& decision, DecisionSet taken) const {
    const auto found = std::ranges::find(decisions_, decision);
    const auto place = found - decisions_.begin();
    return found != decisions_.end() && (taken >> place & 1U) != 0 ? to_ : from_;
}

HybridSchedule ScheduleHybrids::schedule_at(DecisionSet taken) const {
    HybridSchedule hybrid{from_};
    SuperSchedule& schedule = hybrid.schedule;
    const auto source = [&](DecisionKind kind, LoopIndex subject = {Index::I, Part::Outer}) -> const auto& {
        return source_of({kind, subject}, taken);
    };
    for (const Index index : indices(from_.op))
        schedule.split(index) = source(DecisionKind::Split, {index, Part::Outer}).split(index);
    schedule.parallel = source(DecisionKind::ParallelLoop).parallel;
    schedule.chunk = source(DecisionKind::Chunk).chunk;

    for (const LoopIndex loop : level_names(from_.op)) {
        const bool is_shared = from_.has(loop) && to_.has(loop);
        const SuperSchedule& format_source =
            is_shared ? source(DecisionKind::LevelFormat, loop) : (from_.has(loop) ? from_ : to_);
        schedule.format(loop) = format_source.format(loop);
    }

    const SuperSchedule& dense_source = source(DecisionKind::DenseLoops);
    const SuperSchedule& dense_other = &dense_source == &from_ ? to_ : from_;
    const SuperSchedule& level_source = source(DecisionKind::LevelOrder);
    const SuperSchedule& level_other = &level_source == &from_ ? to_ : from_;
    SharedOrder order = shared_order(dense_source, dense_other);
    order.levels = shared_order(level_source, level_other).levels;
    LoopList loops = order.loops();
    const bool moved_first = insert_loops(schedule, from_, loops);
    const bool moved_then = insert_loops(schedule, to_, loops);
    hybrid.is_repaired = moved_first || moved_then;
    set_existing_loops(schedule, loops);
    schedule = canonical(schedule);
    return hybrid;
}

Hybrid ScheduleHybrids::at(DecisionSet taken) const {
    const HybridSchedule hybrid = schedule_at(taken);
    return {configuration_of(hybrid.schedule), hybrid.is_repaired};
}

std::string ScheduleHybrids::value(std::size_t decision, const Configuration& configuration) const {
    return value_of(decisions_[decision], schedule_of(configuration, from_.threads));
}

std::string ScheduleHybrids::text(const Configuration& configuration) const {
    return to_text(schedule_of(configuration, from_.threads));
}

namespace {

/// The operator, the splits, the loops of the order (i1 for each that the operator lacks), the formats, the
/// parallel loop, the chunk.
constexpr std::size_t order_place(Operator op) {
    return 1 + description(op).index_places * sizeof(std::int64_t);
}
constexpr std::size_t format_place(Operator op) {
    return order_place(op) + 2 * description(op).index_places;
}
constexpr std::size_t parallel_place(Operator op) {
    return format_place(op) + level_names(op).size();
}
constexpr std::size_t packed_size(Operator op) {
    return parallel_place(op) + 1 + sizeof(std::int32_t);
}
static_assert(1 + most_indices * (sizeof(std::int64_t) + 2) + 2 * most_order + 1 + sizeof(std::int32_t) <=
              Configuration::most_in_place);

/// Threads are a condition of a run. Where a schedule has to have some, it has one.
constexpr int no_threads = 1;

class Packer {
public:
    template <typename Number>
    void put(Number number) {
        const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
        for (int shift = std::numeric_limits<decltype(bits)>::digits - 8; shift >= 0; shift -= 8)
            *to_++ = static_cast<std::byte>(bits >> shift);
    }
    void put(LoopIndex loop) {
        put(static_cast<std::uint8_t>(2 * static_cast<int>(loop.index) + static_cast<int>(loop.part)));
    }
    /// Zeros.
    void skip(std::size_t bytes) { to_ += bytes; }
    [[nodiscard]] Configuration packed() const {
        return Configuration(std::span(bytes_.data(), static_cast<std::size_t>(to_ - bytes_.data())));
    }

private:
    std::array<std::byte, Configuration::most_in_place> bytes_{};
    std::byte* to_ = bytes_.data();
};

class Unpacker {
public:
    explicit Unpacker(std::span<const std::byte> bytes)
        : from_(bytes.begin()) {}

    template <typename Number>
    Number take() {
        std::make_unsigned_t<Number> bits = 0;
        for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
            bits = static_cast<decltype(bits)>((bits << 8U) | std::to_integer<decltype(bits)>(*from_++));
        return static_cast<Number>(bits);
    }
    void skip(std::size_t bytes) { from_ += static_cast<std::ptrdiff_t>(bytes); }
    LoopIndex take_loop() {
        const auto loop = take<std::uint8_t>();
        return {static_cast<Index>(loop / 2), static_cast<Part>(loop % 2)};
    }

private:
    std::span<const std::byte>::iterator from_;
};

/// Whether the bytes are those of some schedule, however senseless.
bool is_packed_schedule(std::span<const std::byte> bytes) {
    if (bytes.empty() || std::to_integer<std::size_t>(bytes[0]) >= operator_descriptions.size())
        return false;
    const auto op = static_cast<Operator>(bytes[0]);
    if (bytes.size() != packed_size(op))
        return false;
    const auto are_below = [&](std::size_t first, std::size_t last, std::size_t bound) {
        return std::ranges::all_of(bytes.subspan(first, last - first), [bound](std::byte byte) {
            return std::to_integer<std::size_t>(byte) < bound;
        });
    };
    const std::size_t loops = 2 * description(op).index_places;
    return are_below(order_place(op), format_place(op), loops) &&
           are_below(format_place(op), parallel_place(op), 2) &&
           are_below(parallel_place(op), parallel_place(op) + 1, loops);
}

/// Of a canonical schedule.
Configuration packed(const SuperSchedule& schedule) {
    Packer packer;
    packer.put(static_cast<std::uint8_t>(schedule.op));
    for (const std::int64_t split : schedule.splits)
        packer.put(split);
    for (const LoopIndex loop : schedule.order)
        packer.put(loop);
    packer.skip(2 * schedule.splits.size() - schedule.order.size());
    for (const LevelFormat format : schedule.formats)
        packer.put(static_cast<std::uint8_t>(format));
    packer.put(schedule.parallel);
    packer.put(std::int32_t{schedule.chunk});
    return packer.packed();
}

} // namespace

Configuration configuration_of(const SuperSchedule& schedule) {
    return packed(canonical(schedule));
}

std::vector<Configuration> configurations_of(std::span<const SuperSchedule> schedules) {
    std::vector<Configuration> configurations;
    configurations.reserve(schedules.size());
    std::ranges::transform(schedules, std::back_inserter(configurations), configuration_of);
    return configurations;
}

SuperSchedule schedule_of(const Configuration& configuration, int threads) {
    Unpacker unpacker(configuration.bytes());
    SuperSchedule schedule(static_cast<Operator>(unpacker.take<std::uint8_t>()));
    for (std::int64_t& split : schedule.splits)
        split = unpacker.take<std::int64_t>();
    for (LoopIndex& loop : schedule.order)
        loop = unpacker.take_loop();
    unpacker.skip(2 * schedule.splits.size() - schedule.order.size());
    for (LevelFormat& format : schedule.formats)
        format = static_cast<LevelFormat>(unpacker.take<std::uint8_t>());
    schedule.parallel = unpacker.take_loop();
    schedule.threads = threads;
    schedule.chunk = unpacker.take<std::int32_t>();
    return schedule;
}

std::vector<SuperSchedule> schedules_of(std::span<const Configuration> configurations, int threads) {
    std::vector<SuperSchedule> schedules;
    schedules.reserve(configurations.size());
    for (const Configuration& configuration : configurations)
        schedules.push_back(schedule_of(configuration, threads));
    return schedules;
}

Result<void> ScheduleSpace::check(const Configuration& configuration) const {
    if (!is_packed_schedule(configuration.bytes()))
        return fail(Fault::Input, "what was to be chosen is no schedule");
    const SuperSchedule schedule = schedule_of(configuration, no_threads);
    if (schedule.op != op_)
        return fail(Fault::Input,
                    fmt::format("a schedule of {} cannot be chosen for {}", name(schedule.op), name(op_)));
    if (auto valid = sparsight::check(schedule); !valid)
        return valid;
    if (configuration_of(schedule) != configuration)
        return fail(Fault::Input, "the schedule is not in its canonical form");
    return {};
}

std::optional<Configuration> ScheduleSpace::baseline() const {
    return configuration_of(fixed_csr(op_, no_threads));
}

namespace {

int as_int(std::size_t count) {
    return static_cast<int>(std::min(count, static_cast<std::size_t>(std::numeric_limits<int>::max())));
}

} // namespace

std::vector<Configuration> ScheduleSpace::sample(std::size_t count, Random& random) const {
    return configurations_of(sample_uniform(op_, extents_, as_int(count), no_threads, random));
}

std::vector<Configuration> ScheduleSpace::customary_sample(std::size_t count, Random& random) const {
    return configurations_of(sample_waco(op_, extents_, as_int(count), no_threads, random));
}

std::vector<Configuration> ScheduleSpace::designs() const {
    return configurations_of(designed_schedules(op_, extents_, no_threads));
}

std::optional<Configuration> ScheduleSpace::neighbour(const Configuration& configuration,
                                                      Random& random) const {
    const std::vector<SuperSchedule> near =
        sparsight::neighbours(schedule_of(configuration, no_threads), extents_);
    return packed(random.pick(std::span(near)));
}

std::vector<Configuration> ScheduleSpace::neighbours(const Configuration& configuration) const {
    return configurations_of(sparsight::neighbours(schedule_of(configuration, no_threads), extents_));
}

std::optional<Configuration> ScheduleSpace::mixture(const Configuration& one, const Configuration& other,
                                                    Random& random) const {
    const auto child =
        sparsight::mixture(schedule_of(one, no_threads), schedule_of(other, no_threads), random);
    return child ? std::optional(packed(*child)) : std::nullopt;
}

std::vector<double> ScheduleSpace::distances(std::span<const Configuration> configurations) const {
    const std::vector<SuperSchedule> schedules = schedules_of(configurations, no_threads);
    const std::size_t count = schedules.size();
    std::vector<double> distances(count * count);
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t col = 0; col <= row; ++col)
            distances[row * count + col] = distances[col * count + row] =
                decision_distance(schedules[row], schedules[col]);
    return distances;
}

std::vector<DecisionChange> ScheduleSpace::changes(const Configuration& before,
                                                   const Configuration& after) const {
    const SuperSchedule one = schedule_of(before, no_threads);
    const SuperSchedule other = schedule_of(after, no_threads);
    std::vector<DecisionChange> changes;
    for (const ScheduleDecision& each : differing_decisions(one, other))
        changes.push_back({decision_of(each, op_), value_of(each, one), value_of(each, other)});
    return changes;
}

Result<std::shared_ptr<const HybridSpace>> ScheduleSpace::between(const Configuration& from,
                                                                  const Configuration& to) const {
    for (const Configuration& each : {from, to})
        if (auto valid = check(each); !valid)
            return std::unexpected(std::move(valid.error()));
    return ScheduleHybrids::make(schedule_of(from, no_threads), schedule_of(to, no_threads));
}

} // namespace sparsight
