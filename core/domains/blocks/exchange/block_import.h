// Tables of measured basic blocks, into a workspace.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct BlockImportRequest {
    std::vector<std::filesystem::path> files{}; ///< of BlockTable
    std::vector<std::string> machines{};        ///< whose times are imported; empty: all
    bool leaves_out_aliasing = false;           ///< blocks whose measurement may be disturbed
    /// Of PortTable. Each has the ports of one of the machines at least; a later one replaces an earlier one.
    std::vector<std::filesystem::path> port_tables{};
};

struct BlockImportReport {
    std::int64_t blocks = 0;        ///< that were taken
    std::int64_t groups = 0;        ///< of these; blocks of one group differ in constants alone
    std::int64_t machines = 0;      ///< that have times of them
    std::int64_t measurements = 0;  ///< in the files and now in the workspace
    std::int64_t already_there = 0; ///< of these, those that the workspace had before with the same time
    std::int64_t replaced = 0;      ///< of these, those that it had with another time
    std::int64_t aliasing = 0;      ///< blocks that were left out
    std::int64_t apart = 0;         ///< blocks of groups that a held-out set has, too
    std::vector<std::string> machines_with_ports{}; ///< those that got a table of this import
    std::int64_t repeated = 0; ///< further lines of a block with the same code; the first one is taken
    std::int64_t problem_count = 0;
    std::vector<Error> first_problems; ///< lines that could not be taken, the first 1000
    bool is_stopped = false;           ///< before all was read; what was read is imported

    [[nodiscard]] std::int64_t added() const { return measurements - already_there - replaced; }
};

/// Each block is decoded, so that what is stored is code. Its facts are `instructions` and `bytes`, and what
/// the table says of it; its content is that of its group, so that splits keep a group on one side. Some ten
/// thousand lines are one transaction: what was stored before a stop or a kill stays, and importing the file
/// again goes on from there. Errors are those of the workspace, and: a machine is asked for that no file has
/// (Input).
[[nodiscard]] Result<BlockImportReport> import_blocks(Workspace& workspace, const BlockDecoder& decoder,
                                                      const BlockImportRequest& request, Observer& observer,
                                                      const std::stop_token& stop);

} // namespace sparsight
