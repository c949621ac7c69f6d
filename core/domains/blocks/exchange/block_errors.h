// Errors of predicted cycles of the blocks of a table, in groups.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/models/block_model.h"
#include "domains/blocks/models/error_groups.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

struct BlockErrors {
    ErrorGroups groups;
    std::int64_t without_prediction = 0; ///< measured blocks
    std::vector<Error> failed;           ///< lines that can't be read, blocks that can't be decoded
    bool is_stopped = false;             ///< before the end of the file
};

/// `predictions` has the columns block_id and predicted, in the unit of the measured cycles, as
/// PredictionTable::csv() writes them. Errors: those of CsvTable::open(); the table has no times of the
/// machine, or the predictions lack a column (Input).
[[nodiscard]] Result<BlockErrors> errors_of_blocks(const std::filesystem::path& blocks,
                                                   std::string_view machine,
                                                   const std::filesystem::path& predictions,
                                                   const BlockDecoder& decoder, Observer& observer,
                                                   const std::stop_token& stop);

/// Of what a model says of the blocks of a workspace with a time on the machine. A block that can't be
/// predicted is one without_prediction. Errors: those of the workspace; there is no such machine (Input).
[[nodiscard]] Result<BlockErrors> errors_of_stored_blocks(Workspace& workspace, std::string_view machine,
                                                          const BlockDecoder& decoder,
                                                          const BlockModel& model, Observer& observer,
                                                          const std::stop_token& stop);

} // namespace sparsight
