#include "domains/sparse/simulator/memory_scopes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

bool is_outer(const StorageLevel& level) {
    return level.loop.part == Part::Outer;
}

/// Adds one level to the known parts of a row's or column's id.
void refine(IdPart& part, std::int64_t& split, const StorageLevel& level, std::int64_t window) {
    if (part == IdPart::Whole)
        return;
    if (is_outer(level)) {
        // Behind its inner level an outer one completes the id; a window of it is then too coarse to matter.
        const bool completes = part == IdPart::Inner && window == 1;
        part = completes ? IdPart::Whole : IdPart::Outer;
        split = level.split * window;
    } else if (part == IdPart::Outer && split == level.split) {
        part = window == 1 ? IdPart::Whole : IdPart::Outer; // x / s and (x mod s) / w are together x / w
        split = window;
    } else if (part == IdPart::None && window == 1) {
        part = IdPart::Inner;
        split = level.split;
    }
}

} // namespace

LevelWindows finer(const LevelWindows& a, const LevelWindows& b) {
    LevelWindows result{};
    for (std::size_t l = 0; l < result.size(); ++l)
        result[l] = a[l] == 0 || b[l] == 0 ? a[l] + b[l] : std::min(a[l], b[l]);
    return result;
}

VisitedCoordinates::VisitedCoordinates(const StorageFormat& format, const DistinctCoordinates& distinct,
                                       std::stop_token stop)
    : format_(format)
    , distinct_(distinct)
    , stop_(std::move(stop)) {
    for (std::size_t l = 0; l < format.levels.size(); ++l)
        if (format.levels[l].format == LevelFormat::Compressed)
            walked_whole_ = l + 1;
}

CoordinateParts VisitedCoordinates::parts_of(const LevelWindows& levels) const {
    CoordinateParts parts;
    for (std::size_t l = 0; l < walked_whole_; ++l) {
        const StorageLevel& level = format_.levels[l];
        if (levels[l] == 0)
            continue;
        if (level.is_row())
            refine(parts.row, parts.row_split, level, levels[l]);
        else
            refine(parts.column, parts.column_split, level, levels[l]);
    }
    return parts;
}

double VisitedCoordinates::count(const LevelWindows& levels) const {
    if (stop_.stop_requested())
        return 0;
    for (const auto& [counted, result] : counted_)
        if (counted == levels)
            return result;
    const double result = static_cast<double>(distinct_(parts_of(levels))) * walked_whole(levels);
    counted_.emplace_back(levels, result);
    return result;
}

double VisitedCoordinates::walked_whole(const LevelWindows& levels) const {
    double result = 1;
    for (const bool rows : {true, false}) {
        double product = 1;
        bool both_whole = true;
        int seen = 0;
        for (std::size_t l = walked_whole_; l < format_.levels.size(); ++l) {
            const StorageLevel& level = format_.levels[l];
            if (level.is_row() != rows || levels[l] == 0)
                continue;
            product *= static_cast<double>((level.extent + levels[l] - 1) / levels[l]);
            both_whole = both_whole && levels[l] == 1;
            ++seen;
        }
        // The last outer part may be cut: together the two parts run over the ids that there are.
        const auto ids = static_cast<double>(rows ? format_.rows() : format_.cols());
        result *= seen == 2 && both_whole ? std::min(product, ids) : product;
    }
    return result;
}

LevelWindows VisitedCoordinates::ids(bool rows, std::int64_t window) const {
    LevelWindows levels{};
    for (std::size_t l = 0; l < format_.levels.size(); ++l) {
        const StorageLevel& level = format_.levels[l];
        if (level.is_row() != rows)
            continue;
        if (is_outer(level))
            levels[l] = level.split >= window ? 1 : window / level.split;
        else
            levels[l] = level.split >= window ? window : 0;
    }
    return levels;
}

namespace {

constexpr double float_bytes = 4;
constexpr std::int64_t floats_of_line = 16;
/// Windows of iterations of a long loop.
constexpr std::array<std::int64_t, 2> reuse_windows{128, 8};

/// The loops outside a scope.
struct Prefix {
    LevelWindows levels{};    ///< of A
    double repeats = 1;       ///< iterations of dense loops outside: the same of A is walked each time
    bool dense_outer = false; ///< the outer loop of the dense index is outside
    bool dense_inner = false;
    bool inside_parallel = false;
};

class ScopeBuilder {
public:
    ScopeBuilder(const SuperSchedule& schedule, const Extents& extents, const StorageFormat& storage,
                 const StorageSize& size, const VisitedCoordinates& visited)
        : schedule_(schedule)
        , extents_(extents)
        , storage_(storage)
        , stored_bytes_(static_cast<double>(size.bytes))
        , positions_(static_cast<double>(size.positions.back()))
        , visited_(visited) {}

    std::vector<MemoryScope> run() {
        Prefix prefix;
        scopes_.push_back(scope(prefix));
        for (const LoopIndex loop : schedule_.loops())
            if (schedule_.has(loop))
                enter(prefix, loop);
        return std::move(scopes_);
    }

private:
    void enter(Prefix& prefix, LoopIndex loop) {
        if (!is_sparse_index(schedule_.op, loop.index)) {
            enter_dense(prefix, loop);
            return;
        }
        const auto level = std::ranges::find(storage_.levels, loop, &StorageLevel::loop);
        const auto at = static_cast<std::size_t>(level - storage_.levels.begin());
        if (level->extent > 1 && loop.part == Part::Outer)
            for (const std::int64_t window : reuse_windows)
                if (level->extent >= 2 * window) {
                    Prefix coarse = prefix;
                    coarse.levels[at] = window;
                    coarse.inside_parallel = prefix.inside_parallel || loop == schedule_.parallel;
                    scopes_.push_back(scope(coarse));
                }
        prefix.levels[at] = 1;
        prefix.inside_parallel = prefix.inside_parallel || loop == schedule_.parallel;
        if (level->extent > 1)
            scopes_.push_back(scope(prefix));
    }

    void enter_dense(Prefix& prefix, LoopIndex loop) {
        const std::int64_t extent = extents_[loop.index];
        const std::int64_t split = std::min(schedule_.split(loop.index), extent);
        const bool outer = loop.part == Part::Outer;
        prefix.repeats *= static_cast<double>(outer ? (extent + split - 1) / split : split);
        (outer ? prefix.dense_outer : prefix.dense_inner) = true;
        prefix.inside_parallel = prefix.inside_parallel || loop == schedule_.parallel;
        if (extent > 1)
            scopes_.push_back(scope(prefix));
    }

    /// Bytes of the lines that a scope touches of one row of a dense operand.
    [[nodiscard]] double row_bytes(const Prefix& prefix, Index dense) const {
        const auto all = static_cast<double>(extents_[dense]);
        const auto split = static_cast<double>(std::min(schedule_.split(dense), extents_[dense]));
        const bool outer = prefix.dense_outer;
        const bool inner = prefix.dense_inner;
        if (split == 1) // the outer loop is the only one
            return outer ? cache_line_bytes : lines(all);
        if (outer && inner)
            return cache_line_bytes;
        if (outer)
            return lines(split);
        if (inner) // every outer iteration is elsewhere, unless blocks are smaller than lines
            return split >= static_cast<double>(floats_of_line) ? cache_line_bytes * std::ceil(all / split)
                                                                : lines(all);
        return lines(all);
    }

    [[nodiscard]] static double lines(double floats) {
        return cache_line_bytes * std::ceil(floats / static_cast<double>(floats_of_line));
    }

    /// Where the next row (or column) is not known before crd is read: its levels down to its last compressed
    /// one. None where that is the outermost dimension, whose coordinates only ascend: a prefetcher follows.
    [[nodiscard]] LevelWindows jumps(bool rows) const {
        LevelWindows levels{};
        bool compressed = false;
        bool is_walked_again = false;
        for (std::size_t l = storage_.levels.size(); l-- > 0;) {
            const StorageLevel& level = storage_.levels[l];
            if (level.is_row() != rows) {
                is_walked_again = is_walked_again || compressed;
                continue;
            }
            compressed = compressed || level.format == LevelFormat::Compressed;
            levels[l] = compressed ? 1 : 0;
        }
        return is_walked_again ? levels : LevelWindows{};
    }

    /// An operand that rows (or columns) of A address, each with a row of the dense index or one element.
    [[nodiscard]] OperandVolume addressed_by(bool rows, const Prefix& prefix, double accesses) const {
        OperandVolume volume;
        const auto dense = dense_index(schedule_.op);
        const bool divided = rows == (schedule_.parallel.index == row_index(schedule_.op));
        volume.sharing = divided ? Sharing::Divided : Sharing::Common;
        if (dense && extents_[*dense] < floats_of_line && prefix.repeats <= 1) {
            const LevelWindows in_lines = visited_.ids(rows, floats_of_line / extents_[*dense]);
            volume.bytes = visited_.count(finer(prefix.levels, in_lines)) * cache_line_bytes * accesses;
        } else if (dense) {
            volume.bytes = visited_.count(finer(prefix.levels, visited_.ids(rows))) * prefix.repeats *
                           row_bytes(prefix, *dense) * accesses;
        } else {
            const LevelWindows in_lines = visited_.ids(rows, floats_of_line);
            volume.bytes = visited_.count(finer(prefix.levels, in_lines)) * cache_line_bytes * accesses;
        }
        const LevelWindows jumping = jumps(rows);
        if (std::ranges::any_of(jumping, [](std::int64_t window) { return window > 0; }))
            volume.segments = visited_.count(finer(prefix.levels, jumping)) * prefix.repeats;
        return volume;
    }

    [[nodiscard]] MemoryScope scope(const Prefix& prefix) const {
        constexpr double reads = 1;
        constexpr double updates = 2;
        MemoryScope scope;
        scope.executions = std::max(1.0, visited_.count(prefix.levels) * prefix.repeats);
        scope.inside_parallel = prefix.inside_parallel;
        auto& [a, b, d, c] = scope.operands;
        a.bytes = stored_bytes_ * prefix.repeats;
        const auto& factors = description(schedule_.op).factors;
        const auto has_row = [&](const IndexList& operand) { return operand[0] == row_index(schedule_.op); };
        b = addressed_by(has_row(factors[0]), prefix, reads);
        if (factors.size() > 1)
            d = addressed_by(has_row(factors[1]), prefix, reads);
        if (has_sparse_output(schedule_.op))
            c.bytes = 2 * float_bytes * positions_ * prefix.repeats; // C has the positions of A
        else
            c = addressed_by(true, prefix, updates);
        return scope;
    }

    const SuperSchedule& schedule_;
    const Extents& extents_;
    const StorageFormat& storage_;
    double stored_bytes_;
    double positions_;
    const VisitedCoordinates& visited_;
    std::vector<MemoryScope> scopes_;
};

} // namespace

std::vector<MemoryScope> memory_scopes(const SuperSchedule& schedule, const Extents& extents,
                                       const StorageFormat& storage, const StorageSize& size,
                                       const VisitedCoordinates& visited) {
    return ScopeBuilder(schedule, extents, storage, size, visited).run();
}

} // namespace sparsight
