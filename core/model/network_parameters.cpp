#include "model/network_parameters.h"

#include "base/random.h"
#include "model/machine_features.h"

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace sparsight {
namespace {

constexpr std::int64_t hidden_channels = 32; ///< of convolutions, small perceptrons and embedding tables
constexpr int convolutions = 14;

class ParameterList {
public:
    void add(std::string name, std::vector<std::int64_t> shape, Initial initial, std::int64_t fan) {
        list_.push_back({{std::move(name), std::move(shape)}, initial, fan});
    }
    void linear(const std::string& name, std::int64_t out, std::int64_t in) {
        add(name + ".weight", {out, in}, Initial::Uniform, in);
        add(name + ".bias", {out}, Initial::Uniform, in);
    }
    /// A table of embeddings.
    void table(const std::string& name, std::int64_t categories) {
        add(name + ".weight", {categories, hidden_channels}, Initial::Normal, 1);
    }
    [[nodiscard]] std::vector<NetworkParameter> take() { return std::move(list_); }

private:
    std::vector<NetworkParameter> list_;
};

/// Returns the width of what it gives to the matrix embedding.
std::int64_t add_matrix_input(ParameterList& list, const NetworkDescription& network) {
    if (network.architecture == Architecture::StatisticsNet) {
        constexpr std::int64_t width = 128;
        list.linear("statistics.0", width, static_cast<std::int64_t>(statistics().size()));
        list.linear("statistics.2", width, width);
        return width;
    }
    for (int layer = 1; layer <= convolutions; ++layer) {
        const std::int64_t area = layer == 1 ? 25 : 9;
        list.add(fmt::format("layer{}.0.kernel", layer),
                 {area, layer == 1 ? 1 : hidden_channels, hidden_channels}, Initial::KaimingNormal,
                 area * hidden_channels);
    }
    list.linear("feature.0", 64, 3);
    list.linear("feature.2", hidden_channels, 64);
    return convolutions * hidden_channels + hidden_channels;
}

void add_schedule_embedding(ParameterList& list, const ScheduleLayout& layout) {
    const std::vector<CategoryTable> tables = category_tables(layout);
    for (const CategoryTable& table : tables)
        list.table(table.name, table.categories);
    const auto loops = static_cast<std::int64_t>(loop_count(layout.op));
    list.linear("order", hidden_channels, loops * loops);
    const auto parts = static_cast<std::int64_t>(tables.size()) + 1;
    list.linear("schedule_embedding.0", embedding_width, parts * hidden_channels);
    list.linear("schedule_embedding.2", embedding_width, embedding_width);
}

} // namespace

std::vector<NetworkParameter> parameters(const NetworkDescription& network) {
    ParameterList list;
    std::int64_t width = add_matrix_input(list, network);
    if (network.machine) {
        list.linear("machine.0", 64, static_cast<std::int64_t>(machine_feature_count()));
        list.linear("machine.2", hidden_channels, 64);
        width += hidden_channels;
    }
    list.linear("matrix_embedding.0", 256, width);
    list.linear("matrix_embedding.2", embedding_width, 256);
    add_schedule_embedding(list, network.schedules);
    list.linear("final.0", 128, (network.narrowed ? 1 : embedding_width) + embedding_width);
    list.linear("final.2", last_layer_width, 128);
    list.linear("final.4", 1, last_layer_width);
    if (network.narrowed) {
        list.linear("head.0", 64, embedding_width);
        list.linear("head.2", 1, 64);
    }
    return list.take();
}

std::vector<NamedShape> parameter_shapes(const NetworkDescription& network) {
    std::vector<NamedShape> shapes;
    for (NetworkParameter& parameter : parameters(network))
        shapes.push_back(std::move(parameter.tensor));
    return shapes;
}

std::vector<NamedArray> initial_weights(const NetworkDescription& network, std::uint64_t seed) {
    std::vector<NamedArray> weights;
    const Random base(seed);
    for (const NetworkParameter& parameter : parameters(network)) {
        Random random = base.fork(weights.size());
        std::int64_t count = 1;
        for (const std::int64_t extent : parameter.tensor.shape)
            count *= extent;
        const auto fan = static_cast<double>(parameter.fan);
        NamedArray array{parameter.tensor.name, parameter.tensor.shape,
                         std::vector<float>(static_cast<std::size_t>(count))};
        for (float& value : array.values) {
            const double drawn =
                parameter.initial == Initial::Uniform  ? (2 * random.uniform() - 1) / std::sqrt(fan)
                : parameter.initial == Initial::Normal ? random.normal()
                                                       : random.normal() * std::sqrt(2 / fan);
            value = static_cast<float>(drawn);
        }
        weights.push_back(std::move(array));
    }
    return weights;
}

} // namespace sparsight
