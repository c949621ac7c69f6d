#include "domains/sparse/encoder/published_weights.h"

#include "domains/sparse/encoder/network_description.h"
#include "model/checkpoints/pytorch_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

const NamedArray* find(const std::vector<NamedArray>& arrays, std::string_view name) {
    const auto found = std::ranges::find(arrays, name, &NamedArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

Operator network_operator(const std::vector<NamedArray>& arrays) {
    if (find(arrays, "paridx.weight") != nullptr)
        return Operator::SDDMM;
    return find(arrays, "jsplit.weight") != nullptr ? Operator::SpMM : Operator::SpMV;
}

/// The predictor reads one number for the matrix and embedding_width of the schedule.
bool is_narrowed(const std::vector<NamedArray>& arrays) {
    const NamedArray* predictor = find(arrays, "final.0.weight");
    return predictor != nullptr && predictor->shape.size() == 2 && predictor->shape[1] == 1 + embedding_width;
}

} // namespace

Standardisation published_standardisation() {
    return {{42'555.535, 23'075.956, 514'772.713}, {226'582.904, 91'684.933, 1'981'206.008}};
}

Result<PublishedWeights> read_published_weights(const std::filesystem::path& path,
                                                std::optional<Operator> op) {
    Result<std::vector<NamedArray>> arrays = read_pytorch_weights(path);
    if (!arrays)
        return std::unexpected(arrays.error());
    const auto refuse = [&](std::string message) {
        return fail_in_file(Fault::Input, path.string(), 0, std::move(message));
    };
    constexpr std::string_view prefix = "shared_backbone.";
    for (NamedArray& array : *arrays)
        if (array.name.starts_with(prefix))
            array.name.erase(0, prefix.size());

    PublishedWeights published;
    published.network.schedules.network = network_operator(*arrays);
    published.network.schedules.op = op.value_or(published.network.schedules.network);
    published.network.standardisation = published_standardisation();
    published.network.narrowed = is_narrowed(*arrays);
    if (loop_count(published.network.schedules.op) != loop_count(published.network.schedules.network))
        return refuse(fmt::format("the network is one of {}, whose schedules have another number of loops "
                                  "than those of {}",
                                  name(published.network.schedules.network),
                                  name(published.network.schedules.op)));
    if (!published.network.narrowed)
        std::erase_if(*arrays, [&](const NamedArray& array) {
            const bool unused = array.name.starts_with("head.");
            if (unused)
                published.unused.push_back(array.name);
            return unused;
        });
    Result<std::vector<NamedArray>> matched =
        match_by_name(*std::move(arrays), parameter_shapes(published.network));
    if (!matched)
        return refuse(std::move(matched.error().message));
    published.weights = *std::move(matched);
    return published;
}

Checkpoint import_published_weights(const PublishedWeights& published, std::string machine) {
    Checkpoint checkpoint;
    checkpoint.model.architecture = describe(published.network);
    checkpoint.model.training.method = "published";
    checkpoint.model.training.machines.push_back(std::move(machine));
    checkpoint.weights = published.weights;
    return checkpoint;
}

} // namespace sparsight
