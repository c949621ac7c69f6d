// The cells of the study that need LLVM: its machine-code analyser, and explanations, which change code.
#pragma once

#include "base/observer.h"
#include "domains/blocks/code/instruction_classes.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/study/study_blocks.h"
#include "domains/blocks/study/study_plan.h"
#include "domains/blocks/study/study_record.h"

#include <map>
#include <stop_token>
#include <string>

namespace sparsight {

class Workspace;

// What the explanations cell has in the place of machines.
inline constexpr std::string_view explained_similarity = "similarity"; ///< of features, 0 to 1
inline constexpr std::string_view explained_learned = "learned";       ///< cycles by Ithemal
inline constexpr std::string_view explained_bound = "bound";           ///< cycles by the bound

/// Blocks of fewer instructions have hardly anything to explain, and longer ones take minutes.
inline constexpr std::size_t fewest_explained_instructions = 4;
inline constexpr std::size_t most_explained_instructions = 10;
/// Cycles: a changed block whose cost is less far off has the same cost.
inline constexpr double explained_tolerance = 0.5;

/// Computes and stores those that are not stored yet and can be had: an explanation needs the model of
/// explained_cell(). Errors: those of the workspace; Fault::Cancelled.
[[nodiscard]] Result<void> run_analysed_cells(Workspace& workspace, const StudyBlocks& blocks,
                                              const StudySizes& sizes, Observer& observer,
                                              const std::stop_token& stop);

/// Of each test block, by its name.
[[nodiscard]] Result<std::map<std::string, std::vector<InstructionClass>>>
instruction_classes(const StudyBlocks& blocks);

} // namespace sparsight
