#include "workflow/learning/fine_tuning/finetune_request.h"

#include "base/parallel.h"
#include "model/networks/gray_box.h"
#include "store/runs.h"

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

void read_workloads(const RunSettings& settings, FinetuneRequest& request) {
    const auto words = settings.get<std::vector<std::string>>("matrices");
    const auto count = words.size() == 1 ? whole_number(words.front()) : std::nullopt;
    if (count)
        request.workload_count = *count;
    else
        request.workloads = words;
}

void read_rates(const RunSettings& settings, FinetuneRequest& request, SettingReader& reader) {
    if (const auto rule = settings.get<std::string>("rule"); !rule.empty()) {
        request.rule = parse_fine_tuning_rule(rule);
        if (!request.rule)
            reader.refuse("rule", "inner, adam or closed-form");
    }
    if (const auto rate = settings.get<double>("inner_rate"); rate != 0) {
        request.inner_rate = rate;
        if (!(rate > 0))
            reader.refuse("inner_rate", "a positive number, or 0 for the model's own");
    }
    if (settings.is_given("adam_rate"))
        reader.positive("adam_rate", request.adam_rate.emplace());
    if (const auto loss = parse_loss(settings.get<std::string>("loss")))
        request.loss = *loss;
    else
        reader.refuse("loss", "margin, logistic, listmle, log-squared, relative or top");
}

} // namespace

std::vector<SettingDefinition> finetune_settings(const DomainRegistry& domains) {
    std::vector<SettingDefinition> definitions{
        {"model", "", "MODEL", "the model to adapt"},
        {"machine", "", "NAME",
         "name or fingerprint of the new machine; a simulated one\nwithout runtimes is simulated for this "
         "run"},
        {.name = "matrices",
         .fallback = Json::array({"100"}),
         .placeholder = "N|NAMES",
         .help = "workloads to learn from: a number (default 100), or\nnames, separated by commas",
         .with_counts = true,
         .general = "workloads"},
        {"rows", 0, "N",
         "number of random configurations to learn from; the\nothers are the test (default: whole workloads, "
         "or 100\nconfigurations if there are too few workloads)"},
        {"rule", "", "RULE",
         "inner: the steps of the inner loop that the model was\n"
         "meta-trained with (default for such a model);\n"
         "closed-form: calibrates a gray box and solves for its\nhead (default for other gray boxes);\n"
         "adam: as in supervised training (default for others)"},
        {"inner_rate", 0.0, "RATE", "length of an inner step; 0: the model's own (default)"},
        {"adam_rate", 0.001, "RATE", "length of Adam's steps (default 0.001; of a gray box\n0.002)"},
        {"epochs", 0, "N",
         "passes over the workloads (default: 20 for adam, 5 for\ninner, as in the report; "
         "closed-form takes none)"},
        {.name = "schedules_per_matrix",
         .fallback = 32,
         .placeholder = "N",
         .help = "configurations drawn for every step (default 32; of a\ngray box 64)",
         .general = "configurations_per_workload"},
        {"loss", "logistic", "LOSS",
         "margin, logistic, listmle, log-squared, relative or top\n(default: logistic; of models that "
         "learned "
         "times, such as\nthose of blocks, the loss that they were trained with)"},
    };
    std::ranges::move(setting_definitions(domains, /*of_models=*/false), std::back_inserter(definitions));
    std::vector<SettingDefinition> others{
        {"split", "", "NAME",
         "split into training and test (default: the split of the\nmodel's own training, otherwise by the "
         "shares)"},
        {"test_share", 0.3, "SHARE", "share of the test workloads (default 0.3)"},
        {"shots", Json::array(), "N,N",
         "shot curve: numbers of workloads (with --rows: of\nconfigurations) to adapt to, usually "
         "0,1,5,10,25,50,100",
         true},
        {"seeds", 5, "N", "shot curve: random draws for each number (default 5)"},
        {"against", Json::array(), "NAMES",
         "shot curve: other models to compare with; blend:MODEL is\none blended with the calibrated "
         "simulator, scratch a\n"
         "network without any training, simulator the calibrated\nsimulator of a gray box alone, trees "
         "boosted trees that\n"
         "know nothing else, trees:simulator trees that correct the\ncalibrated simulator of a gray box"},
        {"scratch_epochs", 60, "N", "passes of the network from scratch (default 60)"},
        {"seed", 1, "", ""},
        {"threads", available_threads(), "N", "threads of LibTorch (default: all)"},
        {"device", "cpu", "DEVICE",
         "device that computes: cpu (default), cuda, or a GPU by\nits number, as in cuda:1"},
    };
    std::ranges::move(others, std::back_inserter(definitions));
    return definitions;
}

std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                      const FineTuningOptions& options) {
    std::map<std::string, std::string> texts = settings.texts();
    texts["rule"] = name(options.rule);
    if (options.epochs > 0)
        texts["epochs"] = fmt::to_string(options.epochs);
    else // their number follows from that of the workloads
        texts.erase("epochs");
    if (texts.contains("schedules_per_matrix"))
        texts["schedules_per_matrix"] = fmt::to_string(options.configurations_per_workload);
    if (options.rule != FineTuningRule::InnerSteps) {
        texts["adam_rate"] = fmt::to_string(options.adam_rate);
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

std::optional<std::string> model_of_contender(std::string_view word) {
    for (const std::string_view other :
         {scratch_contender, simulator_contender, trees_contender, trees_on_simulator_contender})
        if (word == other)
            return std::nullopt;
    if (word.starts_with(blend_contender))
        word.remove_prefix(blend_contender.size());
    return std::string(word);
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
    read_workloads(settings, request);
    read_rates(settings, request, reader);
    reader.number("rows", request.rows, settings.is_given("rows") ? 1 : 0, most);
    reader.number("epochs", request.epochs, 0, most);
    if (settings.is_given("schedules_per_matrix"))
        reader.number("schedules_per_matrix", request.configurations_per_workload.emplace(), 2, most);
    reader.number("seeds", request.seeds, 1, most);
    reader.number("scratch_epochs", request.scratch_epochs, 0, most);
    reader.number("threads", request.threads, 1, most_threads);
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

Result<Setting> read_model_setting(const RunSettings& settings, const StoredModel& model) {
    SettingOptions parts = settings.parts_of(model.domain->domain());
    if (model.encoder()->gray_box() != nullptr) // it leaves nothing open that a default could fill
        std::erase_if(parts, [&](const auto& part) { return !settings.is_given(part.first); });
    for (const auto& [name, value] : parts) // one by one first, so that the error has the place of its own
        if (const auto alone = model.domain->setting_of(model.architecture(), {{name, value}}); !alone)
            return settings.in_place(name, alone.error());
    return model.domain->setting_of(model.architecture(), parts);
}

Result<FineTuningOptions> finetuning_options(Workspace& workspace, const FinetuneRequest& request,
                                             const StoredModel& model) {
    const Method method = parse_method(model.checkpoint.model.training.method).value_or(Method::Supervised);
    const bool is_gray_box = model.encoder()->gray_box() != nullptr;
    const bool has_inner_steps = is_meta(method) && method != Method::ClosedForm;
    const FineTuningRule rule = request.rule.value_or(has_inner_steps ? FineTuningRule::InnerSteps
                                                      : is_gray_box   ? FineTuningRule::ClosedForm
                                                                      : FineTuningRule::Adam);
    if (rule == FineTuningRule::ClosedForm && !is_gray_box)
        return fail(Fault::Input,
                    fmt::format("--rule closed-form solves for the head of a gray box, and {} is "
                                "none: choose inner or adam",
                                model.record.name));
    FineTuningOptions options = usual_options(rule);
    options.method = method;
    if (rule != FineTuningRule::ClosedForm)
        options.loss = request.loss;
    if (request.epochs > 0 && rule != FineTuningRule::ClosedForm)
        options.epochs = request.epochs;
    options.configurations_per_workload =
        request.configurations_per_workload.value_or(options.configurations_per_workload);
    options.adam_rate = request.adam_rate.value_or(options.adam_rate);
    options.seed = request.seed;
    if (request.inner_rate) {
        options.inner_rate = *request.inner_rate;
        return options;
    }
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    for (const RunRecord& run : *runs) {
        if (run.id != model.record.run)
            continue;
        const Json parameters = Json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
        if (parameters.is_object() && parameters.contains("inner_rate") &&
            parameters["inner_rate"].is_number())
            if (const auto rate = parameters["inner_rate"].get<double>(); rate > 0)
                options.inner_rate = rate;
    }
    return options;
}

} // namespace sparsight
