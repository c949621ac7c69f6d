#include "learn/blocks/block_cycles.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/block_payload.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace sparsight {
namespace {

/// The cycles of one iteration, from ln(milliseconds) of a hundred.
double cycles_of_score(float score) {
    constexpr double iterations = 100;
    return std::exp(static_cast<double>(score)) / (time_of_cycles(iterations).count());
}

} // namespace

Result<void> check_learned_machine(const StoredModel& model, const std::string& machine) {
    const std::vector<std::string>& known = model.checkpoint.model.training.machines;
    if (std::ranges::find(known, machine) != known.end())
        return {};
    std::string names;
    for (const std::string& name : known)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    return fail(Fault::Input,
                machine.empty()
                    ? fmt::format("--machine is missing, expected one that {} has learned from: {}",
                                  model.record.name, names)
                    : fmt::format("{} has not learned from the machine '{}', expected one of: {}",
                                  model.record.name, machine, names));
}

Result<std::vector<Result<double>>> predict_cycles(const CostModel& model, const std::string& machine,
                                                   std::span<const MachineCode> codes,
                                                   DecoderProcess& decoder, int threads) {
    static const auto no_tables = std::make_shared<const MachineBounds>(MachineTables());
    auto decoded = decoder.decode(codes);
    if (!decoded)
        return std::unexpected(std::move(decoded).error());
    std::vector<std::shared_ptr<const Payload>> blocks;
    for (Result<DecodedBlock>& block : *decoded)
        if (block)
            blocks.push_back(std::make_shared<const BlockPayload>(*std::move(block), no_tables));
    MachineDescription described;
    described.name = machine;
    const auto scores = model.score_each(blocks, Configuration(), &described, threads);
    if (!scores)
        return std::unexpected(scores.error());
    std::vector<Result<double>> cycles;
    for (std::size_t next = 0; const Result<DecodedBlock>& block : *decoded)
        cycles.push_back(block ? Result<double>(cycles_of_score((*scores)[next++]))
                               : std::unexpected(block.error()));
    return cycles;
}

} // namespace sparsight
