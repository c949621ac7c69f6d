#include "domains/sparse/schedule/sampler.h"

#include "base/digest.h"
#include "base/names.h"
#include "domains/sparse/schedule/search_space.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <unordered_set>

namespace sparsight {

namespace {

/// Takes one of `choices` possibilities, numbered from 0.
using ChoiceFunction = std::function<std::size_t(std::size_t choices)>;

/// One part of the generator.
struct WacoRecipe {
    Operator op = Operator::SpMM;
    int percent = 0; ///< share of the requested schedules
    std::array<std::vector<std::int64_t>, most_indices> splits;
    std::vector<LoopList> orders;
    std::vector<LoopList> orders_of_small_dense_split; ///< where the dense index's split is below 8
    std::vector<std::vector<LevelFormat>> formats;
    std::vector<int> chunks;

    /// The schedule that these choices give; it may be one that the generator rejects, see accepts().
    [[nodiscard]] SuperSchedule make(int threads, const ChoiceFunction& choose) const;
    [[nodiscard]] bool accepts(const SuperSchedule& schedule) const;
};

constexpr std::int64_t small_dense_split = 8;
constexpr std::array both_formats{LevelFormat::Compressed, LevelFormat::Uncompressed};

/// 1, 2, 4 … below 2^bits; 1 at least.
template <typename T>
std::vector<T> powers_of_two(int bits) {
    std::vector<T> powers{1};
    for (int exponent = 1; exponent < bits; ++exponent)
        powers.push_back(T{1} << exponent);
    return powers;
}

std::vector<std::int64_t> up_to_32() {
    return powers_of_two<std::int64_t>(6);
}

/// Up to half of the largest power of two in the extent: 4096 gives 1 … 2048, and so does 8191.
std::vector<std::int64_t> up_to_dimension(std::int64_t extent) {
    const auto clamped = static_cast<std::uint64_t>(std::clamp<std::int64_t>(extent, 1, maximum_split));
    return powers_of_two<std::int64_t>(static_cast<int>(std::bit_width(clamped)) - 1);
}

std::size_t depth(std::span<const LoopIndex> order, LoopIndex loop) {
    return static_cast<std::size_t>(std::ranges::find(order, loop) - order.begin());
}

/// Of an order that has each outer before its inner loop.
bool is_free_order(Operator op, std::span<const LoopIndex> order, bool small_split) {
    const auto dense = dense_index(op);
    if (!dense)
        return true;
    if (order.back() != LoopIndex{*dense, Part::Inner})
        return false;
    if (small_split && order[order.size() - 2] != LoopIndex{*dense, Part::Outer})
        return false;
    return op != Operator::SpMM ||
           depth(order, {Index::I, Part::Outer}) < depth(order, {Index::J, Part::Outer});
}

/// Appends all free orders that begin so.
void add_free_orders(Operator op, bool small_split, LoopList& order, std::vector<LoopList>& orders) {
    if (order.size() == loop_count(op)) {
        if (is_free_order(op, order, small_split))
            orders.push_back(order);
        return;
    }
    LoopList loops = loop_names(op);
    std::ranges::sort(loops);
    for (const LoopIndex loop : loops) {
        const bool has_outer = depth(order, {loop.index, Part::Outer}) < order.size();
        if (depth(order, loop) < order.size() || (loop.part == Part::Inner && !has_outer))
            continue;
        order.push_back(loop);
        add_free_orders(op, small_split, order, orders);
        order.truncate(order.size() - 1);
    }
}

std::vector<LoopList> free_orders(Operator op, bool small_split) {
    LoopList order;
    std::vector<LoopList> orders;
    add_free_orders(op, small_split, order, orders);
    return orders;
}

/// i1 k1 j1 i0 k0 j0, or for SDDMM i1 and j1 in either order, k1, i0 and j0 in either order, k0.
std::vector<LoopList> template_orders(Operator op) {
    constexpr Part outer = Part::Outer;
    constexpr Part inner = Part::Inner;
    const Index row = row_index(op);
    const Index column = column_index(op);
    const Index dense = *dense_index(op);
    const auto order = [&](Index first, Index third) {
        return LoopList{{first, outer}, {first == row ? column : row, outer}, {dense, outer},
                        {third, inner}, {third == row ? column : row, inner}, {dense, inner}};
    };
    if (op == Operator::SpMM)
        return {order(row, row)};
    return {order(row, row), order(column, column), order(row, column), order(column, row)};
}

WacoRecipe common(Operator op, const Extents& extents, int percent) {
    WacoRecipe recipe;
    recipe.op = op;
    recipe.percent = percent;
    recipe.splits.fill({1});
    for (const Index dense : dense_indices(op))
        recipe.splits[static_cast<std::size_t>(dense)] = up_to_dimension(extents[dense]);
    recipe.formats.assign(level_names(op).size(), {both_formats.begin(), both_formats.end()});
    recipe.chunks = powers_of_two<int>(op == Operator::SDDMM ? 6 : 9);
    return recipe;
}

WacoRecipe template_recipe(Operator op, const Extents& extents, int percent) {
    WacoRecipe recipe = common(op, extents, percent);
    for (const Index index : sparse_indices(op))
        recipe.splits[static_cast<std::size_t>(index)] = up_to_32();
    recipe.orders = recipe.orders_of_small_dense_split = template_orders(op);
    recipe.formats[1] = recipe.formats[3] = {LevelFormat::Uncompressed};
    if (op == Operator::SpMM)
        recipe.formats[2] = {LevelFormat::Compressed};
    return recipe;
}

WacoRecipe free_recipe(Operator op, const Extents& extents, int percent, FreeSplits free_splits) {
    WacoRecipe recipe = common(op, extents, percent);
    const bool narrow = op == Operator::SpMM && free_splits == FreeSplits::AsPublished;
    for (const Index index : sparse_indices(op))
        recipe.splits[static_cast<std::size_t>(index)] =
            narrow ? up_to_32() : up_to_dimension(extents[index]);
    recipe.orders = free_orders(op, false);
    recipe.orders_of_small_dense_split = free_orders(op, true);
    return recipe;
}

SuperSchedule WacoRecipe::make(int threads, const ChoiceFunction& choose) const {
    SuperSchedule schedule(op);
    schedule.threads = threads;
    for (const Index index : indices(op)) {
        const auto& choices = splits[static_cast<std::size_t>(index)];
        schedule.split(index) = choices[choose(choices.size())];
    }
    const auto dense = dense_index(op);
    const bool small = dense && schedule.split(*dense) < small_dense_split;
    const std::vector<LoopList>& choices = small ? orders_of_small_dense_split : orders;
    schedule.order = choices[choose(choices.size())];
    for (std::size_t level = 0; level < formats.size(); ++level)
        schedule.formats[level] = formats[level][choose(formats[level].size())];
    schedule.parallel = *std::ranges::find_first_of(schedule.order, parallel_loops(op));
    schedule.chunk = chunks[choose(chunks.size())];
    return schedule;
}

bool WacoRecipe::accepts(const SuperSchedule& schedule) const {
    return op != Operator::SDDMM ||
           std::ranges::count(canonical(schedule).formats, LevelFormat::Compressed) > 0;
}

/// The parts in the generator's order; see sample_waco().
std::vector<WacoRecipe> waco_recipes(Operator op, const Extents& extents, FreeSplits free_splits) {
    switch (op) {
    case Operator::SpMM:
        return {template_recipe(op, extents, 32), free_recipe(op, extents, 68, free_splits)};
    case Operator::SDDMM:
        return {free_recipe(op, extents, 32, free_splits), template_recipe(op, extents, 68)};
    case Operator::SpMV:
    case Operator::MTTKRP:
        break;
    }
    return {free_recipe(op, extents, 100, free_splits)};
}

/// Answers every sequence of choices once, the last choice counting fastest.
class EveryChoice {
public:
    std::size_t operator()(std::size_t choices) {
        if (next_ == taken_.size())
            taken_.push_back({0, choices});
        return taken_[next_++].choice;
    }

    /// Moves on to the next sequence; false when all have been given.
    bool advance() {
        next_ = 0;
        while (!taken_.empty() && taken_.back().choice + 1 == taken_.back().choices)
            taken_.pop_back();
        if (taken_.empty())
            return false;
        ++taken_.back().choice;
        return true;
    }

private:
    struct Taken {
        std::size_t choice;
        std::size_t choices;
    };
    std::vector<Taken> taken_;
    std::size_t next_ = 0;
};

class WacoSample {
public:
    WacoSample(int threads, Random& random)
        : threads_(threads)
        , random_(random) {}

    void fill(const WacoRecipe& recipe, std::size_t size) {
        // So many misses in a row mean that hardly anything is left; then listing it all is cheap, and sure
        // to end.
        constexpr int patience = 1000;
        for (int misses = 0; schedules_.size() < size && misses < patience; ++misses)
            if (take(recipe,
                     recipe.make(threads_, [&](std::size_t choices) { return random_.below(choices); })))
                misses = -1;
        if (schedules_.size() < size)
            fill_from_the_rest(recipe, size);
    }

    [[nodiscard]] std::size_t size() const { return schedules_.size(); }
    std::vector<SuperSchedule> result() { return std::move(schedules_); }

private:
    bool take(const WacoRecipe& recipe, const SuperSchedule& schedule) {
        if (!recipe.accepts(schedule) || !seen_.insert(canonical(schedule)).second)
            return false;
        schedules_.push_back(schedule);
        return true;
    }

    void fill_from_the_rest(const WacoRecipe& recipe, std::size_t size) {
        std::vector<SuperSchedule> all;
        EveryChoice every;
        do
            all.push_back(recipe.make(threads_, std::ref(every)));
        while (every.advance());
        random_.shuffle(all);
        for (auto next = all.begin(); next != all.end() && schedules_.size() < size; ++next)
            take(recipe, *next);
    }

    int threads_;
    Random& random_;
    std::vector<SuperSchedule> schedules_;
    std::unordered_set<SuperSchedule> seen_;
};

/// Distinct numbers below `bound`, every set of them equally likely (Floyd's algorithm: Bentley and Floyd, "A
/// sample of brilliance", CACM 1987), in random order.
std::vector<std::uint64_t> distinct_below(std::uint64_t bound, std::uint64_t count, Random& random) {
    std::vector<std::uint64_t> numbers;
    std::unordered_set<std::uint64_t> seen;
    for (std::uint64_t last = bound - count; last < bound; ++last) {
        const std::uint64_t drawn = random.below(last + 1);
        numbers.push_back(seen.insert(drawn).second ? drawn : last);
        seen.insert(numbers.back());
    }
    random.shuffle(numbers);
    return numbers;
}

} // namespace

std::vector<SuperSchedule> sample_waco(Operator op, const Extents& extents, int count, int threads,
                                       Random& random, FreeSplits free_splits) {
    const auto wanted = static_cast<std::size_t>(std::max(count, 0));
    const std::vector<WacoRecipe> recipes = waco_recipes(op, extents, free_splits);
    WacoSample sample(threads, random);
    std::size_t percent = 0;
    for (const WacoRecipe& recipe : recipes) {
        percent += static_cast<std::size_t>(recipe.percent);
        sample.fill(recipe, (wanted * percent + 50) / 100);
    }
    for (const WacoRecipe& recipe : recipes)
        sample.fill(recipe, wanted);
    return sample.result();
}

std::vector<SuperSchedule> sample_uniform(Operator op, const Extents& extents, int count, int threads,
                                          Random& random) {
    const SearchSpace space(op, extents, threads);
    const std::uint64_t wanted = std::min(static_cast<std::uint64_t>(std::max(count, 0)), space.size());
    std::vector<SuperSchedule> schedules;
    for (const std::uint64_t rank : distinct_below(space.size(), wanted, random))
        schedules.push_back(space.at(rank));
    return schedules;
}

std::vector<SuperSchedule> sample_near(const SuperSchedule& start, const Extents& extents, int count,
                                       Random& random) {
    const std::size_t wanted = static_cast<std::size_t>(std::max(count, 0));
    std::unordered_set<SuperSchedule> seen{canonical(start)};
    std::vector<SuperSchedule> found;
    std::vector<SuperSchedule> ring{canonical(start)};
    while (found.size() < wanted && !ring.empty()) {
        std::vector<SuperSchedule> next;
        for (const SuperSchedule& centre : ring)
            for (const SuperSchedule& neighbour : neighbours(centre, extents))
                if (seen.insert(neighbour).second)
                    next.push_back(neighbour);
        random.shuffle(next);
        const auto taken = static_cast<std::ptrdiff_t>(std::min(next.size(), wanted - found.size()));
        found.insert(found.end(), next.begin(), next.begin() + taken);
        ring = std::move(next);
    }
    return found;
}

std::vector<SuperSchedule> random_walk(const SuperSchedule& start, const Extents& extents, int steps,
                                       Random& random) {
    std::vector<SuperSchedule> walk;
    SuperSchedule here = start;
    for (int step = 0; step < steps; ++step) {
        // Never empty: the chunk can always change.
        const std::vector<SuperSchedule> next = neighbours(here, extents);
        here = random.pick(std::span(next));
        walk.push_back(here);
    }
    return walk;
}

constexpr Names<Sampler, 2> sampler_names{{{Sampler::Waco, "waco"}, {Sampler::Uniform, "uniform"}}};

std::string_view name(Sampler sampler) {
    return name_in(sampler_names, sampler);
}

std::optional<Sampler> parse_sampler(std::string_view text) {
    return value_in(sampler_names, text);
}

std::vector<SuperSchedule> draw_schedules(Sampler sampler, Operator op, const Extents& extents, int count,
                                          int threads, Random& random) {
    return sampler == Sampler::Waco ? sample_waco(op, extents, count, threads, random)
                                    : sample_uniform(op, extents, count, threads, random);
}

namespace {

std::vector<SuperSchedule> choose(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                  const Extents& extents, int threads) {
    if (const auto* listed = std::get_if<ListedSchedules>(&choice))
        return listed->schedules;
    const auto& sampled = std::get<SampledSchedules>(choice);
    Random random = Random(sampled.seed).fork(digest_of(matrix));
    return draw_schedules(sampled.sampler, op, extents, sampled.count, threads, random);
}

} // namespace

std::vector<SuperSchedule> schedules_for(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                         const Extents& extents, int threads) {
    std::vector<SuperSchedule> schedules{fixed_csr(op, threads)};
    std::unordered_set<SuperSchedule> known{canonical(schedules.front())};
    for (SuperSchedule& schedule : choose(choice, op, matrix, extents, threads)) {
        schedule.threads = threads;
        if (known.insert(canonical(schedule)).second)
            schedules.push_back(schedule);
    }
    return schedules;
}

} // namespace sparsight
