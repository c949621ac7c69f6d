#include "schedule/neighbours.h"

#include "schedule/existing_loops.h"
#include "schedule/validity.h"

namespace sparsight {
namespace {

class Neighbourhood {
public:
    explicit Neighbourhood(const SuperSchedule& start)
        : start_(canonical(start)) {}

    void change_splits(const Extents& extents) {
        for (const Index index : indices(start_.op)) {
            const std::int64_t split = start_.split(index);
            if (split < extents[index] && split <= maximum_split / 2)
                add_split(index, split * 2);
            if (split > 1)
                add_split(index, split / 2);
        }
    }

    void flip_formats() {
        for (std::size_t level = 0; level < start_.formats.size(); ++level) {
            const Index index = level < 2 ? row_index(start_.op) : column_index(start_.op);
            if (!start_.has({index, level % 2 == 0 ? Part::Outer : Part::Inner}))
                continue;
            SuperSchedule& changed = found_.emplace_back(start_);
            changed.formats[level] = start_.formats[level] == LevelFormat::Compressed
                                         ? LevelFormat::Uncompressed
                                         : LevelFormat::Compressed;
        }
    }

    void swap_loops() {
        const std::vector<LoopIndex> loops = existing_loops(start_);
        for (std::size_t depth = 0; depth + 1 < loops.size(); ++depth) {
            if (loops[depth].index == loops[depth + 1].index)
                continue;
            std::vector<LoopIndex> swapped = loops;
            std::swap(swapped[depth], swapped[depth + 1]);
            set_existing_loops(found_.emplace_back(start_), swapped);
        }
    }

    void change_parallelism() {
        for (const LoopIndex loop : parallel_loops(start_.op))
            if (loop != start_.parallel)
                found_.emplace_back(start_).parallel = loop;
        if (start_.chunk <= largest_chunk / 2)
            found_.emplace_back(start_).chunk = start_.chunk * 2;
        if (start_.chunk > 1)
            found_.emplace_back(start_).chunk = start_.chunk / 2;
    }

    std::vector<SuperSchedule> take() { return std::move(found_); }

private:
    void add_split(Index index, std::int64_t split) {
        SuperSchedule changed = start_;
        changed.splits[static_cast<std::size_t>(index)] = split;
        found_.push_back(canonical(changed));
    }

    SuperSchedule start_;
    std::vector<SuperSchedule> found_;
};

} // namespace

std::vector<SuperSchedule> neighbours(const SuperSchedule& schedule, const Extents& extents) {
    Neighbourhood neighbourhood(schedule);
    neighbourhood.change_splits(extents);
    neighbourhood.flip_formats();
    neighbourhood.swap_loops();
    neighbourhood.change_parallelism();
    return neighbourhood.take();
}

} // namespace sparsight
