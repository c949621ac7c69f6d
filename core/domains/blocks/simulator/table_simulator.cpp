#include "domains/blocks/simulator/table_simulator.h"

#include "base/parallel.h"
#include "code_analysis/body_simulation.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/simulator/processor_tables.h"

#include <atomic>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

struct TableSimulator::Worker {
    BlockDecoder decoder;
    ProcessorTables tables;

    [[nodiscard]] Result<std::vector<llvm::MCInst>> decode(const MachineCode& code) const {
        std::vector<llvm::MCInst> body;
        for (std::size_t offset = 0; offset < code.size();) {
            auto decoded = decoder.target().decode(code, offset);
            if (!decoded)
                return std::unexpected(std::move(decoded).error());
            offset += decoded->size;
            body.push_back(std::move(decoded->instruction));
        }
        return body;
    }

    [[nodiscard]] Result<std::vector<std::size_t>> classes(const MachineCode& code) const {
        const auto body = decode(code);
        if (!body)
            return std::unexpected(body.error());
        const llvm::MCInstrInfo& instructions = decoder.target().instructions();
        std::vector<std::size_t> places;
        for (const llvm::MCInst& instruction : *body) {
            const llvm::MCInstrDesc& meaning = instructions.get(instruction.getOpcode());
            if (meaning.isCall() || meaning.isReturn())
                continue;
            const auto place = tables.class_of(instruction);
            if (!place)
                return fail(Fault::Environment,
                            fmt::format("LLVM's scheduling model does not know the instruction {}",
                                        instructions.getName(instruction.getOpcode()).str()));
            places.push_back(*place);
        }
        return places;
    }

    [[nodiscard]] Result<double> cycles(const SimulationQuery& query, int iterations) {
        const auto body = decode(*query.code);
        if (!body)
            return std::unexpected(body.error());
        tables.set_processor(query.processor);
        for (const auto& [place, values] : query.classes)
            tables.set_class(place, *values);
        const CodeTarget& target = decoder.target();
        const auto simulated = [&]() -> Result<double> {
            const auto simulation = BodySimulation::of(
                *body, {target.target(), tables.subtarget(), target.instructions(), target.registers()});
            if (!simulation)
                return std::unexpected(simulation.error());
            if (simulation->is_empty())
                return 0;
            const auto total = simulation->total_cycles(static_cast<unsigned>(iterations));
            if (!total)
                return std::unexpected(total.error());
            return *total / iterations;
        }();
        for (const auto& [place, values] : query.classes)
            tables.set_class(place, tables.original().classes[place].values);
        return simulated;
    }
};

TableSimulator::TableSimulator(std::vector<std::unique_ptr<Worker>> workers)
    : workers_(std::move(workers)) {}
TableSimulator::~TableSimulator() = default;

Result<std::unique_ptr<TableSimulator>> TableSimulator::make(std::string_view machine, int threads) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (int thread = 0; thread < threads; ++thread) {
        auto decoder = BlockDecoder::make();
        if (!decoder)
            return std::unexpected(std::move(decoder).error());
        auto tables = ProcessorTables::copy(decoder->target(), machine);
        if (!tables)
            return std::unexpected(std::move(tables).error());
        workers.push_back(std::make_unique<Worker>(*std::move(decoder), *std::move(tables)));
    }
    return std::unique_ptr<TableSimulator>(new TableSimulator(std::move(workers)));
}

const SimulatorTable& TableSimulator::original() const {
    return workers_.front()->tables.original();
}

Result<std::vector<Result<std::vector<std::size_t>>>>
TableSimulator::classes(std::span<const MachineCode* const> codes) {
    std::vector<Result<std::vector<std::size_t>>> all;
    for (const MachineCode* const code : codes)
        all.push_back(workers_.front()->classes(*code));
    return all;
}

Result<std::vector<Result<double>>> TableSimulator::cycles(std::span<const SimulationQuery> queries,
                                                           int iterations, const std::stop_token& stop) {
    std::vector<Result<double>> all(queries.size());
    constexpr std::int64_t queries_a_share = 4; // blocks differ in length
    RowShares shares(std::ssize(queries), queries_a_share);
    const int threads = static_cast<int>(workers_.size());
    parallel_parts(threads, threads, [&](int part, std::int64_t, std::int64_t) {
        while (const auto share = shares.next()) {
            if (stop.stop_requested())
                return;
            for (std::int64_t at = share->begin; at < share->end; ++at)
                all[static_cast<std::size_t>(at)] = workers_[static_cast<std::size_t>(part)]->cycles(
                    queries[static_cast<std::size_t>(at)], iterations);
        }
    });
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    return all;
}

} // namespace sparsight
