#include "domains/sparse/schedule/designed_schedules.h"

#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

namespace sparsight {

namespace {

using enum LevelFormat;

/// Rows that a thread takes at a time: few for balance, many where little is to be balanced.
constexpr std::array<std::int64_t, 5> rows_at_a_time{16, 32, 128, 512, 2048};
constexpr std::array<std::int64_t, 5> strips{1, 16, 32, 64, 128};

class Designs {
public:
    Designs(Operator op, const Extents& extents, int threads)
        : op_(op)
        , extents_(extents)
        , threads_(threads)
        , column_(column_index(op))
        , dense_(dense_index(op)) {
        seen_.insert(canonical(fixed_csr(op, threads)));
    }

    std::vector<SuperSchedule> run() {
        for (const std::int64_t rows : {1, 2, 4, 8, 16, 32})
            add({Place::RowOuter, Place::Strip, Place::RowInner, Place::ColumnOuter, Place::ColumnInner},
                rows, 1, {Uncompressed, Uncompressed, Compressed, Uncompressed});
        for (const std::int64_t rows : {2, 4, 8, 16})
            for (const std::int64_t columns : {1, 2, 4})
                add({Place::RowOuter, Place::Strip, Place::ColumnOuter, Place::ColumnInner, Place::RowInner},
                    rows, columns, {Uncompressed, Uncompressed, Compressed, Uncompressed});
        for (const std::int64_t rows : {16, 64, 256, 1024})
            for (const std::int64_t columns : {16, 64, 128, 256, 1024, 4096})
                for (const LevelFormat panels : {Compressed, Uncompressed})
                    for (const LevelFormat inside : {Compressed, Uncompressed})
                        add({Place::RowOuter, Place::ColumnOuter, Place::Strip, Place::RowInner,
                             Place::ColumnInner},
                            rows, columns, {Uncompressed, inside, panels, Compressed});
        return std::move(designs_);
    }

private:
    /// Of a design, outermost first; the inner part of the dense index is always innermost.
    enum class Place : std::uint8_t { RowOuter, RowInner, ColumnOuter, ColumnInner, Strip };

    [[nodiscard]] std::int64_t extent(Index index) const { return extents_[index]; }

    /// In all strips and chunks. Splits that cover the whole matrix are the same as smaller ones: left out.
    void add(const std::array<Place, 5>& places, std::int64_t rows, std::int64_t columns,
             const std::array<LevelFormat, 4>& formats) {
        if ((rows > 1 && rows >= extent(Index::I)) || (columns > 1 && columns >= extent(column_)))
            return;
        for (const std::int64_t strip : strips) {
            if (strip > 1 && (!dense_ || strip >= extent(*dense_)))
                continue;
            for (const std::int64_t at_a_time : rows_at_a_time)
                add(places, rows, columns, strip, formats,
                    std::clamp<std::int64_t>(at_a_time / rows, 1, largest_chunk));
        }
    }

    void add(const std::array<Place, 5>& places, std::int64_t rows, std::int64_t columns, std::int64_t strip,
             const std::array<LevelFormat, 4>& formats, std::int64_t chunk) {
        SuperSchedule schedule = fixed_csr(op_, threads_);
        split(schedule, Index::I) = rows;
        split(schedule, column_) = columns;
        if (dense_)
            split(schedule, *dense_) = strip;
        std::size_t at = 0;
        for (const Place place : places)
            if (const auto loop = loop_at(place); loop && (place != Place::Strip || strip > 1))
                schedule.order[at++] = *loop;
        if (dense_ && strip == 1) // not split: all of it is innermost
            schedule.order[at++] = {*dense_, Part::Outer};
        if (dense_)
            schedule.order[at++] = {*dense_, Part::Inner};
        schedule.formats = formats;
        schedule.chunk = static_cast<int>(chunk);
        schedule = canonical(schedule);
        if (check(schedule) && seen_.insert(schedule).second)
            designs_.push_back(schedule);
    }

    [[nodiscard]] std::optional<LoopIndex> loop_at(Place place) const {
        switch (place) {
        case Place::RowOuter:
            return LoopIndex{Index::I, Part::Outer};
        case Place::RowInner:
            return LoopIndex{Index::I, Part::Inner};
        case Place::ColumnOuter:
            return LoopIndex{column_, Part::Outer};
        case Place::ColumnInner:
            return LoopIndex{column_, Part::Inner};
        case Place::Strip:
            break;
        }
        return dense_ ? std::optional(LoopIndex{*dense_, Part::Outer}) : std::nullopt;
    }

    static std::int64_t& split(SuperSchedule& schedule, Index index) {
        return schedule.splits[static_cast<std::size_t>(index)];
    }

    Operator op_;
    const Extents& extents_;
    int threads_;
    Index column_;
    std::optional<Index> dense_;
    std::unordered_set<SuperSchedule> seen_;
    std::vector<SuperSchedule> designs_;
};

} // namespace

std::vector<SuperSchedule> designed_schedules(Operator op, const Extents& extents, int threads) {
    return Designs(op, extents, threads).run();
}

} // namespace sparsight
