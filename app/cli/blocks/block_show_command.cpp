#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/blocks/block_commands.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/code/dependencies.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {
namespace {

constexpr CommandHelp show_help{.description = R"(
Decodes a block, and prints for each instruction what it reads and writes, and for which
others it waits. If the bytes are not code, the error names the first wrong one.

Of an object file the code of one function is decoded as it stands there: addresses that
a linker would fill in are 0.

Dependencies are read after write (RAW), write after read (WAR) and write after write
(WAW), within one iteration of the block and to the next one ("last time" in the table).
Memory depends where two addresses are written alike; others are taken to differ.)",
                                .examples = R"(
sparsight-cli block show 4801d8480fafc3
sparsight-cli block show loop.s --att
sparsight-cli block show kernel.o --function spmv
sparsight-cli block show 'xor eax, eax; add rax, rbx' --json | jq -r .att)",
                                .json = R"(
{"hex", "intel", "att", "instructions": [{"offset", "hex", "opcode", "mnemonic",
  "text", "prefixes", "reads": [NAME], "writes": [NAME]}],
 "dependencies": [{"kind", "from", "to", "through", "next_iteration"}]}
Instructions are counted from 0. "memory" stands among what is read or written.)"};

struct ReadAndWritten {
    std::vector<std::string> reads;
    std::vector<std::string> writes;
};

/// By the names that the text has, each once.
ReadAndWritten accesses(const Instruction& instruction) {
    ReadAndWritten result;
    const auto add = [](std::vector<std::string>& names, const std::string& name) {
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
    };
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == OperandKind::Register && operand.is_read)
            add(result.reads, operand.reg.name);
        if (operand.kind == OperandKind::Register && operand.is_written)
            add(result.writes, operand.reg.name);
        for (const auto& reg : {operand.address.base, operand.address.index})
            if (reg)
                add(result.reads, reg->name);
    }
    for (const ImplicitRegister& implicit : instruction.implicit) {
        if (implicit.is_read)
            add(result.reads, implicit.reg.name);
        if (implicit.is_written)
            add(result.writes, implicit.reg.name);
    }
    if (instruction.reads_memory)
        add(result.reads, "memory");
    if (instruction.writes_memory)
        add(result.writes, "memory");
    return result;
}

struct ShownBlock {
    DecodedBlock block;
    std::vector<Dependency> dependencies;
    std::string intel;
    std::string att;
};

Result<ShownBlock> shown(const GivenBlock& given) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(decoder.error());
    auto code = read_block(*decoder, given);
    if (!code)
        return std::unexpected(std::move(code).error());
    auto instructions = decoder->decode(*code);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    ShownBlock shown{{*std::move(code), *std::move(instructions)}, {}, {}, {}};
    shown.dependencies = dependencies_of(shown.block.instructions, {.between_iterations = true});
    for (const auto& [text, syntax] :
         {std::pair(&shown.intel, AssemblySyntax::Intel), {&shown.att, AssemblySyntax::Att}}) {
        auto printed = decoder->print(shown.block.code, syntax);
        if (!printed)
            return std::unexpected(std::move(printed).error());
        *text = *std::move(printed);
    }
    return shown;
}

Json to_json(const ShownBlock& shown) {
    Json instructions = Json::array();
    for (const Instruction& instruction : shown.block.instructions) {
        const ReadAndWritten access = accesses(instruction);
        instructions.push_back({{"offset", instruction.offset},
                                {"hex", to_hex(shown.block.bytes_of(instruction))},
                                {"opcode", instruction.opcode},
                                {"mnemonic", instruction.mnemonic},
                                {"text", instruction.text},
                                {"prefixes", instruction.prefixes},
                                {"reads", access.reads},
                                {"writes", access.writes}});
    }
    Json dependencies = Json::array();
    for (const Dependency& dependency : shown.dependencies)
        dependencies.push_back({{"kind", name(dependency.kind)},
                                {"from", dependency.from},
                                {"to", dependency.to},
                                {"through", dependency.through},
                                {"next_iteration", dependency.is_carried}});
    return {{"hex", to_hex(shown.block.code)},
            {"intel", shown.intel},
            {"att", shown.att},
            {"instructions", std::move(instructions)},
            {"dependencies", std::move(dependencies)}};
}

/// "2 (rax), 3 (memory), 1 (next: eflags)": what an instruction waits for.
std::string awaited(const ShownBlock& shown, std::size_t instruction) {
    std::vector<std::string> parts;
    for (const Dependency& dependency : shown.dependencies)
        if (dependency.to == instruction && dependency.kind == DependencyKind::ReadAfterWrite)
            parts.push_back(fmt::format("{} ({}{})", dependency.from + 1,
                                        dependency.is_carried ? "last time: " : "", dependency.through));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string to_text(const ShownBlock& shown) {
    Table table({{"", Align::Right}, {"bytes"}, {"instruction"}, {"reads"}, {"writes"}, {"waits for"}});
    for (std::size_t at = 0; at < shown.block.instructions.size(); ++at) {
        const Instruction& instruction = shown.block.instructions[at];
        const ReadAndWritten access = accesses(instruction);
        table.add_row({fmt::to_string(at + 1), to_hex(shown.block.bytes_of(instruction)), instruction.text,
                       fmt::format("{}", fmt::join(access.reads, " ")),
                       fmt::format("{}", fmt::join(access.writes, " ")), awaited(shown, at)});
    }
    return fmt::format("{} in {}\n\n{}",
                       counted(shown.block.instructions.size(), "instruction", "instructions"),
                       counted(shown.block.code.size(), "byte", "bytes"), table.text());
}

} // namespace

void add_block_show(CLI::App& block, Session& session) {
    CLI::App& command = add_command(block, "show", "Decode a block", show_help);
    const auto given = std::make_shared<GivenBlock>();
    add_block_options(command, *given);
    set_action(command, session, [&session, given] {
        const auto answer = shown(*given);
        if (!answer)
            return session.refuse(answer.error());
        session.answer(to_json(*answer), to_text(*answer));
        return ExitCode::Done;
    });
}

} // namespace sparsight
