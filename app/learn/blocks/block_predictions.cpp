#include "command/blocks/prediction_answer.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/code/instruction_bytes.h"
#include "domains/blocks/exchange/prediction_table.h"
#include "domains/blocks/learning/block_learning.h"
#include "learn/blocks/block_commands.h"
#include "learn/blocks/block_cycles.h"
#include "learn/blocks/block_presets.h"
#include "learn/commands.h"
#include "model/cost_model.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
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
        const std::string& machine = asked.question.query.machine;
        if (auto known = check_learned_machine(*stored, machine); !known)
            return asked.observer->refuse(known.error(), ExitCode::Usage);
        const PredictCycles predict = [&](std::span<const MachineCode> codes) {
            return predict_cycles(**model, machine, codes, *decoder_, asked.question.query.threads);
        };
        const auto table = predict_table(asked.file, machine, predict, *asked.observer, asked.stop);
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
    std::shared_ptr<DecoderProcess> decoder_;
};

/// Codes of the question, or of blocks of the workspace.
class GivenBlocks final : public GivenWorkloadsPart {
public:
    explicit GivenBlocks(std::shared_ptr<DecoderProcess> decoder)
        : decoder_(std::move(decoder)) {}

    std::string_view domain() const override { return blocks_domain; }

    Result<Json> predict(const GivenWorkloads& asked) const override {
        const std::string& machine = asked.query.machine;
        if (auto known = check_learned_machine(asked.model.stored(), machine); !known)
            return std::unexpected(std::move(known).error());
        const auto codes = codes_of(asked);
        if (!codes)
            return std::unexpected(codes.error());
        Json blocks = Json::array();
        for (std::size_t first = 0; first < codes->size(); first += most_at_once) {
            if (asked.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while the model was asked");
            const auto some = std::span(*codes).subspan(first, std::min(most_at_once, codes->size() - first));
            const auto cycles =
                predict_cycles(asked.model.cost_model(), machine, some, *decoder_, asked.query.threads);
            if (!cycles)
                return std::unexpected(cycles.error());
            for (const Result<double>& each : *cycles)
                blocks.push_back({{"cycles", each ? Json(*each) : Json(nullptr)},
                                  {"reason", each ? Json(nullptr) : Json(each.error().message)}});
        }
        return Json{{"model", asked.query.model}, {"machine", machine}, {"blocks", std::move(blocks)}};
    }

private:
    static constexpr std::size_t most_at_once = 256;

    static Result<std::vector<MachineCode>> codes_of(const GivenWorkloads& asked) {
        const auto code = asked.members.find("code");
        const bool is_code = code != asked.members.end();
        const auto list = is_code ? code : asked.members.find("blocks");
        if (list == asked.members.end() || !list->is_array())
            return fail(Fault::Input,
                        "a block is missing, expected \"code\": [HEX], \"blocks\": [NAME] or \"pairs\"");
        std::vector<MachineCode> codes;
        for (const Json& each : *list) {
            if (!each.is_string())
                return fail(Fault::Input, fmt::format("{} is no text, expected machine code or the name of a "
                                                      "block",
                                                      each.dump(-1, ' ', true)));
            const auto text = is_code ? Result<std::string>(each.get<std::string>())
                                      : stored_code(asked.model, each.get<std::string>());
            if (!text)
                return std::unexpected(text.error());
            const auto parsed = parse_hex(*text);
            if (!parsed)
                return std::unexpected(parsed.error());
            codes.push_back(*parsed);
        }
        return codes;
    }

    static Result<std::string> stored_code(const QueriedModel& model, const std::string& name) {
        const auto record = model.workload(name);
        if (!record)
            return std::unexpected(record.error());
        const Json facts = Json::parse(record->known.facts, nullptr, /*allow_exceptions=*/false);
        const auto code = facts.is_object() ? facts.find("code") : facts.end();
        if (code == facts.end() || !code->is_string())
            return fail(Fault::Input, fmt::format("nothing but the name of {} is known", name));
        return code->get<std::string>();
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
    learner.commands.insert(learner.commands.end(), {&add_block_study_command, &add_block_cycles_command});
    learner.predictions.push_back(std::make_shared<BlockPredictions>(decoder));
    learner.given_workloads.push_back(std::make_shared<GivenBlocks>(decoder));
    learner.commands.push_back(&add_tune_simulator_command);
}

} // namespace sparsight
