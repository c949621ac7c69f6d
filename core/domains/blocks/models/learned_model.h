// A learned model of blocks as a black box: sparsight-learn computes it, since a program that loads LLVM must
// not load LibTorch.
#pragma once

#include "base/error.h"
#include "base/helper_process.h"
#include "domains/blocks/models/block_model.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The command of sparsight-learn that answers.
inline constexpr std::string_view block_cycles_command = "block-cycles";

class LearnedBlockModel final : public BlockModel {
public:
    /// `model` is of this workspace. Errors (Environment): sparsight-learn is missing, or can't be started.
    [[nodiscard]] static Result<std::unique_ptr<const LearnedBlockModel>>
    start(const std::string& workspace, const std::string& model, const std::string& machine);

    /// Errors: those of sparsight-learn.
    [[nodiscard]] Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const override;

private:
    explicit LearnedBlockModel(HelperProcess helper)
        : helper_(std::move(helper)) {}

    mutable std::mutex mutex_;
    mutable HelperProcess helper_;
};

using PredictDecoded = std::function<Result<std::vector<double>>(std::span<const DecodedBlock>)>;
/// What sparsight-learn answers: `question` is what LearnedBlockModel asks.
[[nodiscard]] std::string answer_model_question(std::string_view question, const PredictDecoded& predict);

} // namespace sparsight
