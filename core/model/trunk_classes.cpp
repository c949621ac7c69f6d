#include "model/trunk_classes.h"

#include "model/row_blocks.h"
#include "model/unit_layer.h"

#include <algorithm>
#include <numeric>

namespace sparsight {

namespace {

constexpr int max_area = max_kernel_size * max_kernel_size;

/// Every class with itself.
class AllClasses {
public:
    explicit AllClasses(const NeighbourhoodClasses& classes)
        : indices_(static_cast<std::size_t>(classes.count())) {
        std::iota(indices_.begin(), indices_.end(), 0);
    }
    [[nodiscard]] PairList pairs() const {
        return {indices_.data(), indices_.data(), static_cast<int>(indices_.size())};
    }

private:
    IndexBuffer indices_;
};

/// Rows [bit, class, channels]: one for every product of a class with a matrix of the second layer.
template <typename Row>
struct ClassRows {
    Row* rows;
    const NeighbourhoodClasses& classes;
    std::int64_t channels;

    [[nodiscard]] Row* of_bit(int bit) const { return rows + bit * classes.count() * channels; }
    [[nodiscard]] Row* of_neighbour(int bit, std::int32_t neighbour) const {
        return of_bit(bit) + classes.of_centre[static_cast<std::size_t>(neighbour)] * channels;
    }
};

template <typename Row>
ClassRows(Row*, const NeighbourhoodClasses&, std::int64_t) -> ClassRows<Row>;

/// ReLU of the first layer, one row a class, and the mean of their coordinates.
void first_layer(const Trunk& trunk, float* mean) {
    const NeighbourhoodClasses& classes = *trunk.pyramid.classes;
    const std::int64_t channels = trunk.channels;
    float* rows = prepared(trunk.activations(0), classes.count() * channels);
    unit_products(classes.table, {0, classes.count()}, trunk.kernels(0), channels, trunk.matrices(0), rows);
    std::vector<double> sum(static_cast<std::size_t>(channels), 0.0);
    for (std::int64_t at = 0; at < classes.count(); ++at) {
        std::vector<double> row(static_cast<std::size_t>(channels), 0.0);
        rectify_and_sum(rows + at * channels, 1, channels, row.data());
        for (std::size_t channel = 0; channel < row.size(); ++channel)
            sum[channel] += row[channel] * static_cast<double>(classes.sizes[static_cast<std::size_t>(at)]);
    }
    for (std::size_t channel = 0; channel < sum.size(); ++channel)
        mean[channel] =
            static_cast<float>(sum[channel] / static_cast<double>(trunk.pyramid.coordinate_count()));
}

/// As many parts as keep the copies of the sums small beside the additions.
int parts_with_sums(const KernelMap& map, const NeighbourhoodClasses& classes) {
    const std::int64_t rows_a_copy = map.kernel_area() * classes.count();
    return static_cast<int>(
        std::clamp<std::int64_t>(map.pair_count() / (4 * rows_a_copy), 1, part_count(map.output_count())));
}

/// The first layer's gradient from that of its classes' outputs, [class, channels], which it finishes.
void first_layer_backward(const Trunk& trunk, const float* mean_gradient, float* rows,
                          float* weight_gradient) {
    const NeighbourhoodClasses& classes = *trunk.pyramid.classes;
    const std::int64_t channels = trunk.channels;
    const FloatBuffer shared = shared_gradient(mean_gradient, channels, trunk.pyramid.coordinate_count());
    FloatBuffer of_class(shared.size());
    for (std::int64_t at = 0; at < classes.count(); ++at) {
        const auto size = static_cast<float>(classes.sizes[static_cast<std::size_t>(at)]);
        std::ranges::transform(shared, of_class.begin(), [&](float value) { return value * size; });
        add_and_mask(rows + at * channels, trunk.activations(0).data() + at * channels, of_class.data(), 1,
                     channels);
    }
    std::fill_n(weight_gradient, trunk.map(0).kernel_area() * channels, 0.0F);
    add_unit_outer_products(classes.table, {0, classes.count()}, channels, rows,
                            weight_matrices(weight_gradient, trunk.map(0).kernel_size(), trunk.shape(0)));
}

} // namespace

void class_layers_forward(const Trunk& trunk, float* means, const PartRunner& run) {
    first_layer(trunk, means);
    const NeighbourhoodClasses& classes = *trunk.pyramid.classes;
    const KernelMap& map = trunk.map(1);
    const std::int64_t channels = trunk.channels;
    const PairKernels<float> kernels = trunk.kernels(1);
    const WeightMatrices<const float> weights = trunk.matrices(1);
    FloatBuffer products;
    products.assign(static_cast<std::size_t>(map.kernel_area() * classes.count() * channels), 0);
    const AllClasses all(classes);
    const ClassRows product{products.data(), classes, channels};
    for (int bit = 0; bit < map.kernel_area(); ++bit)
        kernels.add_products(all.pairs(), trunk.shape(1), trunk.activations(0).data(),
                             weights[static_cast<std::size_t>(bit)], product.of_bit(bit));
    const WriteRows write = [&](CentreRange centres, float* rows) {
        std::array<float, max_area> ones;
        ones.fill(1);
        std::array<const float*, max_area> summands;
        for (std::int64_t centre = centres.begin; centre < centres.end; ++centre, rows += channels) {
            int count = 0;
            for_each_neighbour(map.inputs_of_outputs(), centre, [&](int bit, std::int32_t neighbour) {
                summands[static_cast<std::size_t>(count++)] = product.of_neighbour(bit, neighbour);
            });
            kernels.weighted_sum(count, ones.data(), summands.data(), channels, rows);
        }
    };
    forward_rows(trunk, 1, means + channels, [&] { return write; }, run);
}

void class_layers_backward(const Trunk& trunk, const float* mean_gradients, const TrunkGradients& gradients,
                           const PartRunner& run) {
    const NeighbourhoodClasses& classes = *trunk.pyramid.classes;
    const KernelMap& map = trunk.map(1);
    const std::int64_t channels = trunk.channels;
    const PairKernels<float> kernels = trunk.kernels(1);
    const std::int64_t sum_size = map.kernel_area() * classes.count() * channels;
    const int parts = parts_with_sums(map, classes);
    FloatBuffer partial(static_cast<std::size_t>(parts * sum_size));
    backward_rows(
        trunk, 1, mean_gradients + channels, parts, /*is_kept=*/false,
        [&](int part) -> UseGradient {
            const ClassRows sum{partial.data() + part * sum_size, classes, channels};
            std::fill_n(sum.rows, sum_size, 0.0F);
            return [&, sum](CentreRange centres, const float* rows) {
                std::array<float*, max_area> sums;
                for (std::int64_t centre = centres.begin; centre < centres.end; ++centre, rows += channels) {
                    int count = 0;
                    for_each_neighbour(map.inputs_of_outputs(), centre, [&](int bit, std::int32_t neighbour) {
                        sums[static_cast<std::size_t>(count++)] = sum.of_neighbour(bit, neighbour);
                    });
                    kernels.add_to_each(count, rows, sums.data(), channels);
                }
            };
        },
        run);
    for (int part = 1; part < parts; ++part)
        add_rows(partial.data() + part * sum_size, 1, sum_size, partial.data());

    const AllClasses all(classes);
    const ClassRows sum{partial.data(), classes, channels};
    const Channels shape = trunk.shape(1);
    std::fill_n(gradients[1], map.kernel_area() * channels * channels, 0.0F);
    const WeightMatrices<float> weight_gradients = weight_matrices(gradients[1], map.kernel_size(), shape);
    const TransposedWeight<float> transposed(trunk.weight(1), map.kernel_size(), shape);
    FloatBuffer class_gradients;
    class_gradients.assign(static_cast<std::size_t>(classes.count() * channels), 0);
    for (int bit = 0; bit < map.kernel_area(); ++bit) {
        kernels.add_outer_products(all.pairs(), shape, trunk.activations(0).data(), sum.of_bit(bit),
                                   weight_gradients[static_cast<std::size_t>(bit)]);
        kernels.add_products(all.pairs(), shape, sum.of_bit(bit),
                             transposed.matrices()[static_cast<std::size_t>(map.kernel_area() - 1 - bit)],
                             class_gradients.data());
    }
    first_layer_backward(trunk, mean_gradients, class_gradients.data(), gradients[0]);
}

} // namespace sparsight
