#include "domains/sparse/kernel/storage/tree_writer.h"

#include <algorithm>

namespace sparsight {

namespace {

/// One level as the inner loop needs it.
struct LevelWriter {
    KeyField field;
    bool is_compressed = false;
    std::int64_t extent = 0;
    std::int32_t* pos = nullptr;
    std::int32_t* crd = nullptr;
    std::int64_t position = -1; ///< of the last entry written
};

template <std::size_t levels>
using LevelWriters = std::array<LevelWriter, levels>;

template <std::size_t levels>
LevelWriters<levels> level_writers(PackedMatrix& tree, const KeyLayout& layout) {
    LevelWriters<levels> writers;
    for (std::size_t l = 0; l < levels; ++l) {
        const StorageLevel& level = tree.format.levels[l];
        writers[l] = {layout.fields[l],
                      level.format == LevelFormat::Compressed,
                      level.extent,
                      tree.levels[l].pos.data(),
                      tree.levels[l].crd.data(),
                      -1};
    }
    return writers;
}

/// Moves the writers to where writing the entry with this key left them.
template <std::size_t levels>
void resume_after(LevelWriters<levels>& writers, std::uint64_t key, const PrefixCounts& before) {
    std::int64_t parent = 0;
    for (std::size_t l = 0; l < levels; ++l) {
        LevelWriter& level = writers[l];
        parent = level.is_compressed ? before[l] - 1 : parent * level.extent + level.field.coordinate(key);
        level.position = parent;
    }
}

/// Parents after `last_parent`, up to and including `parent`, have their children from `child` on.
void open_parents(std::int32_t* pos, std::int64_t last_parent, std::int64_t parent, std::int64_t child) {
    for (std::int64_t p = last_parent + 1; p <= parent; ++p)
        pos[p] = static_cast<std::int32_t>(child);
}

/// Writes pos and crd for one entry; `changed` are the bits in which its key differs from the last one's.
/// Returns the position on the last level.
template <std::size_t levels>
std::int64_t descend(LevelWriters<levels>& writers, std::uint64_t key, std::uint64_t changed,
                     std::int64_t last_root) {
    std::int64_t parent = 0;
    std::int64_t last_parent = last_root;
    for (std::size_t l = 0; l < levels; ++l) {
        LevelWriter& level = writers[l];
        const std::int64_t last = level.position;
        if ((changed >> level.field.shift) != 0) {
            const std::int64_t coordinate = level.field.coordinate(key);
            if (level.is_compressed) {
                level.position = last + 1;
                level.crd[level.position] = static_cast<std::int32_t>(coordinate);
                open_parents(level.pos, last_parent, parent, level.position);
            } else {
                level.position = parent * level.extent + coordinate;
            }
        }
        parent = level.position;
        last_parent = last;
    }
    return parent;
}

template <std::size_t levels, typename Entry>
void write_levels(PackedMatrix& tree, std::span<const Entry> entries, const KeyLayout& layout,
                  const TreePart& part, std::span<const float> values) {
    LevelWriters<levels> writers = level_writers<levels>(tree, layout);
    std::uint64_t last_key = 0;
    if (part.begin > 0) {
        last_key = key_of(entries[static_cast<std::size_t>(part.begin) - 1]);
        resume_after(writers, last_key, part.before);
    }
    float* const stored = tree.values.data();
    std::int32_t* const entry_positions =
        tree.entry_positions.empty() ? nullptr : tree.entry_positions.data();
    std::int64_t last = writers.back().position;
    for (std::int64_t e = part.begin; e < part.end; ++e) {
        const Entry& entry = entries[static_cast<std::size_t>(e)];
        const std::uint64_t key = key_of(entry);
        const bool is_first = e == 0;
        const std::int64_t position =
            descend(writers, key, is_first ? ~std::uint64_t{0} : key ^ last_key, is_first ? -1 : 0);
        const std::uint32_t source = source_of(entry, layout.free_bits);
        std::fill(stored + last + 1, stored + position, 0.0F);
        stored[position] = values.empty() ? 1.0F : values[source];
        if (entry_positions != nullptr)
            entry_positions[source] = static_cast<std::int32_t>(position);
        last = position;
        last_key = key;
    }
    if (part.end < tree.nnz)
        return;
    std::int64_t last_parent = tree.nnz == 0 ? -1 : 0;
    std::int64_t parents = 1;
    for (std::size_t l = 0; l < levels; ++l) {
        if (writers[l].is_compressed)
            open_parents(writers[l].pos, last_parent, parents, tree.levels[l].positions);
        last_parent = writers[l].position;
        parents = tree.levels[l].positions;
    }
    std::fill(stored + last + 1, stored + parents, 0.0F);
}

} // namespace

template <typename Entry>
PrefixCounts count_prefixes(std::span<const Entry> entries, const KeyLayout& layout, std::int64_t begin,
                            std::int64_t end) {
    PrefixCounts counts{};
    if (begin == end)
        return counts;
    auto e = static_cast<std::size_t>(begin);
    if (begin == 0) {
        counts.fill(1);
        ++e;
    }
    std::uint64_t last = key_of(entries[e - 1]);
    for (; e < static_cast<std::size_t>(end); ++e) {
        const std::uint64_t key = key_of(entries[e]);
        for (std::size_t l = 0; l < max_storage_levels; ++l)
            counts[l] += (key ^ last) >> layout.fields[l].shift != 0 ? 1 : 0;
        last = key;
    }
    return counts;
}

template <typename Entry>
void write_part(PackedMatrix& tree, std::span<const Entry> entries, const KeyLayout& layout,
                const TreePart& part, std::span<const float> values) {
    switch (layout.levels) {
    case 2:
        return write_levels<2>(tree, entries, layout, part, values);
    case 3:
        return write_levels<3>(tree, entries, layout, part, values);
    default:
        return write_levels<4>(tree, entries, layout, part, values);
    }
}

template PrefixCounts count_prefixes(std::span<const NarrowEntry>, const KeyLayout&, std::int64_t,
                                     std::int64_t);
template PrefixCounts count_prefixes(std::span<const WideEntry>, const KeyLayout&, std::int64_t,
                                     std::int64_t);
template void write_part(PackedMatrix&, std::span<const NarrowEntry>, const KeyLayout&, const TreePart&,
                         std::span<const float>);
template void write_part(PackedMatrix&, std::span<const WideEntry>, const KeyLayout&, const TreePart&,
                         std::span<const float>);

} // namespace sparsight
