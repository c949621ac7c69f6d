#include "learn/finetune_request.h"

#include "base/parallel.h"
#include "learn/setting_reader.h"
#include "learn/train_request.h"
#include "matrix/pattern.h"
#include "schedule/validity.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

std::optional<std::size_t> whole_number(const std::string& text) {
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end && !text.empty() ? std::optional(number) : std::nullopt;
}

void read_matrices(const RunSettings& settings, FinetuneRequest& request) {
    const auto words = settings.get<std::vector<std::string>>("matrices");
    const auto count = words.size() == 1 ? whole_number(words.front()) : std::nullopt;
    if (count)
        request.matrix_count = *count;
    else
        request.matrices = words;
}

void read_rates(const RunSettings& settings, FinetuneRequest& request, SettingReader& reader) {
    if (const auto rule = settings.get<std::string>("rule"); !rule.empty()) {
        request.rule = parse_fine_tuning_rule(rule);
        if (!request.rule)
            reader.refuse("rule", "inner or adam");
    }
    if (const auto rate = settings.get<double>("inner_rate"); rate != 0) {
        request.inner_rate = rate;
        if (!(rate > 0))
            reader.refuse("inner_rate", "a positive number, or 0 for the model's own");
    }
    reader.positive("adam_rate", request.adam_rate);
    if (const auto loss = parse_loss(settings.get<std::string>("loss")))
        request.loss = *loss;
    else
        reader.refuse("loss", "margin, logistic, listmle or log-squared");
}

} // namespace

std::vector<SettingDefinition> finetune_settings() {
    return {
        {"model", "", "MODEL", "that is adapted"},
        {"machine", "", "NAME", "to which, by name or fingerprint"},
        {"matrices", Json::array({"100"}), "N|NAMES",
         "of the machine that are learned from: how many\n(default 100), or which, with commas", true},
        {"rule", "", "RULE",
         "inner: the steps of the inner loop that the model was\n"
         "meta-trained with (default for such a model);\n"
         "adam: as in supervised training (default for others)"},
        {"inner_rate", 0.0, "RATE", "length of an inner step; 0: the model's own (default)"},
        {"adam_rate", 0.001, "RATE", "length of Adam's steps (default 0.001)"},
        {"epochs", 0, "N", "passes over the matrices\n(default: 20 by adam, 5 by inner, as the report)"},
        {"schedules_per_matrix", 32, "N", "drawn anew for every step (default 32)"},
        {"loss", "logistic", "LOSS", "margin, logistic (default), listmle or log-squared"},
        {"simulator", "calibrated", "HOW",
         "calibrated: the simulator, calibrated to the same\n"
         "measurements, has a share in the scores, as large as\n"
         "they show it to deserve (default); none: the network\n"
         "alone"},
        {"dense", 256, "N", "extent of the dense index (default 256)"},
        {"split", "", "NAME",
         "matrices to learn from and to test with (default: those\n"
         "of the model's own training, else by the shares)"},
        {"test_share", 0.3, "SHARE", "of the matrices (default 0.3)"},
        {"shots", Json::array(), "N,N",
         "shot curve: how good is the model after so many\n"
         "matrices? 0,1,5,10,25,50,100 is usual",
         true},
        {"seeds", 5, "N", "shot curve: so many draws of matrices (default 5)"},
        {"against", Json::array(), "NAMES",
         "shot curve: other models with the same matrices;\n"
         "scratch: one that knows nothing"},
        {"scratch_epochs", 60, "N", "passes of the one from scratch, which needs more\n(default 60)"},
        {"seed", 1, "", ""},
        {"threads", available_threads(), "N", "threads of LibTorch (default: all)"},
        {"device", "cpu", "DEVICE",
         "what computes: cpu (default), cuda, or a GPU by its\nnumber, as in cuda:1"},
    };
}

std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                      const FineTuningOptions& options) {
    std::map<std::string, std::string> texts = settings.texts();
    texts["rule"] = name(options.rule);
    texts["epochs"] = fmt::to_string(options.epochs);
    if (options.rule == FineTuningRule::Adam) {
        texts.erase("inner_rate");
    } else {
        texts["inner_rate"] = fmt::to_string(options.inner_rate);
        texts["method"] = name(options.method);
        texts.erase("adam_rate");
    }
    if (!texts.contains("shots"))
        for (const char* other : {"seeds", "scratch_epochs"}) // of the curve
            texts.erase(other);
    for (const char* other : {"threads", "device"}) // how it was computed, and nothing of the model
        texts.erase(other);
    return texts;
}

Result<FinetuneRequest> read_finetune_request(const RunSettings& settings) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    FinetuneRequest request;
    SettingReader reader(settings);
    request.model = settings.get<std::string>("model");
    request.machine = settings.get<std::string>("machine");
    request.split = settings.get<std::string>("split");
    request.against = settings.get<std::vector<std::string>>("against");
    if (request.model.empty())
        reader.refuse("model", "the name of a model");
    if (request.machine.empty())
        reader.refuse("machine", "the name of a machine");
    read_matrices(settings, request);
    read_rates(settings, request, reader);
    if (const auto simulator = settings.get<std::string>("simulator"); simulator == "none")
        request.with_simulator = false;
    else if (simulator != "calibrated")
        reader.refuse("simulator", "calibrated or none");
    reader.number("epochs", request.epochs, 0, most);
    reader.number("schedules_per_matrix", request.schedules_per_matrix, 2, most);
    reader.number("dense", request.dense, 1, max_extent);
    reader.number("seeds", request.seeds, 1, most);
    reader.number("scratch_epochs", request.scratch_epochs, 0, most);
    reader.number("threads", request.threads, 1, maximum_threads);
    reader.share("test_share", request.shares.test);
    request.shares = {1 - request.shares.test, 0, request.shares.test};
    if (const auto checked = check_seed(settings); !checked)
        return std::unexpected(checked.error());
    request.seed = settings.get<std::uint64_t>("seed");
    auto device = read_device(settings);
    if (!device)
        return std::unexpected(std::move(device).error());
    request.device = *std::move(device);
    for (const std::string& word : settings.get<std::vector<std::string>>("shots")) {
        if (const auto count = whole_number(word))
            request.shots.push_back(*count);
        else
            reader.refuse("shots", "whole numbers, such as 0,1,5,10");
    }
    std::ranges::sort(request.shots);
    if (reader.error())
        return std::unexpected(*reader.error());
    return request;
}

} // namespace sparsight
