#include "command/blocks/prediction_answer.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/code/decoder_process.h"
#include "domains/blocks/exchange/prediction_table.h"
#include "domains/blocks/learning/block_learning.h"
#include "learn/blocks/block_commands.h"
#include "learn/blocks/block_presets.h"
#include "learn/commands.h"
#include "model/cost_model.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace sparsight {
namespace {

constexpr PartHelp predict_help{.description = R"(

A model of basic blocks predicts cycles: FILE is a table with their machine code in a
column hex (see `import-blocks --help`). The predictions come in its order and per 100
iterations. A block that can't be decoded keeps its line, with an empty value and the
reason. The errors follow where the table has measured cycles of the machine.)",
                                .examples = R"(
sparsight-cli predict --model blocks --machine skl blocks.csv --csv predicted.csv)",
                                .json = R"(
Of basic blocks: {"model", "machine", "blocks": [{"block_id", "predicted", "reason"}],
 "errors": {"blocks", "mape", "median", "kendall_tau"}, "failed": [{"file", "line",
 "error"}]}; errors is null where nothing was measured, mape and median are shares.)"};

class BlockPredictions final : public DomainPart<AskedPredictions> {
public:
    explicit BlockPredictions(std::shared_ptr<DecoderProcess> decoder)
        : decoder_(std::move(decoder)) {}

    std::string_view domain() const override { return blocks_domain; }
    PartHelp help() const override { return predict_help; }
    void add_options(CLI::App&) override {}
    Result<void> check_own(const AskedPredictions& asked) const override {
        if (asked.file.empty())
            return fail(Fault::Input, "a table of blocks is missing, expected its name as FILE");
        return {};
    }

    ExitCode run(Session& session, AskedPredictions& asked) const override {
        const auto stored = load_model(*asked.workspace, *asked.domains, asked.question.query.model);
        if (!stored)
            return asked.observer->refuse(stored.error());
        const auto model = make_cost_model(stored->checkpoint, *stored->domain);
        if (!model)
            return asked.observer->refuse(model.error());
        MachineDescription machine;
        machine.name = asked.question.query.machine;
        if (auto known = check_machine(*stored, machine.name); !known)
            return asked.observer->refuse(known.error(), ExitCode::Usage);
        const auto nothing = std::make_shared<const MachineBounds>(MachineTables());
        const PredictCycles predict =
            [&](std::span<const MachineCode> codes) -> Result<std::vector<Result<double>>> {
            auto decoded = decoder_->decode(codes);
            if (!decoded)
                return std::unexpected(std::move(decoded).error());
            std::vector<std::shared_ptr<const Payload>> blocks;
            for (Result<DecodedBlock>& block : *decoded)
                if (block)
                    blocks.push_back(std::make_shared<const BlockPayload>(*std::move(block), nothing));
            const auto scores =
                (*model)->score_each(blocks, Configuration(), &machine, asked.question.query.threads);
            if (!scores)
                return std::unexpected(scores.error());
            std::vector<Result<double>> cycles;
            for (std::size_t next = 0; const Result<DecodedBlock>& block : *decoded)
                cycles.push_back(block ? Result<double>(cycles_of_score((*scores)[next++]))
                                       : std::unexpected(block.error()));
            return cycles;
        };
        const auto table = predict_table(asked.file, machine.name, predict, *asked.observer, asked.stop);
        asked.observer->clear();
        if (!table)
            return asked.observer->refuse(table.error());
        const auto answer = prediction_answer(session, *table, asked.question.query.model, asked.csv);
        if (!answer)
            return asked.observer->refuse(answer.error());
        asked.observer->answer(answer->json, answer->text, table->is_stopped);
        return exit_code_of(*table);
    }

private:
    /// The cycles of one iteration, from ln(milliseconds) of a hundred.
    static double cycles_of_score(float score) {
        constexpr double iterations = 100;
        return std::exp(static_cast<double>(score)) / (time_of_cycles(iterations).count());
    }

    static Result<void> check_machine(const StoredModel& model, const std::string& machine) {
        const std::vector<std::string>& known = model.checkpoint.model.training.machines;
        if (std::ranges::find(known, machine) != known.end())
            return {};
        std::string names;
        for (const std::string& name : known)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
        return fail(Fault::Input, machine.empty()
                                      ? fmt::format("--machine is missing, expected one that {} has learned "
                                                    "from: {}",
                                                    model.record.name, names)
                                      : fmt::format("{} has not learned from the machine '{}', expected one "
                                                    "of: {}",
                                                    model.record.name, machine, names));
    }

    std::shared_ptr<DecoderProcess> decoder_;
};

} // namespace

void add_blocks(Learner& learner) {
    (void)learner.domains.add(make_blocks_domain()); // each has a name of its own
    const auto decoder = std::make_shared<DecoderProcess>();
    learner.learning.add(std::make_unique<BlockLearning>(
        *learner.domains.find(blocks_domain),
        [decoder](std::span<const MachineCode> codes) { return decoder->decode(codes); }));
    learner.presets.insert(learner.presets.end(), block_presets.begin(), block_presets.end());
    learner.predictions.push_back(std::make_shared<BlockPredictions>(decoder));
}

} // namespace sparsight
