#include "domains/sparse/kernel/storage/packing.h"

#include "base/parallel.h"
#include "domains/sparse/kernel/storage/coordinate_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <span>
#include <system_error>
#include <variant>

namespace sparsight {

/// How many different coordinates (c0 … cl) there are, for each level l.
using PrefixCounts = std::array<std::int64_t, max_storage_levels>;

/// A contiguous part of all entries: one thread's work.
struct TreePart {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    PrefixCounts before{}; ///< of the entries before begin
};

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

template <typename Entry>
/// The prefixes that first occur in the part.
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
        for (std::size_t l = 0; l < layout.levels; ++l)
            counts[l] += (key ^ last) >> layout.fields[l].shift != 0 ? 1 : 0;
        last = key;
    }
    return counts;
}

template <typename Entry>
/// Writes what the part adds to the arrays of `tree`, which have their final sizes; all parts together write
/// every element of them, in any order or at the same time. `values` are those of the entries as the source
/// has them; empty means that all are 1.
void write_part(PackedMatrix& tree, std::span<const Entry> entries, const KeyLayout& layout,
                const TreePart& part, std::span<const float> values) {
    switch (layout.levels) {
    case 2:
        return write_levels<2>(tree, entries, layout, part, values);
    case 3:
        return write_levels<3>(tree, entries, layout, part, values);
    case 4:
        return write_levels<4>(tree, entries, layout, part, values);
    case 5:
        return write_levels<5>(tree, entries, layout, part, values);
    case 6:
        return write_levels<6>(tree, entries, layout, part, values);
    case 7:
        return write_levels<7>(tree, entries, layout, part, values);
    default:
        return write_levels<8>(tree, entries, layout, part, values);
    }
}

} // namespace

struct PackingPlan::Entries {
    std::int64_t nnz = 0;
    std::span<const float> values; ///< of the source, which has them in row-major order
    std::uint64_t fixed_bytes = 0; ///< csr_bytes() or csf_bytes()
    StorageFormat format;
    KeyLayout layout;
    std::variant<AlignedBuffer<NarrowEntry>, AlignedBuffer<WideEntry>> sorted;
    std::vector<TreePart> parts; ///< one for each thread
    StorageSize size;
};

namespace {

/// Starting a thread costs as much as packing about this many entries.
constexpr std::int64_t entries_per_thread = 8192;

int useful_threads(int threads, std::int64_t nnz) {
    return static_cast<int>(std::clamp<std::int64_t>(nnz / entries_per_thread, 1, std::max(threads, 1)));
}

template <typename ColumnKey, typename Entry>
void key_rows(const CsrPattern& pattern, const KeyLayout& layout, const ColumnKey& column_key,
              std::int64_t begin, std::int64_t end, Entry* entries) {
    const std::int64_t* const pointers = pattern.row_pointers.data();
    std::int64_t row = std::upper_bound(pointers, pointers + pattern.rows, begin) - pointers - 1;
    for (std::int64_t e = begin; e < end; ++row) {
        const std::uint64_t row_key = layout.axes[0].key(static_cast<std::uint32_t>(row));
        for (const std::int64_t row_end = std::min(end, pointers[row + 1]); e < row_end; ++e) {
            const auto column = static_cast<std::uint32_t>(pattern.column_ids[static_cast<std::size_t>(e)]);
            set(entries[e], row_key | column_key(column), static_cast<std::uint32_t>(e));
        }
    }
}

/// The entries with their keys, in CSR order.
template <typename Entry>
void key_entries(const CsrPattern& pattern, const KeyLayout& layout, int threads,
                 AlignedBuffer<Entry>& entries) {
    entries.resize(pattern.column_ids.size());
    parallel_parts(threads, pattern.nnz(), [&](int, std::int64_t begin, std::int64_t end) {
        const AxisKey& column = layout.axes[1];
        if (column.is_power_of_two())
            key_rows(
                pattern, layout, [&](std::uint32_t x) { return column.key_by_shifting(x); }, begin, end,
                entries.data());
        else
            key_rows(
                pattern, layout, [&](std::uint32_t x) { return column.key(x); }, begin, end, entries.data());
    });
}

template <typename Entry>
void key_entries(const SparseTensor& tensor, const KeyLayout& layout, int threads,
                 AlignedBuffer<Entry>& entries) {
    entries.resize(static_cast<std::size_t>(tensor.nnz()));
    parallel_parts(threads, tensor.nnz(), [&](int, std::int64_t begin, std::int64_t end) {
        for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
            std::uint64_t key = 0;
            for (std::size_t mode = 0; mode < tensor.order(); ++mode)
                key |= layout.axes[mode].key(static_cast<std::uint32_t>(tensor.coordinates[mode][e]));
            set(entries[e], key, static_cast<std::uint32_t>(e));
        }
    });
}

/// A part for each thread, and an empty one at the end whose counts are those of all entries.
template <typename Entry>
std::vector<TreePart> part_tree(const AlignedBuffer<Entry>& sorted, const KeyLayout& layout, int threads) {
    std::vector<TreePart> parts(static_cast<std::size_t>(threads));
    std::vector<PrefixCounts> counts(parts.size());
    const auto count = static_cast<std::int64_t>(sorted.size());
    parallel_parts(threads, count, [&](int part, std::int64_t begin, std::int64_t end) {
        const auto p = static_cast<std::size_t>(part);
        parts[p].begin = begin;
        parts[p].end = end;
        counts[p] = count_prefixes(std::span<const Entry>(sorted), layout, begin, end);
    });
    parts.push_back({count, count, {}});
    for (std::size_t p = 1; p < parts.size(); ++p)
        for (std::size_t l = 0; l < layout.levels; ++l)
            parts[p].before[l] = parts[p - 1].before[l] + counts[p - 1][l];
    return parts;
}

/// Brings the entries of a matrix or tensor into the tree's order; returns the parts and one part more, as
/// part_tree().
template <typename Source, typename Entry>
std::vector<TreePart> sort_into_tree(const Source& source, const KeyLayout& layout, int threads,
                                     const std::stop_token& stop, AlignedBuffer<Entry>& entries) {
    key_entries(source, layout, threads, entries);
    const auto [low_bit, high_bit] = layout.bits_to_sort();
    radix_sort(entries, low_bit, high_bit, threads, stop);
    return part_tree(entries, layout, threads);
}

template <typename Entry>
void write_tree(PackedMatrix& tree, const AlignedBuffer<Entry>& entries, const KeyLayout& layout,
                std::span<const TreePart> parts, std::span<const float> values) {
    parallel_parts(static_cast<int>(parts.size()), tree.nnz, [&](int part, std::int64_t, std::int64_t) {
        write_part(tree, std::span<const Entry>(entries), layout, parts[static_cast<std::size_t>(part)],
                   values);
    });
}

std::vector<std::int64_t> sizes_of(const CsrPattern& pattern) {
    return {pattern.rows, pattern.cols};
}
std::vector<std::int64_t> sizes_of(const SparseTensor& tensor) {
    return tensor.sizes;
}
std::uint64_t fixed_bytes(const CsrPattern& pattern) {
    return csr_bytes(pattern);
}
std::uint64_t fixed_bytes(const SparseTensor& tensor) {
    return csf_bytes(tensor);
}

template <typename Source>
Result<void> check_format(const Source& source, const StorageFormat& format) {
    const std::vector<std::int64_t> sizes = sizes_of(source);
    if (!std::ranges::equal(format.sizes, sizes))
        return fail(Fault::Internal, fmt::format("a storage format for {} is used on {}",
                                                 fmt::join(format.sizes, " x "), fmt::join(sizes, " x ")));
    if (const std::string what = defect(format); !what.empty())
        return fail(Fault::Internal, fmt::format("{} is no storage format: {}", describe(format), what));
    if (source.nnz() > INT32_MAX)
        return fail(Fault::Limit,
                    fmt::format("A has {} entries, more than the limit of {}", source.nnz(), INT32_MAX));
    constexpr int most_bits = 64;
    if (const int bits = coordinate_bits(format); bits > most_bits)
        return fail(Fault::Limit, fmt::format("the coordinates of an entry take {} bits as {}, more than the "
                                              "limit of {}",
                                              bits, describe(format), most_bits));
    return {};
}

std::unexpected<Error> out_of_memory(const StorageFormat& format) {
    return fail(Fault::Environment, fmt::format("not enough memory to store A as {}", describe(format)));
}

std::unexpected<Error> no_threads(const StorageFormat& format, const std::system_error& error) {
    return fail(Fault::Environment, fmt::format("no thread could be started to store A as {}: {}",
                                                describe(format), error.code().message()));
}

std::unexpected<Error> stopped() {
    return fail(Fault::Cancelled, "packing was stopped");
}

} // namespace

PackingPlan::PackingPlan(std::unique_ptr<Entries> entries)
    : entries_(std::move(entries)) {}
PackingPlan::~PackingPlan() = default;
PackingPlan::PackingPlan(PackingPlan&&) noexcept = default;
PackingPlan& PackingPlan::operator=(PackingPlan&&) noexcept = default;

const StorageSize& PackingPlan::size() const {
    return entries_->size;
}

template <typename Source>
Result<PackingPlan> PackingPlan::of(const Source& source, const StorageFormat& format, int threads,
                                    const std::stop_token& stop) {
    if (auto checked = check_format(source, format); !checked)
        return std::unexpected(checked.error());
    try {
        const int useful = useful_threads(threads, source.nnz());
        const int source_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(source.nnz())));
        const bool is_narrow = coordinate_bits(format) + source_bits < 64;
        auto plan = std::make_unique<Entries>(Entries{source.nnz(),
                                                      source.values,
                                                      fixed_bytes(source),
                                                      format,
                                                      key_layout(format, is_narrow ? source_bits : 0),
                                                      {},
                                                      {},
                                                      {}});
        plan->parts = is_narrow ? sort_into_tree(source, plan->layout, useful, stop,
                                                 plan->sorted.emplace<AlignedBuffer<NarrowEntry>>())
                                : sort_into_tree(source, plan->layout, useful, stop,
                                                 plan->sorted.emplace<AlignedBuffer<WideEntry>>());
        if (stop.stop_requested())
            return stopped();
        plan->size = storage_size(format, plan->parts.back().before);
        plan->parts.pop_back();
        return PackingPlan(std::move(plan));
    } catch (const std::bad_alloc&) {
        return out_of_memory(format);
    } catch (const std::system_error& error) {
        return no_threads(format, error);
    }
}

Result<PackingPlan> PackingPlan::make(const CsrPattern& pattern, const StorageFormat& format, int threads,
                                      const std::stop_token& stop) {
    return of(pattern, format, threads, stop);
}

Result<PackingPlan> PackingPlan::make(const SparseTensor& tensor, const StorageFormat& format, int threads,
                                      const std::stop_token& stop) {
    return of(tensor, format, threads, stop);
}

Result<PackedMatrix> PackingPlan::pack(const PackingOptions& options) const {
    const auto& [nnz, values, fixed_bytes, format, layout, sorted, parts, size] = *entries_;
    if (auto refused = refusal(format, size, Certainty::Exact, fixed_bytes, options.limits))
        return std::unexpected(*std::move(refused));
    if (options.stop.stop_requested())
        return stopped();
    try {
        PackedMatrix tree;
        tree.format = format;
        tree.nnz = nnz;
        tree.levels.resize(format.levels.size());
        std::int64_t parents = 1;
        for (std::size_t l = 0; l < tree.levels.size(); ++l) {
            PackedLevel& level = tree.levels[l];
            level.positions = size.positions[l];
            if (format.levels[l].format == LevelFormat::Compressed) {
                level.pos.resize(static_cast<std::size_t>(parents) + 1);
                level.crd.resize(static_cast<std::size_t>(level.positions));
            }
            parents = level.positions;
        }
        tree.values.resize(static_cast<std::size_t>(parents));
        if (options.keep_entry_positions)
            tree.entry_positions.resize(static_cast<std::size_t>(nnz));
        if (const auto* const narrow = std::get_if<AlignedBuffer<NarrowEntry>>(&sorted))
            write_tree(tree, *narrow, layout, parts, values);
        else
            write_tree(tree, std::get<AlignedBuffer<WideEntry>>(sorted), layout, parts, values);
        return tree;
    } catch (const std::bad_alloc&) {
        return out_of_memory(format);
    } catch (const std::system_error& error) {
        return no_threads(format, error);
    }
}

Result<StorageSize> predict_storage(const CsrPattern& pattern, const StorageFormat& format, int threads) {
    const auto plan = PackingPlan::make(pattern, format, threads);
    if (!plan)
        return std::unexpected(plan.error());
    return plan->size();
}

namespace {

template <typename Source>
Result<PackedMatrix> pack_source(const Source& source, const StorageFormat& format,
                                 const PackingOptions& options) {
    if (auto checked = check_format(source, format); !checked)
        return std::unexpected(checked.error());
    const StorageSize least = storage_lower_bound(format, source.nnz());
    if (auto refused = refusal(format, least, Certainty::AtLeast, fixed_bytes(source), options.limits))
        return std::unexpected(*std::move(refused));
    const auto plan = PackingPlan::make(source, format, options.threads, options.stop);
    if (!plan)
        return std::unexpected(plan.error());
    return plan->pack(options);
}

} // namespace

Result<PackedMatrix> pack(const CsrPattern& pattern, const StorageFormat& format,
                          const PackingOptions& options) {
    return pack_source(pattern, format, options);
}

Result<PackedMatrix> pack(const SparseTensor& tensor, const StorageFormat& format,
                          const PackingOptions& options) {
    return pack_source(tensor, format, options);
}

} // namespace sparsight
