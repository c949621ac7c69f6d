#include "workflow/learning/training/training_request.h"

#include "base/parallel.h"
#include "base/text.h"
#include "model/networks/encoder.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <utility>

namespace sparsight {

namespace {

Result<std::string> read_architecture(const RunSettings& settings, const LearningDomain& domain) {
    auto text = settings.get<std::string>("architecture");
    const auto known = domain.architectures();
    if (text.empty())
        return std::string(known.empty() ? trees_architecture : known.front().name);
    if (text == trees_architecture ||
        std::ranges::find(known, text, &ArchitectureChoice::name) != known.end())
        return text;
    if (const auto renamed = std::ranges::find(known, text, &ArchitectureChoice::earlier);
        renamed != known.end())
        return std::string(renamed->name);
    std::string names;
    for (const ArchitectureChoice& each : known)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return settings.wrong("architecture", fmt::format("{} or {}", names, trees_architecture));
}

/// Of a setting that is a whole number.
Result<std::int64_t> number_in(const RunSettings& settings, const std::string& name, std::int64_t least,
                               std::int64_t most) {
    const auto number = settings.get<std::int64_t>(name);
    if (number < least || number > most)
        return settings.wrong(name, fmt::format("a whole number from {} to {}", least, most));
    return number;
}

Result<SplitShares> read_shares(const RunSettings& settings, const Noun& workload) {
    SplitShares shares{.validation = settings.get<double>("validation_share"),
                       .test = settings.get<double>("test_share")};
    for (const char* share : {"validation_share", "test_share"})
        if (const auto value = settings.get<double>(share); !(value >= 0 && value < 1))
            return settings.wrong(share, "a share from 0 to less than 1");
    shares.train = 1 - shares.validation - shares.test;
    if (!(shares.train > 0))
        return settings.wrong("test_share",
                              fmt::format("less, so that {} are left to train with", workload.many));
    return shares;
}

} // namespace

Result<TrainingOptions> read_training_options(const RunSettings& settings) {
    Json chosen = Json::object();
    const Json known = Json::parse(to_json(TrainingOptions()));
    if (auto checked = check_seed(settings); !checked)
        return std::unexpected(std::move(checked).error());
    for (const auto& [name, fallback] : known.items()) {
        if (!settings.json().contains(name))
            continue;
        chosen[name] = settings.json().at(name);
        // One by one first, so that the error is that of the place where it was said.
        if (const auto alone = parse_training_options(Json{{name, chosen[name]}}.dump()); !alone)
            return settings.in_place(name, alone.error());
    }
    return parse_training_options(chosen.dump());
}

Result<void> check_seed(const RunSettings& settings) {
    if (!settings.json().contains("seed"))
        return {};
    const Json& seed = settings.json().at("seed");
    if (!seed.is_number_unsigned() && seed.get<std::int64_t>() < 0)
        return settings.wrong("seed", "0 or more");
    return {};
}

Result<std::string> read_device(const RunSettings& settings) {
    auto device = settings.get<std::string>("device");
    if (const auto usable = usable_device(device); !usable)
        return settings.in_place(
            "device",
            {Fault::Input, fmt::format("device is \"{}\": {}", device, usable.error().message), {}, 0});
    return device;
}

Result<TrainRequest> read_train_request(const RunSettings& settings, const std::string& name,
                                        const Setting& setting, const LearningDomain& domain) {
    TrainRequest request;
    request.name = name;
    request.setting = setting;
    request.domain = &domain;
    request.machines = settings.get<std::vector<std::string>>("machines");
    request.simulated = settings.get<std::vector<std::string>>("simulated");
    request.split = settings.get<std::string>("split");
    if (const auto by = settings.get<std::string>("split_by"); !by.empty()) {
        request.split_by = parse_split_by(by);
        if (!request.split_by)
            return settings.wrong("split_by", "workload, row or machine");
        if (!request.split.empty())
            return settings.wrong("split_by", "nothing: --split says which workloads are for what");
    }
    const auto sample = parse_sample_rule(settings.get<std::string>("sample"));
    if (!sample)
        return settings.wrong("sample", "all, random or hardware-aware");
    request.sample = *sample;
    request.keep = settings.get<double>("sample_share");
    if (!(request.keep > 0 && request.keep <= 1))
        return settings.wrong("sample_share", "a share above 0, at most 1");
    request.parent = settings.get<std::string>("parent");
    request.machine_features = settings.get<bool>("machine_features");
    request.baseline = settings.get<bool>("baseline");
    const auto threads = number_in(settings, "threads", 1, most_threads);
    constexpr std::int64_t most_width = 4096;
    const auto width = number_in(settings, "width", 0, most_width);
    const auto architecture = read_architecture(settings, domain);
    const auto options = read_training_options(settings);
    const auto shares = read_shares(settings, domain.domain().words().workload);
    const auto device = read_device(settings);
    for (const Error* error :
         {threads ? nullptr : &threads.error(), width ? nullptr : &width.error(),
          architecture ? nullptr : &architecture.error(), options ? nullptr : &options.error(),
          shares ? nullptr : &shares.error(), device ? nullptr : &device.error()})
        if (error != nullptr)
            return std::unexpected(*error);
    request.threads = static_cast<int>(*threads);
    request.width = static_cast<int>(*width);
    request.device = *device;
    request.architecture = *architecture;
    request.options = *options;
    if (request.options.epochs < 1) // an untrained model is none
        return settings.wrong("epochs", "1 or more");
    request.shares = *shares;
    if (request.options.method == Method::ClosedForm && request.architecture != gray_box_architecture)
        return settings.wrong("method",
                              fmt::format("another one for {}: closed-form solves for the head of a "
                                          "gray box (--architecture {})",
                                          request.architecture, gray_box_architecture));
    if (!request.is_network() && !request.parent.empty())
        return settings.wrong("parent", "none: trees can't begin with another model");
    if (request.width != 0 && !request.parent.empty())
        return settings.wrong("width",
                              "none: a network that begins with another model is as wide as that one");
    return request;
}

namespace {

/// Defaults are those of learning/training/training_plan.h.
Json default_of(const char* option) {
    static const Json defaults = Json::parse(to_json(TrainingOptions()));
    return defaults.at(option);
}

SettingDefinition option(const char* name, std::string placeholder, std::string help,
                         std::string general = {}) {
    const Json fallback = default_of(name);
    help +=
        fmt::format(" (default {})", fallback.is_string() ? fallback.get<std::string>() : fallback.dump());
    return {.name = name,
            .fallback = fallback,
            .placeholder = std::move(placeholder),
            .help = std::move(help),
            .general = std::move(general)};
}

/// Lines of at most so many letters.
std::string broken(const std::string& text) {
    constexpr std::size_t longest = 56;
    std::string lines;
    std::size_t length = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const bool fits = length > 0 && length + 1 + word.size() <= longest;
        lines += lines.empty() ? "" : fits ? " " : "\n";
        length = fits ? length + 1 + word.size() : word.size();
        lines += word;
    }
    return lines;
}

/// What can be trained, in the words of each domain.
std::string architectures_help(const LearningDomains& domains) {
    std::string text;
    for (const auto& domain : domains.all()) {
        std::string networks;
        for (const ArchitectureChoice& each : domain->architectures())
            networks += fmt::format("{}{}: {}", networks.empty() ? "" : "; ", each.name, each.help);
        const std::string where =
            domains.all().size() > 1 ? fmt::format("in {}, ", domain->domain().name()) : "";
        text += broken(fmt::format("{}{};", where, networks)) + "\n";
    }
    return text + "trees: boosted trees; default: the first of its domain";
}

} // namespace

std::vector<SettingDefinition> train_settings(const DomainRegistry& domains,
                                              const LearningDomains& learning) {
    std::vector<SettingDefinition> definitions{
        {"machines", Json::array(), "NAMES",
         "machines to learn from, separated by commas (default:\nall with runtimes); a simulated one without "
         "runtimes is\nsimulated for this run; none: only the machines of\n--simulated, to adapt the model "
         "to a new machine later\n(finetune)"},
        {"simulated", Json::array(), "NAMES",
         "imagined machines besides, in a domain with a simulator;\n"
         "they get the configurations of the first machine, or\n"
         "drawn ones, if too few workloads were measured to split.\n"
         "family:N are N sampled ones, deviating:N such that the\n"
         "simulator does not know well; presets and machines of the\n"
         "workspace are simulated mechanistically; A and B, the\n"
         "report's, by its formula, which changes no order"},
    };
    std::ranges::move(setting_definitions(domains), std::back_inserter(definitions));
    std::vector<SettingDefinition> others{
        {"architecture", "", "NAME", architectures_help(learning)},
        {"width", 0, "N", "numbers in a layer, of networks of basic blocks (default\n64)"},
        option("method", "METHOD",
               "supervised, or meta-learning over machines:\n"
               "maml, fomaml, reptile, anil, meta-sgd, report, or\nclosed-form for a gray box"),
        option("loss", "LOSS", "margin, logistic, listmle, log-squared, relative or\ntop"),
        option("epochs", "N", "passes over the training workloads"),
        option("rate", "RATE", "length of Adam's steps"),
        option("rate_schedule", "NAME", "constant, or cosine: falls to 0"),
        option("schedules_per_matrix", "N", "configurations drawn for every step",
               "configurations_per_workload"),
        option("weight_decay", "SHARE", "share of the weights that a step at rate 1 removes"),
        option("longest_gradient", "NORM", "gradients are clipped to this norm; 0: never"),
        option("patience", "N",
               "epochs without a better validation loss\nafter which training ends; 0: never"),
        option("inner_steps", "N", "meta-learning: steps on a machine's examples before the\nquery loss"),
        option("inner_rate", "RATE", "meta-learning: length of an inner step"),
        option("support_matrices", "N", "meta-learning: workloads of the inner steps", "support_workloads"),
        option("query_matrices", "N", "meta-learning: workloads of the query loss", "query_workloads"),
        option("tasks_per_step", "N", "meta-learning: machines whose gradients are averaged"),
        option("workloads_per_step", "N", "supervised: workloads of a machine in one step"),
        {"split", "", "NAME",
         "a stored split into training, validation and test\n(default: by the shares, with families of "
         "related\nworkloads on one side)"},
        {"split_by", "", "WHAT",
         "what is never on two sides: workload (default, if there\nare enough), row (a configuration) or "
         "machine"},
        {"validation_share", 0.1, "SHARE", "share of the validation workloads (default 0.1)"},
        {"test_share", 0.1, "SHARE", "share of the test workloads (default 0.1)"},
        {"sample", "all", "RULE",
         "measurements to train on: all (default), random, or\nhardware-aware (by FLOPs and by times on each "
         "machine)"},
        {"sample_share", 0.55, "SHARE", "share of the measurements in a sample (default 0.55)"},
        {"machine_features", false, "",
         "the model reads each machine's description and the\nnumbers of its sheet"},
        {"baseline", true, "", "do not train boosted trees on the same data for\ncomparison"},
        {"parent", "", "MODEL", "start from the weights of this model"},
        {"seed", 1, "", ""},
        {"threads", available_threads(), "N", "threads of LibTorch (default: all)"},
        {"device", "cpu", "DEVICE",
         "device that computes: cpu (default), cuda, or a GPU by\nits number, as in cuda:1"},
    };
    std::ranges::move(others, std::back_inserter(definitions));
    return definitions;
}

void leave_out_later_settings(const TrainRequest& request, const std::function<void(const char*)>& erase) {
    if (request.sample == SampleRule::All)
        for (const char* const setting : {"sample", "sample_share"})
            erase(setting);
    if (request.options.workloads_per_step == TrainingOptions().workloads_per_step)
        erase("workloads_per_step");
    if (request.width == 0)
        erase("width");
}

std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                      const TrainRequest& request) {
    std::map<std::string, std::string> texts = settings.texts();
    // How it was computed, and beside what, is nothing of the model.
    for (const char* other : {"threads", "device", "baseline"})
        texts.erase(other);
    leave_out_later_settings(request, [&](const char* setting) { texts.erase(setting); });
    if (!is_meta(request.options.method))
        for (const char* other :
             {"inner_steps", "inner_rate", "support_matrices", "query_matrices", "tasks_per_step"})
            texts.erase(other);
    return texts;
}

std::vector<std::string> settings_without_effect(const RunSettings& settings, const TrainRequest& request) {
    static constexpr std::array<std::string_view, 2> shares{"validation_share", "test_share"};
    static constexpr std::array<std::string_view, 5> of_inner_loop{
        "inner_steps", "inner_rate", "support_matrices", "query_matrices", "tasks_per_step"};
    static constexpr std::array<std::string_view, 10> of_networks{
        "epochs",           "rate",     "rate_schedule", "schedules_per_matrix", "weight_decay",
        "longest_gradient", "patience", "device",        "workloads_per_step",   "width"};
    std::vector<std::string> notes;
    const auto add = [&](std::span<const std::string_view> names, const std::string& why) {
        if (auto note = settings.without_effect(names, why))
            notes.push_back(*std::move(note));
    };
    if (!request.split.empty())
        add(shares, fmt::format("the split {} says which {} are for what", request.split,
                                request.domain->domain().words().workload.many));
    if (!request.is_network()) {
        add(of_networks, "boosted trees learn in rounds, without steps");
        add(of_inner_loop, "boosted trees have no inner loop");
        if (is_meta(request.options.method))
            add(std::array<std::string_view, 1>{"method"}, "boosted trees learn by a method of their own");
    } else if (!is_meta(request.options.method)) {
        add(of_inner_loop, "supervised training has no inner loop");
    }
    return notes;
}

} // namespace sparsight
