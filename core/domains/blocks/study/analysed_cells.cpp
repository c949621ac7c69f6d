#include "domains/blocks/study/analysed_cells.h"

#include "base/random.h"
#include "domains/blocks/analyser/mca_model.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/decoder/block_editor.h"
#include "domains/blocks/explanation/block_explanation.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/models/learned_model.h"
#include "domains/blocks/tables/machine_tables.h"
#include "domains/blocks/tables/microarchitecture.h"
#include "domains/blocks/tables/port_table.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

double core_time() {
    std::timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Result<DecodedBlock> decoded(const BlockDecoder& decoder, const StudyBlock& block) {
    auto code = parse_hex(block.code);
    if (!code)
        return std::unexpected(std::move(code).error());
    auto instructions = decoder.decode(*code);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    return DecodedBlock{*std::move(code), *std::move(instructions)};
}

class AnalysedCells {
public:
    AnalysedCells(Workspace& workspace, const StudyBlocks& blocks, const StudySizes& sizes,
                  const BlockDecoder& decoder, Observer& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , blocks_(blocks)
        , sizes_(sizes)
        , decoder_(decoder)
        , observer_(observer)
        , stop_(stop)
        , record_(workspace, blocks) {}

    Result<void> run() {
        for (const StudyCell& cell : study_cells(sizes_, blocks_.machines, blocks_.training_blocks()))
            if (cell.needs_llvm())
                if (auto done = one(cell); !done)
                    return done;
        return {};
    }

private:
    Result<void> one(const StudyCell& cell) {
        if (cell.model == explanations_cell) {
            const auto is_trained = record_.is_finished(explained_cell(sizes_, blocks_.machines));
            if (!is_trained)
                return std::unexpected(is_trained.error());
            if (!*is_trained)
                return {};
        }
        auto claimed = record_.claim(cell);
        if (!claimed)
            return std::unexpected(std::move(claimed).error());
        if (!*claimed)
            return {};
        const auto result = cell.model == explanations_cell ? explained(cell) : analysed(cell);
        if (result)
            return record_.finish(**claimed, *result);
        if (auto left = record_.leave(**claimed, result.error()); !left)
            return left;
        if (result.error().fault == Fault::Cancelled)
            return std::unexpected(result.error());
        observer_.complain({result.error().fault, describe(cell) + ": " + result.error().message, {}, 0});
        return {};
    }

    [[nodiscard]] std::vector<const StudyBlock*> test_blocks(std::size_t machine) const {
        std::vector<const StudyBlock*> test;
        for (const StudyBlock& block : blocks_.blocks)
            if (block.side == StudySide::Test && block.cycles[machine] > 0)
                test.push_back(&block);
        return test;
    }

    /// A block that the scheduling model does not know stays without a prediction.
    Result<CellResult> analysed(const StudyCell& cell) {
        CellResult result;
        double seconds = 0;
        double predicted = 0;
        for (std::size_t machine = 0; machine < blocks_.machines.size(); ++machine) {
            const std::string& name = blocks_.machines[machine];
            const auto model = McaModel::make(decoder_, name,
                                              cell.model == mca_cell ? McaFigure::ReciprocalThroughput
                                                                     : McaFigure::TotalCycles);
            if (!model)
                return std::unexpected(model.error());
            const auto test = test_blocks(machine);
            for (std::size_t at = 0; at < test.size(); ++at) {
                if (stop_.stop_requested())
                    return fail(Fault::Cancelled, "the study was stopped");
                const auto block = decoded(decoder_, *test[at]);
                if (!block)
                    continue;
                const double before = core_time();
                const auto cycles = (*model)->cycles(std::span(&*block, 1));
                seconds += core_time() - before;
                predicted += 1;
                if (cycles && cycles->front() > 0)
                    result.predicted[name].emplace(test[at]->id, cycles->front());
                observer_.show({.stage = "analysing for " + name + " with " + cell.model,
                                .done = at + 1,
                                .total = test.size()});
            }
        }
        result.figures[std::string(inference_seconds)] = seconds;
        result.figures[std::string(blocks_predicted)] = predicted;
        return result;
    }

    Result<std::unique_ptr<const BoundModel>> bound_of(const std::string& machine) const {
        const auto record = require_machine(workspace_, machine);
        if (!record)
            return std::unexpected(record.error());
        const auto text = machine_table(workspace_, record->id, blocks_domain);
        if (!text)
            return std::unexpected(text.error());
        if (text->empty())
            return fail(Fault::Input,
                        fmt::format("{} has no table of ports: import-blocks --table", machine));
        auto ports = parse_port_table(*text);
        if (!ports)
            return std::unexpected(std::move(ports).error());
        return std::make_unique<const BoundModel>(
            *std::move(ports), front_end_of(find_microarchitecture(machine).value_or(Microarchitecture())));
    }

    /// Test blocks of a middle length, in a random order, each of a group of its own.
    std::vector<std::pair<const StudyBlock*, DecodedBlock>> blocks_to_explain(std::size_t count) const {
        std::vector<const StudyBlock*> test = test_blocks(0);
        Random(sizes_.seed).shuffle(test);
        std::vector<std::pair<const StudyBlock*, DecodedBlock>> chosen;
        std::map<std::string, int> groups;
        for (const StudyBlock* const block : test) {
            if (chosen.size() == count)
                break;
            auto code = decoded(decoder_, *block);
            if (!code || code->instructions.size() < fewest_explained_instructions ||
                code->instructions.size() > most_explained_instructions || groups[block->group]++ > 0)
                continue;
            chosen.emplace_back(block, *std::move(code));
        }
        return chosen;
    }

    Result<CellResult> explained(const StudyCell& cell) {
        const std::string& machine = cell.machines.front();
        const auto bound = bound_of(machine);
        if (!bound)
            return std::unexpected(bound.error());
        const auto learned =
            LearnedBlockModel::start(workspace_.path().string(),
                                     record_.model_name(explained_cell(sizes_, blocks_.machines)), machine);
        if (!learned)
            return std::unexpected(learned.error());
        CellResult result;
        const auto chosen = blocks_to_explain(cell.shots);
        for (std::size_t at = 0; at < chosen.size(); ++at) {
            const auto& [block, code] = chosen[at];
            observer_.show({.stage = "explaining", .done = at, .total = chosen.size()});
            const auto editor = BlockEditor::make(decoder_, code.code);
            if (!editor)
                continue;
            const BlockExplanationOptions options{
                .tolerance = explained_tolerance, .calls = 5000, .seed = sizes_.seed, .stop = stop_};
            const auto of_learned = explain_block(**learned, *editor, options);
            if (!of_learned)
                return std::unexpected(of_learned.error());
            const auto of_bound = explain_block(**bound, *editor, options);
            if (!of_bound)
                return std::unexpected(of_bound.error());
            result.predicted[std::string(explained_similarity)].emplace(block->id,
                                                                        similarity(*of_learned, *of_bound));
            result.predicted[std::string(explained_learned)].emplace(block->id, of_learned->cycles);
            result.predicted[std::string(explained_bound)].emplace(block->id, of_bound->cycles);
        }
        return result;
    }

    Workspace& workspace_;
    const StudyBlocks& blocks_;
    const StudySizes& sizes_;
    const BlockDecoder& decoder_;
    Observer& observer_;
    const std::stop_token& stop_;
    StudyRecord record_;
};

} // namespace

Result<void> run_analysed_cells(Workspace& workspace, const StudyBlocks& blocks, const StudySizes& sizes,
                                Observer& observer, const std::stop_token& stop) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(decoder.error());
    return AnalysedCells(workspace, blocks, sizes, *decoder, observer, stop).run();
}

Result<std::map<std::string, std::vector<InstructionClass>>> instruction_classes(const StudyBlocks& blocks) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(decoder.error());
    std::map<std::string, std::vector<InstructionClass>> classes;
    for (const StudyBlock& block : blocks.blocks)
        if (block.side == StudySide::Test)
            if (const auto code = decoded(*decoder, block))
                classes.emplace(block.name, classes_of(code->instructions));
    return classes;
}

} // namespace sparsight
