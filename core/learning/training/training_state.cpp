#include "learning/training/training_state.h"

#include "model/tensors/torch_runtime.h"

#include <ATen/core/Tensor.h>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

constexpr ArchiveKind kind{"SPSTRAIN", 1, "training run"};

/// Exact: a decimal text of a double reads back as the same double, but infinities do not.
Json exact(double number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

double exact(const Json& json) {
    const auto bits = json.get<std::uint64_t>();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

/// A list of tensors by the names of the weights, in front of which the list's own name stands.
class Lists {
public:
    void put(const std::string& list, const NamedTensors& tensors) {
        for (NamedArray& array : to_arrays(tensors)) {
            array.name = list + "/" + array.name;
            arrays_.push_back(std::move(array));
        }
    }
    [[nodiscard]] std::vector<NamedArray> take() { return std::move(arrays_); }

private:
    std::vector<NamedArray> arrays_;
};

NamedTensors part_of(const NamedTensors& names, const std::vector<at::Tensor>& tensors, std::size_t begin) {
    const auto first = tensors.begin() + static_cast<std::ptrdiff_t>(begin);
    return names.with({first, first + static_cast<std::ptrdiff_t>(names.size())});
}

/// The list of this name, in the order of `like`.
Result<NamedTensors> get(std::vector<NamedArray>& arrays, const std::string& list,
                         std::span<const NamedShape> like, bool requires_grad, at::Device device) {
    std::vector<NamedArray> found;
    for (NamedArray& array : arrays)
        if (array.name.starts_with(list + "/"))
            found.push_back({array.name.substr(list.size() + 1), array.shape, std::move(array.values)});
    auto matched = match_by_name(std::move(found), like);
    if (!matched)
        return std::unexpected(std::move(matched).error());
    return to_tensors(*matched, requires_grad, at::kFloat, device);
}

void append(std::vector<at::Tensor>& all, const NamedTensors& more) {
    all.insert(all.end(), more.tensors().begin(), more.tensors().end());
}

Result<TrainingState> read_lists(std::vector<NamedArray> arrays, Method method,
                                 std::span<const NamedShape> like, at::Device device) {
    TrainingState state;
    state.method = method;
    std::map<std::string, NamedTensors> lists;
    std::vector<std::string> wanted{"weights", "first", "second", "best"};
    if (method == Method::MetaSgd)
        for (const char* list : {"rates", "first rates", "second rates", "best rates"})
            wanted.emplace_back(list);
    for (const std::string& list : wanted) {
        auto found = get(arrays, list, like, list == "weights" || list == "rates", device);
        if (!found)
            return std::unexpected(std::move(found).error());
        lists[list] = *std::move(found);
    }
    state.parameters.weights = lists["weights"];
    state.best = lists["best"];
    append(state.adam.first, lists["first"]);
    append(state.adam.second, lists["second"]);
    if (method == Method::MetaSgd) {
        state.parameters.rates = lists["rates"];
        state.best_rates = lists["best rates"];
        append(state.adam.first, lists["first rates"]);
        append(state.adam.second, lists["second rates"]);
    }
    return state;
}

} // namespace

TrainingState initial_training_state(Method method, const InnerLoop& loop, const NamedTensors& weights) {
    TrainingState state;
    state.method = method;
    state.parameters = initial_meta_parameters(method, loop, weights);
    state.adam = initial_adam(state.parameters.weights);
    if (state.parameters.rates) {
        AdamState of_rates = initial_adam(*state.parameters.rates);
        state.adam.first.insert(state.adam.first.end(), of_rates.first.begin(), of_rates.first.end());
        state.adam.second.insert(state.adam.second.end(), of_rates.second.begin(), of_rates.second.end());
    }
    state.best = leaves(state.parameters.weights);
    state.best_rates = state.parameters.rates;
    return state;
}

std::vector<std::byte> training_state_bytes(const TrainingState& state) {
    const NamedTensors& weights = state.parameters.weights;
    Lists lists;
    lists.put("weights", weights);
    lists.put("first", part_of(weights, state.adam.first, 0));
    lists.put("second", part_of(weights, state.adam.second, 0));
    lists.put("best", state.best);
    if (state.parameters.rates) {
        lists.put("rates", *state.parameters.rates);
        lists.put("first rates", part_of(weights, state.adam.first, weights.size()));
        lists.put("second rates", part_of(weights, state.adam.second, weights.size()));
        lists.put("best rates", *state.best_rates);
    }
    const Json json{{"method", name(state.method)},
                    {"epoch", state.epoch},
                    {"step", state.step},
                    {"loss_sum", exact(state.loss_sum)},
                    {"steps", state.steps},
                    {"adam_steps", state.adam.steps},
                    {"best_loss", state.best_loss ? exact(*state.best_loss) : Json()},
                    {"best_epoch", state.best_epoch},
                    {"epochs_without_gain", state.epochs_without_gain}};
    return archive_bytes(kind, {json.dump(), lists.take(), {}});
}

Result<TrainingState> parse_training_state(std::span<const std::byte> bytes, Method method,
                                           std::span<const NamedShape> like, at::Device device) {
    auto archive = parse_archive(kind, bytes);
    if (!archive)
        return std::unexpected(std::move(archive).error());
    const Json json = Json::parse(archive->json, nullptr, false);
    const auto made_by = json.is_object() ? json.find("method") : json.end();
    if (made_by == json.end() || *made_by != name(method))
        return fail(Fault::Input,
                    fmt::format("is of a training run by another method than {}", name(method)));
    try {
        auto state = guarded([&] { return read_lists(std::move(archive->arrays), method, like, device); });
        if (!state)
            return state;
        json.at("epoch").get_to(state->epoch);
        json.at("step").get_to(state->step);
        state->loss_sum = exact(json.at("loss_sum"));
        json.at("steps").get_to(state->steps);
        json.at("adam_steps").get_to(state->adam.steps);
        if (!json.at("best_loss").is_null())
            state->best_loss = exact(json.at("best_loss"));
        json.at("best_epoch").get_to(state->best_epoch);
        json.at("epochs_without_gain").get_to(state->epochs_without_gain);
        return state;
    } catch (const nlohmann::json::exception&) {
        return fail(Fault::Input, "lacks what a training run needs to go on");
    }
}

} // namespace sparsight
