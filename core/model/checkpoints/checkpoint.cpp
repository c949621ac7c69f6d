#include "model/checkpoints/checkpoint.h"

#include "base/files.h"
#include "model/checkpoints/named_arrays.h"
#include "model/networks/network_description.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

/// Thrown and caught within this file, with the field that is wrong.
struct Defect {
    std::string text;
};

template <typename T>
T field(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end())
        throw Defect{fmt::format("{} is missing", key)};
    try {
        return found->get<T>();
    } catch (const nlohmann::json::exception&) {
        throw Defect{fmt::format("{} is not what was expected", key)};
    }
}

template <typename Parse>
auto named(const Json& json, const char* key, Parse parse) {
    const auto text = field<std::string>(json, key);
    const auto value = parse(text);
    if (!value)
        throw Defect{fmt::format("{} is {:?}, which is not known here", key, text.substr(0, 40))};
    return *value;
}

std::string_view name(ScheduleTables tables) {
    return tables == ScheduleTables::Waco ? "waco" : "full";
}

std::optional<ScheduleTables> parse_tables(std::string_view text) {
    for (const ScheduleTables tables : {ScheduleTables::Waco, ScheduleTables::Full})
        if (text == name(tables))
            return tables;
    return std::nullopt;
}

Json network_json(const NetworkDescription& network) {
    return {{"operator", name(network.schedules.op)},
            {"tables", name(network.schedules.tables)},
            {"tables_of", name(network.schedules.network)},
            {"machine", network.machine},
            {"narrowed", network.narrowed},
            {"standardisation",
             {{"mean", network.standardisation.mean}, {"deviation", network.standardisation.deviation}}}};
}

NetworkDescription read_network(const Json& json, Architecture architecture) {
    NetworkDescription network;
    network.architecture = architecture;
    network.schedules.op = named(json, "operator", parse_operator);
    network.schedules.tables = named(json, "tables", parse_tables);
    network.schedules.network = named(json, "tables_of", parse_operator);
    network.machine = field<bool>(json, "machine");
    network.narrowed = field<bool>(json, "narrowed");
    if (loop_count(network.schedules.op) != loop_count(network.schedules.network))
        throw Defect{"tables_of is an operator with another number of loops"};
    const Json standardisation = field<Json>(json, "standardisation");
    network.standardisation.mean = field<std::vector<double>>(standardisation, "mean");
    network.standardisation.deviation = field<std::vector<double>>(standardisation, "deviation");
    const std::size_t expected = matrix_numbers(architecture, PatternStatistics{}).size();
    if (network.standardisation.mean.size() != expected ||
        network.standardisation.deviation.size() != expected)
        throw Defect{fmt::format("standardisation is of {} numbers, expected {}",
                                 network.standardisation.mean.size(), expected)};
    for (const double deviation : network.standardisation.deviation)
        if (!(deviation > 0))
            throw Defect{"standardisation has a deviation that is not above 0"};
    return network;
}

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
    blend.network = field<double>(json, "network");
    blend.simulator = field<double>(json, "simulator");
    if (const auto share = json.find("network_share"); share != json.end() && !share->is_null())
        blend.network_share = field<double>(json, "network_share");
    blend.dense = field<std::int64_t>(json, "dense");
    if (blend.dense < 1)
        throw Defect{"dense of the simulator's blend is below 1"};
    const auto machine = field<std::map<std::string, double>>(json, "machine");
    for (const ParameterInfo& info : all_parameters())
        blend.machine[info.parameter] = info.typical;
    for (const auto& [key, value] : machine) {
        const auto parameter = parse_machine_parameter(key);
        if (!parameter)
            throw Defect{fmt::format("{:?} is no parameter of a machine", key.substr(0, 40))};
        const ParameterInfo& info = parameter_info(*parameter);
        if (!(value >= info.lowest && value <= info.highest))
            throw Defect{fmt::format("{} is {}, expected {}", key, value, range_text(info))};
        blend.machine[*parameter] = value;
    }
    return blend;
}

Json training_json(const TrainingRecord& training) {
    Json metrics = Json::object();
    for (const auto& [key, value] : training.metrics)
        if (std::isfinite(value))
            metrics[key] = value;
    return {
        {"method", training.method},     {"machines", training.machines},
        {"matrices", training.matrices}, {"seed", training.seed},
        {"metrics", std::move(metrics)}, {"parent", training.parent ? Json(*training.parent) : Json(nullptr)},
        {"settings", training.settings}, {"remarks", training.remarks}};
}

TrainingRecord read_training(const Json& json) {
    TrainingRecord training;
    training.method = field<std::string>(json, "method");
    training.machines = field<std::vector<std::string>>(json, "machines");
    training.matrices = field<std::vector<std::string>>(json, "matrices");
    training.seed = field<std::uint64_t>(json, "seed");
    training.metrics = field<std::map<std::string, double>>(json, "metrics");
    if (const auto parent = json.find("parent"); parent != json.end() && !parent->is_null())
        training.parent = field<std::string>(json, "parent");
    if (json.contains("settings"))
        training.settings = field<std::map<std::string, std::string>>(json, "settings");
    if (json.contains("remarks"))
        training.remarks = field<std::vector<std::string>>(json, "remarks");
    return training;
}

} // namespace

Operator ModelDescription::op() const {
    if (const auto* network = std::get_if<NetworkDescription>(&architecture))
        return network->schedules.op;
    return std::get<TreesDescription>(architecture).op;
}

std::string_view architecture_name(const ModelDescription& model) {
    const auto* network = std::get_if<NetworkDescription>(&model.architecture);
    return network != nullptr ? name(network->architecture) : "trees";
}

std::string to_json(const ModelDescription& model) {
    const auto* network = std::get_if<NetworkDescription>(&model.architecture);
    Json json{{"architecture", architecture_name(model)},
              {"input", network != nullptr ? network_json(*network) : Json{{"operator", name(model.op())}}},
              {"training", training_json(model.training)}};
    if (model.blend)
        json["blend"] = blend_json(*model.blend);
    if (!model.name.empty())
        json["name"] = model.name;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ModelDescription> parse_model_description(std::string_view text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return fail(Fault::Input, "the description of the model is no JSON object");
    try {
        ModelDescription model;
        const auto architecture = field<std::string>(json, "architecture");
        const Json input = field<Json>(json, "input");
        if (architecture == "trees")
            model.architecture = TreesDescription{named(input, "operator", parse_operator)};
        else
            model.architecture = read_network(input, named(json, "architecture", parse_architecture));
        model.training = read_training(field<Json>(json, "training"));
        if (const auto blend = json.find("blend"); blend != json.end())
            model.blend = read_blend(*blend);
        if (json.contains("name"))
            model.name = field<std::string>(json, "name");
        return model;
    } catch (const Defect& defect) {
        return fail(Fault::Input, fmt::format("the description of the model: {}", defect.text));
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

Result<Checkpoint> parse_checkpoint(std::span<const std::byte> bytes) {
    auto archive = parse_archive(kind, bytes);
    if (!archive)
        return std::unexpected(std::move(archive).error());
    Result<ModelDescription> model = parse_model_description(archive->json);
    if (!model)
        return std::unexpected(model.error());
    Checkpoint checkpoint{*std::move(model), {}, {}};
    const auto* network = std::get_if<NetworkDescription>(&checkpoint.model.architecture);
    if (network == nullptr) {
        checkpoint.trees = std::move(archive->rest);
        return checkpoint;
    }
    if (!archive->rest.empty())
        return fail(Fault::Input, "its list of tensors promises fewer numbers than there are");
    std::vector<NamedArray> weights;
    std::vector<NamedArray> rates;
    for (NamedArray& array : archive->arrays) {
        const bool is_rate = array.name.starts_with(rate_prefix);
        if (is_rate)
            array.name.erase(0, rate_prefix.size());
        (is_rate ? rates : weights).push_back(std::move(array));
    }
    const auto shapes = parameter_shapes(*network);
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

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
    const auto in_file = [&](const Error& error) {
        return fail_in_file(error.fault, path.string(), 0, error.message);
    };
    if (const auto regular = require_regular_file(path); !regular)
        return in_file(regular.error());
    std::error_code code;
    if (std::filesystem::file_size(path, code) > largest_file && !code)
        return fail_in_file(Fault::Limit, path.string(), 0, "is larger than 1 GiB, more than any model has");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad())
        return fail_in_file(Fault::Environment, path.string(), 0, "cannot be read");
    Result<Checkpoint> checkpoint = parse_checkpoint(std::as_bytes(std::span(bytes)));
    if (!checkpoint)
        return in_file(checkpoint.error());
    return checkpoint;
}

} // namespace sparsight
