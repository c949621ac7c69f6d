// The study of cost models of blocks, as a list of trainings and analyses: each is a cell, whose result is
// stored by itself.
#pragma once

#include "base/error.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

// Models that are no networks, besides gray-trees.
inline constexpr std::string_view bound_cell = "bound";
inline constexpr std::string_view mca_cell = "mca";
inline constexpr std::string_view mca_cycles_cell = "mca-cycles";
/// No model: why Ithemal and the bound say what they say, of so many blocks (`shots`).
inline constexpr std::string_view explanations_cell = "explanations";

// How a model comes to know a machine that is taken for new; empty in other cells.
inline constexpr std::string_view supervised_base = "supervised";
inline constexpr std::string_view meta_base = "meta";
inline constexpr std::string_view fine_tuned = "fine-tuned";
inline constexpr std::string_view meta_learned = "meta-learned";
inline constexpr std::string_view from_scratch = "from scratch";

struct StudyCell {
    std::string model;                   ///< an architecture of the domain, or one of the cells above
    std::vector<std::string> machines{}; ///< that it learned from; of an analysis: that it analyses
    std::string way{};
    std::string target{};  ///< the machine that is taken for new
    std::size_t shots = 0; ///< blocks of the target that it learns from
    std::uint64_t seed = 1;
    int epochs = 0; ///< of networks
    int width = 0;  ///< of networks

    auto operator<=>(const StudyCell&) const = default;

    [[nodiscard]] bool is_network() const { return width > 0; }
    /// Whether LLVM computes it.
    [[nodiscard]] bool needs_llvm() const {
        return model == mca_cell || model == mca_cycles_cell || model == explanations_cell;
    }
    /// Whether others are adapted from it.
    [[nodiscard]] bool is_base() const { return way == supervised_base || way == meta_base; }
    /// The machines whose blocks test it.
    [[nodiscard]] std::vector<std::string> tested() const {
        return target.empty() ? machines : std::vector{target};
    }
};
/// "ithemal on hsw, ivb, skl (seed 1)": for people, and for the name of its model.
[[nodiscard]] std::string describe(const StudyCell& cell);

struct StudySizes {
    std::vector<std::string> machines{}; ///< empty: all of the workspace but Zen+
    std::vector<std::string> parts{};    ///< of study_parts; empty: all
    int width = 64;                      ///< of networks
    int ithemal_epochs = 40;
    int granite_epochs = 30;
    int seeds = 5;            ///< of what trains in at most quick_training
    int long_seeds = 2;       ///< of all else
    int transfer_epochs = 40; ///< of Ithemal, on all machines but the new one
    std::vector<std::size_t> shots{0, 100, 1000};
    int draws = 5;               ///< of these blocks
    std::size_t explained = 200; ///< blocks whose predictions are explained
    std::uint64_t seed = 1;      ///< of the split

    [[nodiscard]] bool has_part(std::string_view part) const;
};
inline constexpr std::string_view accuracy_part = "accuracy";
inline constexpr std::string_view ablations_part = "ablations";
inline constexpr std::string_view transfer_part = "transfer";
inline constexpr std::string_view explanations_part = "explanations";
inline constexpr std::string_view study_parts[] = {accuracy_part, ablations_part, transfer_part,
                                                   explanations_part};
inline constexpr double quick_training = 600; ///< seconds
/// Error (Input): a part that is none.
[[nodiscard]] Result<void> check(const StudySizes& sizes);

/// Of a small run, which only shows that all parts work.
[[nodiscard]] StudySizes small_study();

/// About how long the cell takes on one core, if the machines have so many training blocks each.
[[nodiscard]] double expected_seconds(const StudyCell& cell, std::size_t blocks);

/// All cells on these machines: seed by seed, the cheapest first, and none before the one that it is adapted
/// from. Blocks are those that a machine has for training, which tell how many seeds a cell has.
[[nodiscard]] std::vector<StudyCell>
study_cells(const StudySizes& sizes, const std::vector<std::string>& machines, std::size_t blocks);
/// The cell that an adapted one starts from.
[[nodiscard]] StudyCell base_of(const StudyCell& cell, const StudySizes& sizes,
                                const std::vector<std::string>& machines);

/// The model that is explained beside the bound: Ithemal of all machines, seed 1.
[[nodiscard]] StudyCell explained_cell(const StudySizes& sizes, const std::vector<std::string>& machines);

} // namespace sparsight
