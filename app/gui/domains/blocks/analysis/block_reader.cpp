#include "gui/domains/blocks/analysis/block_reader.h"

#include "domains/blocks/code/code_lines.h"

#include <utility>

namespace sparsight {

Result<void> BlockReader::start() {
    if (decoder_)
        return {};
    auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(std::move(decoder).error());
    decoder_ = *std::move(decoder);
    return {};
}

Result<DecodedBlock> BlockReader::decoded(const CodeText& code) const {
    auto bytes = code.form == CodeForm::Hex || is_hex(code.text)
                     ? parse_hex(code.text)
                     : decoder_->assemble(code.text, code.form == CodeForm::Att ? AssemblySyntax::Att
                                                                                : AssemblySyntax::Intel);
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    auto instructions = decoder_->decode(*bytes);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    return DecodedBlock{*std::move(bytes), *std::move(instructions)};
}

Result<BlockCosts> BlockReader::costs(const DecodedBlock& block, const Microarchitecture& machine,
                                      const PortTables& tables) {
    if (const auto table = tables.find(machine.name); table != tables.end())
        return costs_of(block, table->second);
    auto known = scheduled_.find(machine.name);
    if (known == scheduled_.end()) {
        auto made = ScheduledCosts::make(*decoder_, machine);
        if (!made)
            return std::unexpected(std::move(made).error());
        known = scheduled_.emplace(machine.name, *std::move(made)).first;
    }
    return known->second.of(block);
}

Result<BlockReading> BlockReader::read(const CodeText& code, const std::vector<std::string>& machines,
                                       const PortTables& tables) {
    const std::lock_guard lock(mutex_);
    if (auto started = start(); !started)
        return std::unexpected(std::move(started).error());
    auto block = decoded(code);
    if (!block)
        return std::unexpected(std::move(block).error());
    BlockReading reading{*std::move(block), {}, {}};
    reading.lines = lines_of(reading.block.instructions, code.text);
    for (const std::string& name : machines) {
        const auto machine = find_microarchitecture(name);
        if (!machine || !machine->has_known_front_end)
            continue;
        const auto known = costs(reading.block, *machine, tables);
        if (!known)
            return std::unexpected(known.error());
        BlockAnalysis analysis = analyse_block(reading.block, *known, front_end_of(*machine));
        std::string sentence = what_binds(reading.block, analysis);
        reading.machines.push_back({name, !tables.contains(name), std::move(analysis), std::move(sentence)});
    }
    return reading;
}

Result<std::vector<McaCycles>> BlockReader::mca(const DecodedBlock& block,
                                                const std::vector<std::string>& machines,
                                                const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (auto started = start(); !started)
        return std::unexpected(std::move(started).error());
    std::vector<McaCycles> all;
    for (const std::string& machine : machines) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        auto known = models_.find(machine);
        if (known == models_.end()) {
            auto throughput = McaModel::make(*decoder_, machine, McaFigure::ReciprocalThroughput);
            auto cycles = McaModel::make(*decoder_, machine, McaFigure::TotalCycles);
            if (!throughput || !cycles)
                continue; // none of LLVM's processors
            known = models_.emplace(machine, Models{*std::move(throughput), *std::move(cycles)}).first;
        }
        const auto ask = [&block](const McaModel& model) -> Result<double> {
            const auto answer = model.cycles(std::span(&block, 1));
            return answer ? Result<double>(answer->front()) : std::unexpected(answer.error());
        };
        all.push_back({machine, ask(*known->second.throughput), ask(*known->second.cycles)});
    }
    return all;
}

Result<std::string> BlockReader::print(const MachineCode& code, CodeForm form) {
    const std::lock_guard lock(mutex_);
    if (auto started = start(); !started)
        return std::unexpected(std::move(started).error());
    if (form != CodeForm::Hex)
        return decoder_->print(code, form == CodeForm::Att ? AssemblySyntax::Att : AssemblySyntax::Intel);
    auto instructions = decoder_->decode(code);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    const DecodedBlock block{code, *std::move(instructions)};
    std::string text;
    for (const Instruction& instruction : block.instructions)
        text += to_hex(block.bytes_of(instruction)) + '\n';
    return text;
}

} // namespace sparsight
