#include "domains/blocks/exchange/block_errors.h"

#include "base/reading/csv_table.h"
#include "base/text.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/exchange/block_table.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workloads.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>

namespace sparsight {
namespace {

using Predictions = std::unordered_map<std::string, double>;

Result<Predictions> read_predictions(const std::filesystem::path& file) {
    auto table = CsvTable::open(file);
    if (!table)
        return std::unexpected(std::move(table).error());
    const auto name = table->column("block_id");
    const auto predicted = table->column("predicted");
    if (!name || !predicted)
        return fail_in_file(Fault::Input, file.string(), 1,
                            fmt::format("found the columns {}, expected block_id and predicted",
                                        fmt::join(table->columns(), ", ")));
    Predictions all;
    while (true) {
        const auto more = table->next();
        if (!more)
            return std::unexpected(more.error());
        if (!*more)
            return all;
        if (table->defect())
            return std::unexpected(*table->defect());
        const std::string_view text = table->field(*predicted);
        if (text.empty())
            continue; // a block that could not be predicted
        double cycles = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(cycles))
            return std::unexpected(table->unexpected_field(*predicted, "a number, or nothing"));
        all.emplace(table->field(*name), cycles);
    }
}

} // namespace

Result<BlockErrors> errors_of_blocks(const std::filesystem::path& blocks, std::string_view machine,
                                     const std::filesystem::path& predictions, const BlockDecoder& decoder,
                                     Observer& observer, const std::stop_token& stop) {
    const auto predicted = read_predictions(predictions);
    if (!predicted)
        return std::unexpected(predicted.error());
    auto table = BlockTable::open(blocks);
    if (!table)
        return std::unexpected(std::move(table).error());
    const auto column = std::ranges::find(table->machines(), machine);
    if (column == table->machines().end())
        return fail_in_file(Fault::Input, blocks.string(), 1,
                            fmt::format("has no times of '{}', expected one of: {}", machine,
                                        fmt::join(table->machines(), ", ")));
    const auto place = static_cast<std::size_t>(column - table->machines().begin());
    BlockErrors result;
    std::vector<PredictedCase> cases;
    while (!table->is_over() && !stop.stop_requested()) {
        const auto row = table->next();
        if (!row) {
            result.failed.push_back(row.error());
            continue;
        }
        if (!*row)
            break;
        if (!(*row)->cycles[place])
            continue;
        const auto said = predicted->find((*row)->name);
        if (said == predicted->end()) {
            ++result.without_prediction;
            continue;
        }
        const auto instructions = decoder.decode((*row)->code);
        if (!instructions) {
            result.failed.push_back(
                {Fault::Input, instructions.error().message, table->file(), table->line()});
            continue;
        }
        cases.push_back({said->second, *(*row)->cycles[place], classes_of(*instructions),
                         applications_of((*row)->applications)});
        observer.show({.stage = "comparing", .done = table->consumed(), .total = table->total()});
    }
    result.is_stopped = stop.stop_requested();
    result.groups = error_groups(cases);
    return result;
}

Result<BlockErrors> errors_of_stored_blocks(Workspace& workspace, std::string_view machine,
                                            const BlockDecoder& decoder, const BlockModel& model,
                                            Observer& observer, const std::stop_token& stop) {
    const auto known = require_machine(workspace, machine);
    if (!known)
        return std::unexpected(known.error());
    const auto times = list_runtimes(workspace, {.machine = known->id,
                                                 .setting = {std::string(blocks_domain), {}},
                                                 .protocol = std::string(block_protocol)});
    if (!times)
        return std::unexpected(times.error());
    const auto blocks = list_workloads(workspace, blocks_domain);
    if (!blocks)
        return std::unexpected(blocks.error());
    std::unordered_map<std::int64_t, double> measured; // cycles of an iteration, by the id of the block
    for (const ListedRuntime& time : times->runtimes)
        if (time.median_ms)
            measured.emplace(static_cast<std::int64_t>(time.workload),
                             cycles_of(Milliseconds(*time.median_ms)) / block_iterations);
    BlockErrors result;
    std::vector<PredictedCase> cases;
    std::uint64_t done = 0;
    for (const WorkloadRecord& block : *blocks) {
        if (stop.stop_requested())
            break;
        const auto time = measured.find(static_cast<std::int64_t>(block.id));
        if (time == measured.end())
            continue;
        observer.show({.stage = "predicting", .done = ++done, .total = measured.size()});
        const auto facts = nlohmann::json::parse(block.known.facts, nullptr, /*allow_exceptions=*/false);
        const auto code = parse_hex(facts.is_object() ? facts.value("code", std::string()) : std::string());
        auto instructions = code ? decoder.decode(*code) : std::unexpected(code.error());
        if (!instructions) {
            result.failed.push_back(
                {Fault::Input, fmt::format("{}: {}", block.name, instructions.error().message), {}, 0});
            continue;
        }
        const DecodedBlock decoded{*code, *std::move(instructions)};
        const auto predicted = model.cycles(std::span(&decoded, 1));
        if (predicted)
            cases.push_back({predicted->front(), time->second, classes_of(decoded.instructions),
                             applications_of(facts.value("applications", std::string()))});
        else
            ++result.without_prediction;
    }
    result.is_stopped = stop.stop_requested();
    result.groups = error_groups(cases);
    return result;
}

} // namespace sparsight
