// Decodes blocks in another process, sparsight-cli: a program that loads LibTorch must not load LLVM.
#pragma once

#include "base/error.h"
#include "base/helper_process.h"
#include "domains/blocks/code/decoded_block.h"

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Usable from several threads at once.
class DecoderProcess {
public:
    /// One result for each block. The process is started by the first question, kept for the next ones, and
    /// started again where it has ended. Errors: sparsight-cli is missing (Environment), or ends (Internal).
    [[nodiscard]] Result<std::vector<Result<DecodedBlock>>> decode(std::span<const MachineCode> codes);

private:
    std::mutex mutex_;
    std::optional<HelperProcess> helper_;
};

/// What sparsight-cli answers: `question` is what DecoderProcess asks, each block is decoded by `decode`.
[[nodiscard]] std::string
answer_decoder_question(std::string_view question,
                        const std::function<Result<std::vector<Instruction>>(const MachineCode&)>& decode);

} // namespace sparsight
