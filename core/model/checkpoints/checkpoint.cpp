#include "model/checkpoints/checkpoint.h"

#include "base/files.h"
#include "model/checkpoints/json_fields.h"
#include "model/networks/gray_box.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

using Json = OrderedJson;

Json blend_json(const SimulatorBlend& blend) {
    Json machine = Json::object();
    for (const ParameterInfo& info : all_parameters())
        machine[std::string(info.key)] = blend.machine[info.parameter];
    return {{"network", blend.network},
            {"simulator", blend.simulator},
            {"network_share", blend.network_share ? Json(*blend.network_share) : Json(nullptr)},
            {"dense", blend.dense},
            {"machine", std::move(machine)}};
}

/// A parameter that was not known yet when the model was made is what it usually is.
SimulatorBlend read_blend(const Json& json) {
    SimulatorBlend blend;
    blend.network = json_field<double>(json, "network");
    blend.simulator = json_field<double>(json, "simulator");
    if (const auto share = json.find("network_share"); share != json.end() && !share->is_null())
        blend.network_share = json_field<double>(json, "network_share");
    blend.dense = json_field<std::int64_t>(json, "dense");
    if (blend.dense < 1)
        throw JsonDefect{"dense of the simulator's blend is below 1"};
    const auto machine = json_field<std::map<std::string, double>>(json, "machine");
    for (const ParameterInfo& info : all_parameters())
        blend.machine[info.parameter] = info.typical;
    for (const auto& [key, value] : machine) {
        const auto parameter = parse_machine_parameter(key);
        if (!parameter)
            throw JsonDefect{fmt::format("{:?} is no parameter of a machine", key.substr(0, 40))};
        const ParameterInfo& info = parameter_info(*parameter);
        if (!(value >= info.lowest && value <= info.highest))
            throw JsonDefect{fmt::format("{} is {}, expected {}", key, value, range_text(info))};
        blend.machine[*parameter] = value;
    }
    return blend;
}

Json doubt_json(const StatedDoubt& doubt) {
    return {{"residual", doubt.residual},
            {"temperature", doubt.temperature},
            {"reach", doubt.reach},
            {"calibrated_on", doubt.calibrated_on}};
}

StatedDoubt read_doubt(const Json& json) {
    const StatedDoubt doubt{json_field<double>(json, "residual"), json_field<double>(json, "temperature"),
                            json_field<double>(json, "reach"),
                            json_field<std::int64_t>(json, "calibrated_on")};
    if (!(doubt.residual >= 0 && doubt.temperature > 0 && doubt.reach >= 0))
        throw JsonDefect{"the stated doubt has a number below 0"};
    return doubt;
}

Json training_json(const TrainingRecord& training) {
    Json metrics = Json::object();
    for (const auto& [key, value] : training.metrics)
        if (std::isfinite(value))
            metrics[key] = value;
    Json json{{"method", training.method},
              {"machines", training.machines},
              {"matrices", training.workloads},
              {"seed", training.seed},
              {"metrics", std::move(metrics)},
              {"parent", training.parent ? Json(*training.parent) : Json(nullptr)},
              {"settings", training.settings},
              {"remarks", training.remarks}};
    if (training.groups > 0)
        json["groups"] = training.groups;
    if (training.rows > 0)
        json["rows"] = training.rows;
    if (!training.computed_with.empty())
        json["computed_with"] = training.computed_with;
    return json;
}

TrainingRecord read_training(const Json& json) {
    TrainingRecord training;
    training.method = json_field<std::string>(json, "method");
    training.machines = json_field<std::vector<std::string>>(json, "machines");
    training.workloads = json_field<std::vector<std::string>>(json, "matrices");
    training.seed = json_field<std::uint64_t>(json, "seed");
    training.metrics = json_field<std::map<std::string, double>>(json, "metrics");
    if (const auto parent = json.find("parent"); parent != json.end() && !parent->is_null())
        training.parent = json_field<std::string>(json, "parent");
    if (json.contains("settings"))
        training.settings = json_field<std::map<std::string, std::string>>(json, "settings");
    if (json.contains("remarks"))
        training.remarks = json_field<std::vector<std::string>>(json, "remarks");
    if (json.contains("groups"))
        training.groups = json_field<std::size_t>(json, "groups");
    if (json.contains("rows"))
        training.rows = json_field<std::size_t>(json, "rows");
    if (json.contains("computed_with"))
        training.computed_with = json_field<std::map<std::string, std::string>>(json, "computed_with");
    return training;
}

} // namespace

std::string to_json(const ModelDescription& model) {
    Json json{{"architecture", model.architecture.name},
              {"input", Json::parse(model.architecture.input)},
              {"training", training_json(model.training)}};
    if (!model.architecture.domain.empty())
        json["domain"] = model.architecture.domain;
    if (model.blend)
        json["blend"] = blend_json(*model.blend);
    if (model.doubt)
        json["doubt"] = doubt_json(*model.doubt);
    if (!model.name.empty())
        json["name"] = model.name;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

std::unexpected<Error> wrong_description(const std::string& what) {
    return fail(Fault::Input, fmt::format("the description of the model: {}", what));
}

/// Whether its domain knows it.
Result<void> check(const ModelArchitecture& architecture, const ModelDomain& domain) {
    if (is_of_trees(architecture.name)) {
        const auto features = domain.tree_features(architecture);
        return features ? Result<void>() : std::unexpected(features.error());
    }
    const auto encoder = domain.encoder(architecture);
    return encoder ? Result<void>() : std::unexpected(encoder.error());
}

} // namespace

Result<ModelDescription> parse_model_description(std::string_view text, const ModelDomain& domain) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return fail(Fault::Input, "the description of the model is no JSON object");
    try {
        ModelDescription model;
        model.architecture = {json_field<std::string>(json, "architecture"),
                              json_field<Json>(json, "input").dump(),
                              json.contains("domain") ? json_field<std::string>(json, "domain") : ""};
        if (auto known = check(model.architecture, domain); !known)
            return wrong_description(known.error().message);
        model.training = read_training(json_field<Json>(json, "training"));
        if (const auto blend = json.find("blend"); blend != json.end())
            model.blend = read_blend(*blend);
        if (const auto doubt = json.find("doubt"); doubt != json.end())
            model.doubt = read_doubt(*doubt);
        if (json.contains("name"))
            model.name = json_field<std::string>(json, "name");
        return model;
    } catch (const JsonDefect& defect) {
        return wrong_description(defect.text);
    }
}

namespace {

constexpr ArchiveKind kind{"SPSMODEL", 1, "model"};
const std::string rate_prefix = "inner rate of ";
// A network of ours has 2 MB; nothing that is read as one may fill the memory.
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

} // namespace

std::vector<std::byte> checkpoint_bytes(const Checkpoint& checkpoint) {
    std::vector<NamedArray> arrays = checkpoint.weights;
    for (NamedArray rate : checkpoint.rates) {
        rate.name = rate_prefix + rate.name;
        arrays.push_back(std::move(rate));
    }
    return archive_bytes(kind, {to_json(checkpoint.model), std::move(arrays), checkpoint.trees});
}

Result<Checkpoint> parse_checkpoint(std::span<const std::byte> bytes, const ModelDomain& domain) {
    auto archive = parse_archive(kind, bytes);
    if (!archive)
        return std::unexpected(std::move(archive).error());
    Result<ModelDescription> model = parse_model_description(archive->json, domain);
    if (!model)
        return std::unexpected(model.error());
    Checkpoint checkpoint{*std::move(model), {}, {}};
    if (!is_network(checkpoint.model)) {
        checkpoint.trees = std::move(archive->rest);
        return checkpoint;
    }
    std::vector<NamedArray> weights;
    std::vector<NamedArray> rates;
    for (NamedArray& array : archive->arrays) {
        const bool is_rate = array.name.starts_with(rate_prefix);
        if (is_rate)
            array.name.erase(0, rate_prefix.size());
        (is_rate ? rates : weights).push_back(std::move(array));
    }
    const auto encoder = domain.encoder(checkpoint.model.architecture);
    if (!encoder)
        return std::unexpected(encoder.error());
    if (!archive->rest.empty() && (*encoder)->gray_box() == nullptr)
        return fail(Fault::Input, "its list of tensors promises fewer numbers than there are");
    checkpoint.trees = std::move(archive->rest);
    if (const auto trees = trees_of(checkpoint, **encoder); !trees)
        return fail(Fault::Input,
                    fmt::format("the trees that follow its tensors: {}", trees.error().message));
    const auto shapes = shapes_of((*encoder)->parameters());
    auto matched = match_by_name(std::move(weights), shapes);
    if (!matched)
        return std::unexpected(std::move(matched).error());
    checkpoint.weights = *std::move(matched);
    if (rates.empty())
        return checkpoint;
    auto matched_rates = match_by_name(std::move(rates), shapes);
    if (!matched_rates)
        return std::unexpected(std::move(matched_rates).error());
    checkpoint.rates = *std::move(matched_rates);
    return checkpoint;
}

Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    const std::vector<std::byte> bytes = checkpoint_bytes(checkpoint);
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path, const ModelDomain& domain) {
    const auto in_file = [&](const Error& error) {
        return fail_in_file(error.fault, path.string(), 0, error.message);
    };
    const auto bytes = read_whole_file(path, largest_file);
    if (!bytes)
        return std::unexpected(bytes.error());
    Result<Checkpoint> checkpoint = parse_checkpoint(std::as_bytes(std::span(*bytes)), domain);
    if (!checkpoint)
        return in_file(checkpoint.error());
    return checkpoint;
}

} // namespace sparsight
