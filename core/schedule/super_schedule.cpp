#include "schedule/super_schedule.h"

#include <algorithm>

namespace sparsight {

std::string name(LoopIndex loop) {
    return {letter(loop.index), loop.part == Part::Outer ? '1' : '0'};
}

std::span<const LoopIndex> SuperSchedule::loops() const {
    return std::span(order).first(loop_count(op));
}

LevelFormat SuperSchedule::format(LoopIndex loop) const {
    const std::size_t side = loop.index == row_index(op) ? 0 : 2;
    return formats[side + (loop.part == Part::Inner ? 1 : 0)];
}

SuperSchedule canonical(SuperSchedule schedule) {
    const auto begin = schedule.order.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(loop_count(schedule.op));
    std::fill(end, schedule.order.end(), LoopIndex{});
    for (const Index index : indices(schedule.op)) {
        if (schedule.is_split(index))
            continue;
        const LoopIndex outer_loop{index, Part::Outer};
        const LoopIndex inner_loop{index, Part::Inner};
        const auto rest = std::remove(begin, end, inner_loop);
        std::fill(rest, end, inner_loop);
        const auto outer = std::find(begin, rest, outer_loop);
        if (rest != end && outer != rest)
            std::rotate(outer + 1, rest, end);
        if (is_sparse_index(schedule.op, index))
            schedule.formats[index == row_index(schedule.op) ? 1 : 3] = LevelFormat::Uncompressed;
    }
    return schedule;
}

SuperSchedule fixed_csr(Operator op, int threads) {
    SuperSchedule schedule;
    schedule.op = op;
    std::size_t depth = 0;
    const auto append = [&](Index index) {
        schedule.order[depth++] = {index, Part::Outer};
        schedule.order[depth++] = {index, Part::Inner};
    };
    append(row_index(op));
    append(column_index(op));
    if (const auto index = dense_index(op))
        append(*index);
    schedule.formats = {LevelFormat::Uncompressed, LevelFormat::Uncompressed, LevelFormat::Compressed,
                        LevelFormat::Uncompressed};
    schedule.parallel = {row_index(op), Part::Outer};
    schedule.threads = threads;
    schedule.chunk = 32;
    return schedule;
}

bool is_fixed_csr(const SuperSchedule& schedule) {
    return canonical(schedule) == canonical(fixed_csr(schedule.op, schedule.threads));
}

} // namespace sparsight
