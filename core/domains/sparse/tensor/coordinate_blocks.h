// Coordinates that arrive in blocks, as a file is read, and their compression into rows, in as little memory
// as the order of the file allows.
#pragma once

#include "domains/sparse/tensor/pattern.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

/// Row or column ids of many entries in the order of a file, each once or as runs of equal ones. Files are
/// nearly always sorted by row or by column, and the ids of that side then take almost no memory.
class IdSequence {
public:
    IdSequence() = default;
    /// Takes the ids as they are.
    explicit IdSequence(std::vector<std::int32_t>&& ids);
    /// A copy: as runs where that takes at most half the memory.
    [[nodiscard]] static IdSequence packed(std::span<const std::int32_t> ids);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool is_ascending() const;
    /// Every id that occurs, at least once.
    [[nodiscard]] std::span<const std::int32_t> occurring() const { return ids_; }
    /// All ids, one each; empty afterwards.
    [[nodiscard]] std::vector<std::int32_t> take();

    /// Walks over the ids: next() may be called size() times.
    class Reader {
    public:
        explicit Reader(const IdSequence& sequence)
            : id_(sequence.ids_.data())
            , length_(sequence.lengths_.empty() ? nullptr : sequence.lengths_.data())
            , left_(length_ == nullptr ? 0 : *length_) {}

        std::int32_t next() {
            if (length_ == nullptr)
                return *id_++;
            if (left_ == 0) {
                ++id_;
                left_ = *++length_;
            }
            --left_;
            return *id_;
        }

    private:
        const std::int32_t* id_;
        const std::int32_t* length_; ///< null: every id once
        std::int32_t left_;          ///< of the run
    };

private:
    std::vector<std::int32_t> ids_;
    std::vector<std::int32_t> lengths_; ///< of the runs; empty: every id once
    std::size_t size_ = 0;
};

/// Some of a matrix's entries, in any order; values has as many entries as row_ids, or none (all 1).
struct CoordinateBlock {
    IdSequence row_ids;
    IdSequence column_ids;
    std::vector<float> values;
};

/// The value at (j, i) when (i, j) with i ≠ j is given.
enum class Mirroring { None, Same, Negated };

/// The blocks' entries, in the order of the blocks, as compress() in pattern.h does it with one list. Blocks
/// already in the order of rows are appended and freed one by one (peak memory: about the result); others are
/// distributed to their rows (peak: blocks and result). The result does not depend on the number of threads.
[[nodiscard]] CompressedRows compress_blocks(std::int64_t rows, std::int64_t cols,
                                             std::vector<CoordinateBlock>&& blocks, Mirroring mirroring,
                                             int threads);

} // namespace sparsight
