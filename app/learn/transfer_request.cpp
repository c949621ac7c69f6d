#include "learn/transfer_request.h"

#include "base/parallel.h"
#include "command/transfer_settings.h"
#include "learn/setting_reader.h"
#include "learn/train_request.h"
#include "matrix/pattern.h"
#include "schedule/validity.h"

#include <charconv>
#include <limits>
#include <set>

namespace sparsight {

namespace {

void read_sources(const RunSettings& settings, TransferRequest& request, SettingReader& reader) {
    for (const std::string& word : settings.get<std::vector<std::string>>("sources")) {
        const auto source = parse_meta_source(word);
        if (!source)
            return reader.refuse("sources", "scratch, paper, family, real or family+real");
        request.sources.push_back(*source);
    }
    if (request.sources.empty())
        reader.refuse("sources", "one or more");
}

void read_shots(const RunSettings& settings, TransferRequest& request, SettingReader& reader) {
    std::set<std::size_t> shots;
    for (const std::string& word : settings.get<std::vector<std::string>>("shots")) {
        std::size_t count = 0;
        const char* const end = word.data() + word.size();
        if (const auto [stop, error] = std::from_chars(word.data(), end, count);
            error != std::errc() || stop != end)
            return reader.refuse("shots", "whole numbers, such as 0,1,5,10");
        shots.insert(count);
    }
    request.shots.assign(shots.begin(), shots.end());
    if (shots.empty())
        reader.refuse("shots", "one or more");
}

} // namespace

std::vector<SettingDefinition> transfer_setting_definitions() {
    std::vector<SettingDefinition> definitions;
    for (const TransferSetting& setting : transfer_settings)
        definitions.push_back({std::string(setting.name), Json::parse(setting.fallback),
                               std::string(setting.placeholder), std::string(setting.help),
                               setting.name == "shots"});
    definitions.push_back({"seed", 1, "", ""});
    definitions.push_back({"threads", available_threads(), "N", "threads of LibTorch (default: all)"});
    return definitions;
}

Result<TransferRequest> read_transfer_request(const RunSettings& settings) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    TransferRequest request;
    SettingReader reader(settings);
    request.targets = settings.get<std::vector<std::string>>("targets");
    read_sources(settings, request, reader);
    read_shots(settings, request, reader);
    reader.number("seeds", request.seeds, 1, 1000);
    reader.number("steps", request.steps, 1, most);
    reader.number("family", request.family, 1, 1000);
    reader.number("tuning_epochs", request.tuning.epochs, 1, most);
    reader.number("dense", request.dense, 1, max_extent);
    reader.number("threads", request.threads, 1, maximum_threads);
    request.tuning.adam_rate = settings.get<double>("adam_rate");
    if (!(request.tuning.adam_rate > 0))
        reader.refuse("adam_rate", "a positive number");
    request.test_share = settings.get<double>("test_share");
    if (!(request.test_share > 0 && request.test_share < 1))
        reader.refuse("test_share", "a share above 0 and below 1");
    if (const auto architecture = parse_architecture(settings.get<std::string>("architecture")))
        request.architecture = *architecture;
    else
        reader.refuse("architecture", "statistics or waconet");
    if (const auto op = parse_operator(settings.get<std::string>("operator")))
        request.op = *op;
    else
        reader.refuse("operator", "spmm, spmv or sddmm");
    if (reader.error())
        return std::unexpected(*reader.error());
    auto meta = read_training_options(settings);
    if (!meta)
        return std::unexpected(std::move(meta).error());
    request.meta = *meta;
    request.meta.rate_schedule = RateSchedule::Cosine;
    request.seed = meta->seed;
    request.tuning.rule = FineTuningRule::Adam;
    request.tuning.loss = meta->loss;
    request.tuning.schedules_per_matrix = meta->schedules_per_matrix;
    return request;
}

} // namespace sparsight
