#include "learn/train_request.h"

#include "matrix/pattern.h"
#include "model/compute_device.h"
#include "schedule/validity.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

Result<std::optional<Architecture>> read_architecture(const RunSettings& settings) {
    const auto text = settings.get<std::string>("architecture");
    if (text == "trees")
        return std::nullopt;
    const auto architecture = parse_architecture(text);
    if (!architecture)
        return settings.wrong("architecture", "statistics, waconet or trees");
    return architecture;
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
    request.op = *op;
    const auto dense = number_in(settings, "dense", 1, max_extent);
    const auto threads = number_in(settings, "threads", 1, maximum_threads);
    const auto network = read_architecture(settings);
    const auto options = read_training_options(settings);
    const auto shares = read_shares(settings);
    const auto device = read_device(settings);
    for (const Error* error : {dense ? nullptr : &dense.error(), threads ? nullptr : &threads.error(),
                               network ? nullptr : &network.error(), options ? nullptr : &options.error(),
                               shares ? nullptr : &shares.error(), device ? nullptr : &device.error()})
        if (error != nullptr)
            return std::unexpected(*error);
    request.dense = *dense;
    request.threads = static_cast<int>(*threads);
    request.device = *device;
    request.network = *network;
    request.options = *options;
    if (request.options.epochs < 1) // an untrained model is none
        return settings.wrong("epochs", "1 or more");
    request.shares = *shares;
    if (!request.network && !request.parent.empty())
        return settings.wrong("parent", "none: trees can't begin with another model");
    return request;
}

} // namespace sparsight
