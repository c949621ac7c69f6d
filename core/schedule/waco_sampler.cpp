#include "schedule/hash.h"
#include "schedule/sampler.h"
#include "schedule/waco_recipe.h"

#include <algorithm>
#include <unordered_set>

namespace sparsight {
namespace {

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

} // namespace sparsight
