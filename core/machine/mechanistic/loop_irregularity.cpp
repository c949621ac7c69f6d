#include "machine/mechanistic/loop_irregularity.h"

#include "kernel/coordinate_key.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

/// Of a level's coordinates the first `length` of every `spacing`.
struct Windows {
    std::int64_t spacing = 1;
    std::int64_t length = 1;

    [[nodiscard]] bool are_all() const { return length >= spacing; }
    [[nodiscard]] bool contain(std::int64_t coordinate) const { return coordinate % spacing < length; }
    /// Of a coordinate among those that the windows contain.
    [[nodiscard]] std::int64_t place(std::int64_t coordinate) const {
        return are_all() ? coordinate : coordinate / spacing * length + coordinate % spacing;
    }
};

Windows windows(std::int64_t extent, double share) {
    if (share >= 1 || extent <= 1)
        return {};
    constexpr std::int64_t most_windows = 8;
    const auto kept = std::max<std::int64_t>(1, std::llround(std::ceil(static_cast<double>(extent) * share)));
    const std::int64_t number = std::min(most_windows, kept);
    return {extent / number, kept / number};
}

/// Entries below some coordinates of the two outermost levels.
class Sample {
public:
    Sample(const StorageFormat& format, const CsrPattern& pattern, std::int64_t most_entries)
        : format_(format)
        , layout_(key_layout(format, 0)) {
        double share = static_cast<double>(most_entries) / static_cast<double>(pattern.nnz());
        for (std::size_t l = 0; l < windows_.size() && l < format.levels.size(); ++l) {
            constexpr double enough = 0.5; // no more than twice as many as asked for
            if (share >= enough)
                break;
            windows_[l] = windows(format.levels[l].extent, share);
            share *= static_cast<double>(windows_[l].spacing) / static_cast<double>(windows_[l].length);
        }
        collect(pattern);
        if (layout_.levels_to_sort > 0)
            std::ranges::sort(keys_);
    }

    [[nodiscard]] const KeyLayout& layout() const { return layout_; }
    /// In the order of the format's loops.
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return keys_; }
    /// Whether the loops over a level are there as a whole.
    [[nodiscard]] bool has_whole_loops(std::size_t level) const {
        return level >= windows_.size() || windows_[level].are_all();
    }
    /// Numbers of an uncompressed level's coordinates: those that are looked at, and of a key.
    [[nodiscard]] std::int64_t extent(std::size_t level) const {
        const std::int64_t extent = format_.levels[level].extent;
        if (has_whole_loops(level))
            return extent;
        const Windows& of_level = windows_[level];
        return extent / of_level.spacing * of_level.length +
               std::min(extent % of_level.spacing, of_level.length);
    }
    [[nodiscard]] std::int64_t place(std::size_t level, std::uint64_t key) const {
        const std::int64_t coordinate = layout_.fields[level].coordinate(key);
        return level < windows_.size() ? windows_[level].place(coordinate) : coordinate;
    }

private:
    /// Of a row's id, or of a column's: whether the two outermost levels look at it.
    [[nodiscard]] std::vector<bool> looked_at(bool rows) const {
        std::vector<bool> result(static_cast<std::size_t>(rows ? format_.rows : format_.cols), true);
        const AxisKey& axis = rows ? layout_.row : layout_.column;
        for (std::size_t l = 0; l < windows_.size() && l < format_.levels.size(); ++l)
            if (format_.levels[l].is_row == rows && !windows_[l].are_all())
                for (std::size_t id = 0; id < result.size(); ++id)
                    if (!windows_[l].contain(
                            layout_.fields[l].coordinate(axis.key(static_cast<std::uint32_t>(id)))))
                        result[id] = false;
        return result;
    }

    void collect(const CsrPattern& pattern) {
        const std::vector<bool> rows = looked_at(true);
        const std::vector<bool> columns = looked_at(false);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!rows[row])
                continue;
            const std::uint64_t of_row = layout_.row.key(static_cast<std::uint32_t>(row));
            for (auto at = pattern.row_pointers[row]; at < pattern.row_pointers[row + 1]; ++at) {
                const auto column =
                    static_cast<std::uint32_t>(pattern.column_ids[static_cast<std::size_t>(at)]);
                if (columns[column])
                    keys_.push_back(of_row | layout_.column.key(column));
            }
        }
    }

    const StorageFormat& format_;
    KeyLayout layout_;
    std::array<Windows, 2> windows_;
    std::vector<std::uint64_t> keys_;
};

/// Counts, of loops that are told in order but for empty ones, those unlike the one before.
class UnlikeLoops {
public:
    void add(std::int64_t place, std::int64_t iterations) {
        if (place == next_)
            unlike_ += place > 0 && iterations != iterations_before_ ? 1 : 0;
        else
            unlike_ += next_ > 0 ? 2 : 1; // the first empty one, if there was a loop before it, and this one
        next_ = place + 1;
        iterations_before_ = iterations;
    }
    /// Of so many loops.
    [[nodiscard]] double share(std::int64_t loops) const {
        const std::int64_t unlike = unlike_ + (next_ > 0 && next_ < loops ? 1 : 0);
        return loops > 0 ? static_cast<double>(unlike) / static_cast<double>(loops) : 0;
    }

private:
    std::int64_t next_ = 0; ///< place after the last loop that was told
    std::int64_t iterations_before_ = 0;
    std::int64_t unlike_ = 0;
};

double irregularity_of(std::size_t level, const StorageFormat& format, const Sample& sample) {
    // The loop is entered for each coordinate that the last compressed level above stores, and for all of the
    // uncompressed levels between.
    std::size_t dense_from = level;
    std::int64_t entered_for_stored = 1;
    while (dense_from > 0 && format.levels[dense_from - 1].format == LevelFormat::Uncompressed)
        entered_for_stored *= sample.extent(--dense_from);
    const auto prefix = [&](std::uint64_t key, std::size_t levels) {
        return levels == 0 ? 0 : key >> sample.layout().fields[levels - 1].shift;
    };

    UnlikeLoops loops;
    std::int64_t stored = 0;
    std::int64_t iterations = 0;
    std::int64_t place = 0;
    for (std::size_t at = 0; at < sample.keys().size(); ++at) {
        const std::uint64_t key = sample.keys()[at];
        const bool is_first = at == 0;
        const std::uint64_t before = is_first ? key : sample.keys()[at - 1];
        if (is_first || prefix(key, level) != prefix(before, level)) {
            if (!is_first)
                loops.add(place, iterations);
            if (prefix(key, dense_from) != prefix(before, dense_from))
                ++stored;
            place = 0;
            for (std::size_t dense = dense_from; dense < level; ++dense)
                place = place * sample.extent(dense) + sample.place(dense, key);
            place += stored * entered_for_stored;
            iterations = 1;
        } else if (prefix(key, level + 1) != prefix(before, level + 1)) {
            ++iterations;
        }
    }
    loops.add(place, iterations);
    return loops.share((stored + 1) * entered_for_stored);
}

} // namespace

std::vector<double> loop_irregularity(const StorageFormat& format, const CsrPattern& pattern,
                                      std::int64_t most_entries) {
    constexpr int bits_of_key = 64;
    std::vector<double> shares(format.levels.size(), 0.0);
    const bool has_loops_to_compare =
        std::ranges::find(format.levels.begin() + 1, format.levels.end(), LevelFormat::Compressed,
                          &StorageLevel::format) != format.levels.end();
    if (!has_loops_to_compare || pattern.nnz() == 0 || coordinate_bits(format) >= bits_of_key)
        return shares;
    const Sample sample(format, pattern, most_entries);
    if (sample.keys().empty())
        return shares;
    for (std::size_t l = 1; l < format.levels.size(); ++l)
        if (format.levels[l].format == LevelFormat::Compressed && sample.has_whole_loops(l))
            shares[l] = irregularity_of(l, format, sample);
    return shares;
}

} // namespace sparsight
