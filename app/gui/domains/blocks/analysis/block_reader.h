// The code of a block as it is typed, decoded and analysed: what the page asks off the window's thread.
#pragma once

#include "base/error.h"
#include "domains/blocks/analyser/mca_model.h"
#include "domains/blocks/analyser/scheduled_costs.h"
#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/models/block_analysis.h"
#include "domains/blocks/tables/machine_tables.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

enum class CodeForm : std::uint8_t { Intel, Att, Hex };

struct CodeText {
    std::string text;
    CodeForm form = CodeForm::Intel; ///< digits alone are bytes in any form
    bool operator==(const CodeText&) const = default;
};

/// The ports of machines by their names: those that a workspace has.
using PortTables = std::map<std::string, PortTable, std::less<>>;

/// What one machine needs for the block.
struct MachineAnalysis {
    std::string machine;    ///< "hsw"
    bool is_of_llvm = true; ///< by LLVM's scheduling model; otherwise by a table of the workspace
    BlockAnalysis analysis;
    std::string sentence; ///< what binds
};

struct BlockReading {
    DecodedBlock block;
    std::vector<std::size_t> lines; ///< of the instructions in the text; none where they can't be told
    std::vector<MachineAnalysis> machines;
};

/// Both figures of LLVM's analyser, cycles of an iteration.
struct McaCycles {
    std::string machine;
    Result<double> throughput = 0;
    Result<double> cycles = 0;
};

/// Keeps its decoder and its models between questions. Usable from several threads, one after the other.
class BlockReader {
public:
    /// The machines are those whose front end is known; others are left out. Errors: those of assembly,
    /// digits and decoding; of assembly with its line.
    [[nodiscard]] Result<BlockReading> read(const CodeText& code, const std::vector<std::string>& machines,
                                            const PortTables& tables);
    [[nodiscard]] Result<std::vector<McaCycles>>
    mca(const DecodedBlock& block, const std::vector<std::string>& machines, const std::stop_token& stop);
    /// A line for each instruction. Errors: those of BlockDecoder::print().
    [[nodiscard]] Result<std::string> print(const MachineCode& code, CodeForm form);

private:
    struct Models {
        std::unique_ptr<const McaModel> throughput;
        std::unique_ptr<const McaModel> cycles;
    };
    [[nodiscard]] Result<void> start();
    [[nodiscard]] Result<DecodedBlock> decoded(const CodeText& code) const;
    [[nodiscard]] Result<BlockCosts> costs(const DecodedBlock& block, const Microarchitecture& machine,
                                           const PortTables& tables);

    std::mutex mutex_;
    std::optional<BlockDecoder> decoder_; ///< it outlives what is made of it
    std::map<std::string, ScheduledCosts, std::less<>> scheduled_;
    std::map<std::string, Models, std::less<>> models_;
};

} // namespace sparsight
