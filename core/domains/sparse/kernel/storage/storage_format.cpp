#include "domains/sparse/kernel/storage/storage_format.h"

#include "base/quantity.h"
#include "domains/sparse/kernel/storage/packing.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace sparsight {

StorageFormat storage_format(const SuperSchedule& schedule, const Extents& extents) {
    StorageFormat format;
    const auto indices = sparse_indices(schedule.op);
    for (const Index index : indices)
        format.sizes.push_back(extents[index]);
    for (const LoopIndex loop : existing_levels(schedule)) {
        const auto mode = static_cast<std::size_t>(std::ranges::find(indices, loop.index) - indices.begin());
        const std::int64_t split = schedule.split(loop.index);
        const std::int64_t extent =
            loop.part == Part::Inner ? split : (format.sizes[mode] + split - 1) / split;
        format.levels.push_back({loop, mode, split, extent, schedule.format(loop)});
    }
    return format;
}

StorageFormat storage_format(const SuperSchedule& schedule, std::int64_t rows, std::int64_t cols) {
    return storage_format(schedule, extents(schedule.op, rows, cols, 1));
}

std::string describe(const StorageFormat& format) {
    std::string text;
    for (const StorageLevel& level : format.levels)
        text += fmt::format("{}{}{}:{}({})", text.empty() ? "" : " ", letter(level.loop.index),
                            level.loop.part == Part::Outer ? 1 : 0,
                            level.format == LevelFormat::Compressed ? 'C' : 'U', level.extent);
    return text;
}

std::uint64_t PackedMatrix::bytes() const {
    std::uint64_t words = values.size();
    for (const PackedLevel& level : levels)
        words += level.pos.size() + level.crd.size();
    return words * 4;
}

namespace {

std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

} // namespace

std::uint64_t csr_bytes(const CsrPattern& pattern) {
    return 4 * (static_cast<std::uint64_t>(pattern.rows) + 1) + 8 * static_cast<std::uint64_t>(pattern.nnz());
}

std::uint64_t csf_bytes(const SparseTensor& tensor) {
    const auto entries = static_cast<std::size_t>(tensor.nnz());
    std::uint64_t words = static_cast<std::uint64_t>(tensor.sizes.front()) + 1 + entries; // pos and values
    std::vector<bool> differs(entries, false); // from the entry before it, in the modes so far
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        const std::vector<std::int32_t>& coordinates = tensor.coordinates[mode];
        std::uint64_t positions = 0;
        for (std::size_t entry = 0; entry < entries; ++entry) {
            if (entry == 0 || coordinates[entry] != coordinates[entry - 1])
                differs[entry] = true;
            positions += differs[entry] ? 1 : 0;
        }
        if (mode > 0)
            words += positions; // crd
        if (mode > 0 && mode + 1 < tensor.order())
            words += positions + 1; // pos of the level below
    }
    return words * 4;
}

std::uint64_t PackingLimits::bytes_for(std::uint64_t fixed_bytes) const {
    const double grown = max_ratio_to_fixed * static_cast<double>(fixed_bytes);
    if (grown >= static_cast<double>(max_bytes))
        return max_bytes;
    return std::min(max_bytes, std::max(ratio_floor, static_cast<std::uint64_t>(grown)));
}

StorageSize storage_size(const StorageFormat& format, std::span<const std::int64_t> prefixes) {
    StorageSize size;
    std::int64_t parents = 1;
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
        const StorageLevel& level = format.levels[l];
        if (level.format == LevelFormat::Uncompressed) {
            parents = saturating_product(parents, level.extent);
        } else {
            const std::uint64_t pos = array_bytes(static_cast<std::uint64_t>(parents) + 1);
            const std::uint64_t crd = array_bytes(static_cast<std::uint64_t>(prefixes[l]));
            size.bytes = saturating_sum(size.bytes, saturating_sum(pos, crd));
            parents = prefixes[l];
        }
        size.positions.push_back(parents);
    }
    size.bytes = saturating_sum(size.bytes, array_bytes(static_cast<std::uint64_t>(parents)));
    return size;
}

std::vector<CoordinateParts> prefix_parts(const StorageFormat& format) {
    std::vector<CoordinateParts> prefixes;
    CoordinateParts parts;
    for (const StorageLevel& level : format.levels) {
        IdPart& part = level.is_row() ? parts.row : parts.column;
        (level.is_row() ? parts.row_split : parts.column_split) = level.split;
        if (part != IdPart::None)
            part = IdPart::Whole;
        else
            part = level.loop.part == Part::Outer ? IdPart::Outer : IdPart::Inner;
        prefixes.push_back(canonical(parts));
    }
    return prefixes;
}

StorageSize storage_size(const StorageFormat& format, const DistinctCoordinates& distinct) {
    std::vector<std::int64_t> prefixes;
    for (const CoordinateParts& parts : prefix_parts(format))
        prefixes.push_back(distinct(parts));
    return storage_size(format, prefixes);
}

namespace {

double mean_fill(const StorageLevel& level, std::int64_t positions, std::int64_t parents) {
    if (level.format == LevelFormat::Uncompressed)
        return static_cast<double>(level.extent);
    return static_cast<double>(positions) / static_cast<double>(std::max<std::int64_t>(parents, 1));
}

} // namespace

MeanFill mean_fill(const StorageFormat& format, const DistinctCoordinates& distinct) {
    MeanFill fill;
    std::int64_t parents = 1;
    const std::vector<CoordinateParts> parts = prefix_parts(format);
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
        const std::int64_t positions = distinct(parts[l]);
        fill.push_back(mean_fill(format.levels[l], positions, parents));
        parents = positions;
    }
    return fill;
}

MeanFill mean_fill(const PackedMatrix& packed) {
    MeanFill fill;
    for (std::size_t l = 0; l < packed.levels.size(); ++l) {
        const IndexBuffer& pos = packed.levels[l].pos;
        std::int64_t parents = 0;
        for (std::size_t parent = 1; parent < pos.size(); ++parent)
            parents += pos[parent - 1] < pos[parent] ? 1 : 0;
        fill.push_back(mean_fill(packed.format.levels[l], packed.levels[l].positions, parents));
    }
    return fill;
}

StorageSize storage_lower_bound(const StorageFormat& format, std::int64_t nnz) {
    std::vector<std::int64_t> prefixes(format.levels.size());
    std::int64_t below = 1; // entries that fit under one prefix
    for (std::size_t l = format.levels.size(); l-- > 0;) {
        prefixes[l] = nnz / below + (nnz % below != 0 ? 1 : 0);
        below = saturating_product(below, std::max<std::int64_t>(format.levels[l].extent, 1));
    }
    return storage_size(format, prefixes);
}

std::optional<Error> refusal(const StorageFormat& format, const StorageSize& size, Certainty certainty,
                             std::uint64_t fixed_bytes, const PackingLimits& limits) {
    const std::string_view at_least = certainty == Certainty::AtLeast ? "at least " : "";
    const std::uint64_t limit = limits.bytes_for(fixed_bytes);
    if (size.bytes > limit)
        return Error{Fault::Limit,
                     fmt::format("storing A as {} takes {}{}, more than the limit of {} (fixed {} takes {})",
                                 describe(format), at_least, format_bytes(size.bytes), format_bytes(limit),
                                 format.sizes.size() > 2 ? "CSF" : "CSR", format_bytes(fixed_bytes)),
                     {},
                     0};
    const std::int64_t most = *std::ranges::max_element(size.positions);
    if (most > INT32_MAX)
        return Error{
            Fault::Limit,
            fmt::format("storing A as {} needs {}{} positions on one level, more than the limit of {}",
                        describe(format), at_least, most, INT32_MAX),
            {},
            0};
    return std::nullopt;
}

std::uint64_t StorageBreakdown::bytes() const {
    std::uint64_t total = values;
    for (const LevelBytes& level : levels)
        total = saturating_sum(total, saturating_sum(level.pos, level.crd));
    return total;
}

StorageBreakdown storage_breakdown(const StorageFormat& format, const StorageSize& size, std::int64_t nnz) {
    StorageBreakdown result;
    std::int64_t parents = 1;
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
        LevelBytes bytes{format.levels[l], size.positions[l], 0, 0};
        if (bytes.level.format == LevelFormat::Compressed) {
            bytes.pos = array_bytes(static_cast<std::uint64_t>(parents) + 1);
            bytes.crd = array_bytes(static_cast<std::uint64_t>(bytes.positions));
        }
        parents = bytes.positions;
        result.levels.push_back(bytes);
    }
    result.values = array_bytes(static_cast<std::uint64_t>(parents));
    result.padding = array_bytes(static_cast<std::uint64_t>(parents - nnz));
    return result;
}

Result<StorageBreakdown> storage_breakdown(const CsrPattern& pattern, const StorageFormat& format,
                                           int threads, const std::stop_token& stop) {
    const Result<PackingPlan> plan = PackingPlan::make(pattern, format, threads, stop);
    if (!plan)
        return std::unexpected(plan.error());
    return storage_breakdown(format, plan->size(), pattern.nnz());
}

StorageBreakdown csr_breakdown(const CsrPattern& pattern, Operator op) {
    const StorageFormat format = storage_format(fixed_csr(op, 1), pattern.rows, pattern.cols);
    const std::array prefixes{pattern.rows, pattern.nnz()};
    return storage_breakdown(format, storage_size(format, prefixes), pattern.nnz());
}

} // namespace sparsight
