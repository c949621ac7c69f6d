#include "workflow/learning/training/training_request.h"

#include "base/digest.h"
#include "base/parallel.h"
#include "base/text.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/splits.h"
#include "learning/tasks/transfer_tasks.h"
#include "machine/machine_json.h"
#include "machine/machine_presets.h"
#include "model/networks/network_inputs.h"
#include "model/tensors/compute_device.h"
#include "store/machines.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>

namespace sparsight {

namespace {

Result<std::string> read_architecture(const RunSettings& settings) {
    auto text = settings.get<std::string>("architecture");
    if (text != trees_architecture && !parse_architecture(text))
        return settings.wrong("architecture", "statistics, waconet or trees");
    return text;
}

/// Of a setting that is a whole number.
Result<std::int64_t> number_in(const RunSettings& settings, const std::string& name, std::int64_t least,
                               std::int64_t most) {
    const auto number = settings.get<std::int64_t>(name);
    if (number < least || number > most)
        return settings.wrong(name, fmt::format("a whole number from {} to {}", least, most));
    return number;
}

Result<SplitShares> read_shares(const RunSettings& settings) {
    SplitShares shares{.validation = settings.get<double>("validation_share"),
                       .test = settings.get<double>("test_share")};
    for (const char* share : {"validation_share", "test_share"})
        if (const auto value = settings.get<double>(share); !(value >= 0 && value < 1))
            return settings.wrong(share, "a share from 0 to less than 1");
    shares.train = 1 - shares.validation - shares.test;
    if (!(shares.train > 0))
        return settings.wrong("test_share", "less, so that matrices are left to train with");
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

Result<TrainRequest> read_train_request(const RunSettings& settings, const std::string& name) {
    TrainRequest request;
    request.name = name;
    request.machines = settings.get<std::vector<std::string>>("machines");
    request.simulated = settings.get<std::vector<std::string>>("simulated");
    request.split = settings.get<std::string>("split");
    request.parent = settings.get<std::string>("parent");
    request.machine_features = settings.get<bool>("machine_features");
    request.baseline = settings.get<bool>("baseline");
    const auto op = parse_operator(settings.get<std::string>("operator"));
    if (!op)
        return settings.wrong("operator", "spmm, spmv or sddmm");
    const auto dense = number_in(settings, "dense", 1, max_extent);
    const auto threads = number_in(settings, "threads", 1, maximum_threads);
    const auto architecture = read_architecture(settings);
    const auto options = read_training_options(settings);
    const auto shares = read_shares(settings);
    const auto device = read_device(settings);
    for (const Error* error :
         {dense ? nullptr : &dense.error(), threads ? nullptr : &threads.error(),
          architecture ? nullptr : &architecture.error(), options ? nullptr : &options.error(),
          shares ? nullptr : &shares.error(), device ? nullptr : &device.error()})
        if (error != nullptr)
            return std::unexpected(*error);
    request.setting = setting_of(*op, *dense);
    request.threads = static_cast<int>(*threads);
    request.device = *device;
    request.architecture = *architecture;
    request.options = *options;
    if (request.options.epochs < 1) // an untrained model is none
        return settings.wrong("epochs", "1 or more");
    request.shares = *shares;
    if (!request.is_network() && !request.parent.empty())
        return settings.wrong("parent", "none: trees can't begin with another model");
    return request;
}

namespace {

/// Defaults are those of learning/training/training_plan.h.
Json default_of(const char* option) {
    static const Json defaults = Json::parse(to_json(TrainingOptions()));
    return defaults.at(option);
}

SettingDefinition option(const char* name, std::string placeholder, std::string help) {
    const Json fallback = default_of(name);
    help +=
        fmt::format(" (default {})", fallback.is_string() ? fallback.get<std::string>() : fallback.dump());
    return {name, fallback, std::move(placeholder), std::move(help)};
}

} // namespace

std::vector<SettingDefinition> train_settings() {
    return {
        {"machines", Json::array(), "NAMES",
         "machines to learn from, with commas (default: all);\n"
         "none: the imagined ones alone, to adapt the model to a\n"
         "machine that it does not know yet (finetune)"},
        {"simulated", Json::array(), "NAMES",
         "imagined machines besides, with the schedules of the first\n"
         "machine: family:N are N sampled ones; presets and machines\n"
         "of the workspace are simulated mechanistically; A and B,\n"
         "the report's, by its formula, which changes no order"},
        {"operator", "spmm", "OPERATOR", "spmm (default), spmv or sddmm"},
        {"dense", 256, "N", "extent of the dense index (default 256)"},
        {"architecture", "statistics", "NAME",
         "statistics (default): a perceptron over a pattern's\n"
         "statistics; waconet: sparse convolutions over the\n"
         "pattern; trees: boosted trees over statistics"},
        option("method", "METHOD",
               "supervised, or meta-learning over machines:\n"
               "maml, fomaml, reptile, anil, meta-sgd, report"),
        option("loss", "LOSS", "margin, logistic, listmle or log-squared"),
        option("epochs", "N", "passes over the training matrices"),
        option("rate", "RATE", "length of Adam's steps"),
        option("rate_schedule", "NAME", "constant, or cosine: falls to none"),
        option("schedules_per_matrix", "N", "drawn anew for every step"),
        option("weight_decay", "SHARE", "of the weights that a step at rate 1 takes away"),
        option("longest_gradient", "NORM", "gradients are cut to this norm; 0: never"),
        option("patience", "N",
               "epochs without a better validation loss\nafter which training ends; 0: never"),
        option("inner_steps", "N",
               "meta-learning: steps on a machine's examples\nbefore the loss that counts"),
        option("inner_rate", "RATE", "meta-learning: length of an inner step"),
        option("support_matrices", "N", "meta-learning: matrices of the inner steps"),
        option("query_matrices", "N", "meta-learning: matrices of the loss behind them"),
        option("tasks_per_step", "N", "meta-learning: machines whose gradients are averaged"),
        {"split", "", "NAME",
         "matrices to train, validate and test with, as the\n"
         "workspace has them (default: by the shares, families of\n"
         "resized and transposed matrices on one side)"},
        {"validation_share", 0.1, "SHARE", "of the matrices (default 0.1)"},
        {"test_share", 0.1, "SHARE", "of the matrices (default 0.1)"},
        {"machine_features", false, "", "the description of a machine is an input of the network"},
        {"baseline", true, "", "do not train boosted trees on the same data for\ncomparison"},
        {"parent", "", "MODEL", "begin with the weights of this model"},
        {"seed", 1, "", ""},
        {"threads", available_threads(), "N", "threads of LibTorch (default: all)"},
        {"device", "cpu", "DEVICE",
         "what computes: cpu (default), cuda, or a GPU by its\nnumber, as in cuda:1"},
    };
}

std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                      const TrainRequest& request) {
    std::map<std::string, std::string> texts = settings.texts();
    // How it was computed, and beside what, is nothing of the model.
    for (const char* other : {"threads", "device", "baseline"})
        texts.erase(other);
    if (!is_meta(request.options.method))
        for (const char* other :
             {"inner_steps", "inner_rate", "support_matrices", "query_matrices", "tasks_per_step"})
            texts.erase(other);
    return texts;
}

namespace {

/// The machines that one word names: "family:6", "A", a preset, one that the workspace knows.
Result<std::vector<MachineDescription>> imagined_machines(Workspace& workspace, const std::string& word,
                                                          std::uint64_t seed) {
    constexpr std::string_view family = "family:";
    if (word.starts_with(family)) {
        constexpr std::size_t most_machines = 1000;
        std::size_t count = 0;
        const char* end = word.data() + word.size();
        const auto parsed = std::from_chars(word.data() + family.size(), end, count);
        if (parsed.ec != std::errc() || parsed.ptr != end || count == 0 || count > most_machines)
            return fail(Fault::Input, fmt::format("'{}' is no family of machines: expected family:N with N "
                                                  "from 1 to {}",
                                                  word, most_machines));
        return training_machines(seed, count);
    }
    for (const MachineDescription& machine : {report_machine_a(), report_machine_b()})
        if (machine.name == word)
            return std::vector{machine};
    if (auto preset = find_machine_preset(word)) {
        preset->machine.name += " (simulated)"; // runtimes of the real one may be there
        return std::vector{std::move(preset->machine)};
    }
    const auto known = find_machine(workspace, word);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(Fault::Input,
                    fmt::format("there is no machine '{}' to imagine: expected family:N for N "
                                "sampled machines, A or B, the report's, a preset, or a machine "
                                "that the workspace knows",
                                word));
    auto machine = machine_from_text((*known)->description);
    if (!machine)
        return fail(Fault::Input,
                    fmt::format("the machine '{}' can't be imagined, as little is known of it: {}", word,
                                machine.error().message));
    machine->name = fmt::format("{} (simulated)", word);
    return std::vector{*std::move(machine)};
}

/// The report's machines follow the report's formula, all others the mechanistic simulator.
bool is_of_report(const MachineDescription& machine) {
    return machine.name == report_machine_a().name || machine.name == report_machine_b().name;
}

/// What nothing of the matrices can teach about the machines.
void note_cache_gaps(TrainingData& data, const Task& real, std::span<const MachineDescription> machines) {
    const auto [op, dense] = sparse_setting(data.set.setting);
    std::vector<PatternStatistics> matrices;
    for (const WorkloadRuntimes& runtimes : real.runtimes)
        matrices.push_back(pattern_statistics(data.set.workloads[runtimes.workload].statistics));
    for (const CacheGap& gap : cache_gaps(op, dense, matrices, machines))
        data.notes.push_back(sentence(gap, op, dense));
}

/// Adds them to the set, with the matrices and schedules of its first task.
Result<void> add_imagined_tasks(Workspace& workspace, const TrainRequest& request, TrainingData& data,
                                const std::stop_token& stop, const ProgressSink& progress) {
    std::vector<MachineDescription> by_formula;
    std::vector<MachineDescription> mechanistic;
    for (const std::string& word : request.simulated) {
        auto machines = imagined_machines(workspace, word, request.options.seed);
        if (!machines)
            return std::unexpected(std::move(machines).error());
        for (MachineDescription& machine : *machines)
            (is_of_report(machine) ? by_formula : mechanistic).push_back(std::move(machine));
    }
    const Task real = data.set.tasks.front();
    note_cache_gaps(data, real, mechanistic);
    const auto add = [&](std::span<const MachineDescription> machines, const Simulator& simulator,
                         std::string_view how) -> Result<void> {
        if (machines.empty())
            return {};
        auto tasks =
            simulated_tasks(data.set, real, machines, ScheduleTaskSimulator(simulator), stop, progress);
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        for (Task& task : *tasks) {
            data.notes.push_back(
                fmt::format("{}: {}", task.machine, fmt::format(fmt::runtime(how), real.machine)));
            data.set.tasks.push_back(std::move(task));
        }
        return {};
    };
    if (auto added = add(by_formula, PaperFormula(),
                         "simulated from {} by the report's formula, which changes no order");
        !added)
        return added;
    return add(mechanistic, MechanisticSimulator(), "simulated mechanistically, with the schedules of {}");
}

/// A split that the user made is taken as it stands.
void note_leaks(TrainingData& data, const TrainRequest& request) {
    const auto found = leaks(data.split, data.set.workloads);
    if (found.empty())
        return;
    const Leak& first = found.front();
    data.notes.push_back(fmt::format(
        "the split {} has {} on two sides ({} in the {} and {} in the {} part): what is learned "
        "from one is no surprise in the other",
        request.split, counted(found.size(), "pair of related matrices", "pairs of related matrices"),
        data.set.workloads[first.matrix].name, name(first.side), data.set.workloads[first.sibling].name,
        name(first.sibling_side)));
}

void add(Digest& digest, const std::string& matrix, const WorkloadRuntimes& runtimes) {
    digest.add(matrix);
    for (std::size_t place = 0; place < runtimes.configurations.size(); ++place) {
        digest.add(runtimes.digests.empty() ? hash_value(runtimes.configurations[place])
                                            : runtimes.digests[place]);
        digest.add(std::bit_cast<std::uint64_t>(runtimes.milliseconds[place]));
    }
    for (const double spread : runtimes.spreads)
        digest.add(std::bit_cast<std::uint64_t>(spread));
}

} // namespace

Result<TrainingData> training_data(Workspace& workspace, const TrainRequest& request,
                                   const std::stop_token& stop, const ProgressSink& progress) {
    const bool only_imagined = request.machines == std::vector{std::string(no_machine)};
    if (only_imagined && request.simulated.empty())
        return fail(Fault::Input, "machines is none, and there are no imagined ones: expected some in "
                                  "simulated, as family:6");
    TaskRequest wanted{.setting = request.setting, .threads = request.threads};
    if (!only_imagined)
        for (const std::string& machine : request.machines)
            wanted.sources.push_back({machine});
    auto tasks = sparse_tasks(workspace, wanted, stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    TrainingData data{std::move(tasks->set), {}, {}};
    const auto measured = static_cast<std::ptrdiff_t>(data.set.tasks.size());
    if (!only_imagined)
        for (const TaskReport& report : tasks->reports)
            std::ranges::move(sentences(report), std::back_inserter(data.notes));
    if (auto added = add_imagined_tasks(workspace, request, data, stop, progress); !added)
        return std::unexpected(std::move(added).error());
    // Their matrices and schedules have been imagined upon; what they took is not learned from.
    if (only_imagined)
        data.set.tasks.erase(data.set.tasks.begin(), data.set.tasks.begin() + measured);
    auto split = request.split.empty()
                     ? split_workloads(data.set.workloads, request.shares, request.options.seed)
                     : load_split(workspace, request.split, data.set);
    if (!split)
        return std::unexpected(std::move(split).error());
    data.split = *std::move(split);
    note_leaks(data, request);
    return data;
}

Json identity_of(const TaskSet& set, const std::vector<std::vector<std::size_t>>& parts, bool reads_machine) {
    Json identity = Json::object();
    for (const Task& task : set.tasks) {
        std::size_t count = 0;
        Digest digest;
        if (reads_machine)
            for (const float feature : machine_features(task.description))
                digest.add(std::uint64_t{std::bit_cast<std::uint32_t>(feature)});
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const std::unordered_set<std::size_t> wanted(parts[part].begin(), parts[part].end());
            digest.add(std::uint64_t{part});
            for (const WorkloadRuntimes& runtimes : task.runtimes)
                if (wanted.contains(runtimes.workload)) {
                    count += runtimes.configurations.size();
                    add(digest, set.workloads[runtimes.workload].name, runtimes);
                }
        }
        identity[task.machine] = {{"runtimes", count}, {"digest", fmt::format("{:016x}", digest.value())}};
    }
    return identity;
}

std::vector<std::string> matrix_names(const TaskSet& set, const std::vector<std::size_t>& matrices) {
    std::vector<std::string> names;
    for (const std::size_t matrix : matrices)
        names.push_back(set.workloads[matrix].name);
    return names;
}

std::vector<std::string> machine_names(const TaskSet& set) {
    std::vector<std::string> names;
    for (const Task& task : set.tasks)
        names.push_back(task.machine);
    return names;
}

} // namespace sparsight
