#include "kernel/storage_breakdown.h"

#include "kernel/packing.h"
#include "kernel/saturating_bytes.h"

#include <array>

namespace sparsight {

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
