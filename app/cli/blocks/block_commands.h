// What sparsight-cli has for basic blocks alone.
#pragma once

#include "base/error.h"
#include "cli/commands.h"
#include "domains/blocks/decoder/block_decoder.h"

#include <memory>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// A block as the user gives it.
struct GivenBlock {
    /// Hexadecimal digits, assembly with ; or line breaks, a file of either, or an object file.
    std::string code{};
    bool is_att = false;    ///< of assembly: AT&T's syntax; otherwise Intel's
    std::string function{}; ///< of an object file; empty: its only one
};
void add_block_options(CLI::App& command, GivenBlock& given);
/// Errors: those of BlockDecoder::assemble() and decode() and of parse_hex(), with the file where there is
/// one.
[[nodiscard]] Result<MachineCode> read_block(const BlockDecoder& decoder, const GivenBlock& given);

// Parts of `block`.
void add_block_show(CLI::App& block, Session& session);
void add_block_bound(CLI::App& block, Session& session);
void add_block_explain(CLI::App& block, Session& session);
void add_block_predict(CLI::App& block, Session& session);
void add_block_simulate(CLI::App& block, Session& session);
void add_block_errors(CLI::App& block, Session& session);
void add_block_decode(CLI::App& block, Session& session);
void add_block_answer_simulations(CLI::App& block, Session& session);

void add_import_blocks(CLI::App& app, Session& session, std::shared_ptr<DomainPart<ImportOrder>> importer);
[[nodiscard]] std::shared_ptr<DomainPart<ImportOrder>> make_block_importer();

/// The domain with its files and its commands.
void add_blocks(CommandLine& program);

} // namespace sparsight
