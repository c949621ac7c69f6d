// What the finished cells of the study say, with intervals over groups of blocks.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/instruction_classes.h"
#include "domains/blocks/study/study_blocks.h"
#include "domains/blocks/study/study_plan.h"
#include "domains/blocks/study/study_record.h"
#include "evaluation/estimates.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

/// A study so far as it came.
struct BlockStudy {
    StudyBlocks blocks;
    StudySizes sizes;
    std::vector<std::pair<StudyCell, CellResult>> cells{};
    std::vector<StudyCell> missing{};
    std::map<std::string, std::vector<InstructionClass>> classes{}; ///< instruction_classes()
    std::string created_by{};

    /// All seeds of a cell, whatever its own seed is.
    [[nodiscard]] std::vector<const CellResult*> results(StudyCell cell) const;
    /// The cells without their seeds, each once, in their order.
    [[nodiscard]] std::vector<StudyCell> kinds() const;
};
[[nodiscard]] Result<BlockStudy> read_block_study(Workspace& workspace, const StudySizes& sizes);

enum class StudyUnit { Share, Number, Rate, Time };

/// One figure; all tables and the file of figures are made of these.
struct StudyFigure {
    std::string section; ///< "accuracy", "multi-task", "ablations", "transfer", "throughput" …
    std::string model;   ///< "GRANITE, all machines"
    std::string of;      ///< machine, class of instructions, application
    std::string figure;  ///< "mean error", "Kendall's tau" …
    Estimate estimate{};
    StudyUnit unit = StudyUnit::Share;
    std::size_t seeds = 0;
    std::size_t blocks = 0;
    std::size_t shots = 0; ///< of transfer
};

// Names of figures.
inline constexpr std::string_view mean_error = "mean error";
inline constexpr std::string_view median_error = "median error";
inline constexpr std::string_view tau_figure = "Kendall's tau";
inline constexpr std::string_view error_difference = "mean error less that of the other";

/// "Haswell"; the name itself where it is none that is known.
[[nodiscard]] std::string machine_title(const std::string& machine);
/// "Ithemal, all machines".
[[nodiscard]] std::string model_title(const BlockStudy& study, const StudyCell& kind);

/// Whether its errors on its machines are compared: of all but explanations and what is for a new machine.
[[nodiscard]] bool is_compared(const StudyCell& kind);

/// Sections "accuracy", "classes" and "applications".
[[nodiscard]] std::vector<StudyFigure> accuracy_figures(const BlockStudy& study);
/// "multi-task": of all machines less of one; "ablations": of the variant less of GRANITE. Paired by block.
[[nodiscard]] std::vector<StudyFigure> difference_figures(const BlockStudy& study);
[[nodiscard]] std::vector<StudyFigure> transfer_figures(const BlockStudy& study);
[[nodiscard]] std::vector<StudyFigure> throughput_figures(const BlockStudy& study);
/// Of blocks whose explanations have the same features, some in common, or none.
[[nodiscard]] std::vector<StudyFigure> explanation_figures(const BlockStudy& study);

} // namespace sparsight
