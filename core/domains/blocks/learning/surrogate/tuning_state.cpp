#include "domains/blocks/learning/surrogate/tuning_state.h"

#include "base/files.h"
#include "model/checkpoints/json_fields.h"
#include "model/checkpoints/named_arrays.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr ArchiveKind tuning_archive{"SPSTUNE\n", 1, "state of a tuning"};
constexpr std::string_view first_mean = "first ";
constexpr std::string_view second_mean = "second ";

/// The values that differ from LLVM's, as places and numbers.
OrderedJson changed_values(const SimulatorTable& table, const SimulatorTable& original) {
    OrderedJson list = OrderedJson::array();
    std::vector<std::size_t> all(table.classes.size());
    for (std::size_t at = 0; at < all.size(); ++at)
        all[at] = at;
    for (const ParameterPlace& each : parameter_places(table, all))
        if (value_of(table, each) != value_of(original, each))
            list.push_back({parameter_name(table, each), value_of(table, each)});
    return list;
}

SimulatorTable table_of(const OrderedJson& json, const char* key, const SimulatorTable& original) {
    SimulatorTable table = original;
    for (const auto& [parameter, value] : json_field<std::vector<std::pair<std::string, int>>>(json, key)) {
        const auto place = find_parameter(original, parameter);
        if (!place || !parameter_bounds(original, *place).contain(value))
            throw JsonDefect{
                fmt::format("{} has {} = {}, which is no parameter here", key, parameter, value)};
        set_value(table, *place, value);
    }
    return table;
}

OrderedJson json_of(const JudgedParameter& judged) {
    return {judged.place.scheduling_class, judged.place.value, judged.blocks,
            static_cast<int>(judged.determination), judged.rise ? OrderedJson(*judged.rise) : OrderedJson()};
}

JudgedParameter judged_of(const OrderedJson& json, const SimulatorTable& original) {
    if (!json.is_array() || json.size() != 5)
        throw JsonDefect{"judged is not what was expected"};
    JudgedParameter judged{{json[0].get<std::size_t>(), json[1].get<std::size_t>()},
                           json[2].get<std::size_t>(),
                           static_cast<Determination>(std::clamp(json[3].get<int>(), 0, 3)),
                           std::nullopt};
    const bool is_of_processor = judged.place.scheduling_class == ParameterPlace::of_processor;
    if (!is_of_processor && judged.place.scheduling_class >= original.classes.size())
        throw JsonDefect{"judged has a class that is not known here"};
    if (judged.place.value >= (is_of_processor ? processor_parameters : original.values_a_class()))
        throw JsonDefect{"judged has a parameter that is not known here"};
    if (!json[4].is_null())
        judged.rise = json[4].get<double>();
    return judged;
}

void append(std::vector<NamedArray>& arrays, std::string_view prefix, const NamedTensors& tensors) {
    for (NamedArray& each : to_arrays(tensors)) {
        each.name = std::string(prefix) + each.name;
        arrays.push_back(std::move(each));
    }
}

Result<NamedTensors> tensors_of(const std::vector<NamedArray>& arrays, std::string_view prefix,
                                std::span<const NamedShape> like, bool requires_grad) {
    std::vector<NamedArray> found;
    for (const NamedArray& each : arrays) {
        const bool is_mean = each.name.starts_with(first_mean) || each.name.starts_with(second_mean);
        if (prefix.empty() ? !is_mean : each.name.starts_with(prefix))
            found.push_back({each.name.substr(prefix.size()), each.shape, each.values});
    }
    auto matched = match_by_name(std::move(found), like);
    if (!matched)
        return std::unexpected(std::move(matched).error());
    return to_tensors(*matched, requires_grad);
}

} // namespace

Result<void> save_tuning(const std::filesystem::path& path, const TuningState& state,
                         const SimulatorTable& original, const std::string& identity) {
    OrderedJson judged = OrderedJson::array();
    for (const JudgedParameter& each : state.judged)
        judged.push_back(json_of(each));
    const OrderedJson json{{"identity", identity},
                           {"table", changed_values(state.table, original)},
                           {"best", changed_values(state.best, original)},
                           {"best_error", state.best_error},
                           {"first_error", state.first_error},
                           {"steps", state.steps},
                           {"changes", state.changes},
                           {"is_learned", state.is_learned},
                           {"judged", std::move(judged)},
                           {"classes_judged", state.classes_judged},
                           {"rounds", state.surrogate.rounds},
                           {"adam_steps", state.surrogate.adam.steps}};
    TensorArchive archive{json.dump(), {}, {}};
    if (state.surrogate.network.size() > 0) {
        const NamedTensors& network = state.surrogate.network;
        append(archive.arrays, "", network);
        append(archive.arrays, first_mean, network.with(state.surrogate.adam.first));
        append(archive.arrays, second_mean, network.with(state.surrogate.adam.second));
    }
    const std::vector<std::byte> bytes = archive_bytes(tuning_archive, archive);
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<std::optional<TuningState>> load_tuning(const std::filesystem::path& path, const std::string& identity,
                                               const SimulatorTable& original,
                                               std::span<const NamedShape> like) {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return std::nullopt;
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    const auto bytes = read_whole_file(path, most_bytes);
    if (!bytes)
        return std::unexpected(bytes.error());
    const auto damaged = [&](const std::string& why) {
        return fail_in_file(Fault::Input, path.string(), 0, why);
    };
    const auto archive = parse_archive(tuning_archive, std::as_bytes(std::span(*bytes)));
    if (!archive)
        return damaged(archive.error().message);
    try {
        const auto json = OrderedJson::parse(archive->json);
        if (json_field<std::string>(json, "identity") != identity)
            return damaged("is of a tuning with other settings or blocks: remove it, or name another file");
        TuningState state{.table = table_of(json, "table", original),
                          .best = table_of(json, "best", original),
                          .best_error = json_field<double>(json, "best_error"),
                          .first_error = json_field<double>(json, "first_error"),
                          .steps = json_field<std::size_t>(json, "steps"),
                          .changes = json_field<std::size_t>(json, "changes"),
                          .is_learned = json_field<bool>(json, "is_learned"),
                          .judged = {},
                          .classes_judged = json_field<std::size_t>(json, "classes_judged")};
        for (const auto& each : json_field<OrderedJson>(json, "judged"))
            state.judged.push_back(judged_of(each, original));
        state.surrogate.rounds = json_field<int>(json, "rounds");
        state.surrogate.adam.steps = json_field<std::int64_t>(json, "adam_steps");
        if (!like.empty()) {
            auto network = tensors_of(archive->arrays, "", like, true);
            auto first = tensors_of(archive->arrays, first_mean, like, false);
            auto second = tensors_of(archive->arrays, second_mean, like, false);
            for (const auto* const each : {&network, &first, &second})
                if (!*each)
                    return damaged(each->error().message);
            state.surrogate.network = *std::move(network);
            state.surrogate.adam.first = first->tensors();
            state.surrogate.adam.second = second->tensors();
        }
        return state;
    } catch (const JsonDefect& defect) {
        return damaged(defect.text);
    } catch (const nlohmann::json::exception& defect) {
        return damaged(defect.what());
    }
}

} // namespace sparsight
