// The blocks that a study is about, and which of them are learned from: read from a workspace without
// decoding them.
#pragma once

#include "base/error.h"
#include "store/workloads.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

class Workspace;

enum class StudySide : std::uint8_t { Train, Validation, Test };

/// Eight, one and one of ten groups. By the group and the seed alone, so that the side of a block stays what
/// it is when others are added.
[[nodiscard]] StudySide side_of_group(std::string_view group, std::uint64_t seed);

struct StudyBlock {
    WorkloadId id{};
    std::string name;
    std::string code{};         ///< hexadecimal digits
    std::string group{};        ///< equal for blocks that differ in constants alone
    std::string applications{}; ///< where it is from; may be empty
    StudySide side = StudySide::Train;
    std::vector<double> cycles{}; ///< of an iteration, measured, on each machine; 0 where there is no time
};

struct StudyBlocks {
    std::vector<std::string> machines;
    std::vector<StudyBlock> blocks{}; ///< with times of one of the machines at least
    std::size_t apart = 0;            ///< left out: their groups have blocks in a held-out set
    std::uint64_t digest = 0;         ///< of blocks, groups, times and sides
    std::uint64_t seed = 1;

    /// Of one side, with a time on the machine.
    [[nodiscard]] std::size_t count(StudySide side, std::size_t machine) const;
    /// That a machine has for training, of the machine with most.
    [[nodiscard]] std::size_t training_blocks() const;
    /// Up to so many of a machine to learn from, each of a group of its own: groups in an order of the seed,
    /// and of each the first block. For one seed smaller draws are part of larger ones. Names of blocks.
    [[nodiscard]] std::vector<std::string> drawn(std::size_t machine, std::size_t count,
                                                 std::uint64_t seed) const;
};

/// `machines` empty: all with times but Zen+, whose blocks are generated and variants of each other. Errors
/// (Input): no such machine; no blocks with times.
[[nodiscard]] Result<StudyBlocks> read_study_blocks(Workspace& workspace, std::vector<std::string> machines,
                                                    std::uint64_t seed);

} // namespace sparsight
