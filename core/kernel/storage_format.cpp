#include "kernel/storage_format.h"

#include <fmt/format.h>

namespace sparsight {

StorageFormat storage_format(const SuperSchedule& schedule, std::int64_t rows, std::int64_t cols) {
    StorageFormat format{rows, cols, {}};
    for (const LoopIndex loop : schedule.loops()) {
        if (!is_sparse_index(schedule.op, loop.index))
            continue;
        const std::int64_t split = schedule.split(loop.index);
        if (loop.part == Part::Inner && split == 1)
            continue;
        const bool is_row = loop.index == row_index(schedule.op);
        const std::int64_t whole = is_row ? rows : cols;
        const std::int64_t extent = loop.part == Part::Inner ? split : (whole + split - 1) / split;
        format.levels.push_back({loop, is_row, split, extent, schedule.format(loop)});
    }
    return format;
}

std::string describe(const StorageFormat& format) {
    std::string text;
    for (const StorageLevel& level : format.levels)
        text += fmt::format("{}{}{}:{}({})", text.empty() ? "" : " ", letter(level.loop.index),
                            level.loop.part == Part::Outer ? 1 : 0,
                            level.format == LevelFormat::Compressed ? 'C' : 'U', level.extent);
    return text;
}

} // namespace sparsight
