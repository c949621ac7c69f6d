#include "model/convolution/convolution_pass.h"

#include "model/vector_instructions.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace sparsight {

std::shared_ptr<ConvolutionWorkspace> ConvolutionWorkspaces::take() {
    std::unique_ptr<ConvolutionWorkspace> workspace;
    {
        const std::scoped_lock lock(shelf_->mutex);
        if (!shelf_->free.empty()) {
            workspace = std::move(shelf_->free.back());
            shelf_->free.pop_back();
        }
    }
    if (!workspace)
        workspace = std::make_unique<ConvolutionWorkspace>();
    return {workspace.release(), [shelf = shelf_](ConvolutionWorkspace* returned) {
                const std::scoped_lock lock(shelf->mutex);
                shelf->free.emplace_back(returned);
            }};
}

namespace {

/// How many layers the classes take care of.
int class_layers(const ConvolutionPyramid& pyramid) {
    return pyramid.classes ? 2 : 0;
}

} // namespace

void forward_pass(const ConvolutionPyramid& pyramid, std::int64_t channels, const PassWeights& weights,
                  ConvolutionWorkspace& workspace, float* means, VectorInstructions set,
                  const PartRunner& run) {
    const ConvolutionPass pass{pyramid, channels, weights, workspace, set};
    if (pyramid.classes)
        class_layers_forward(pass, means, run);
    for (int layer = class_layers(pyramid); layer < pyramid_layers; ++layer)
        layer_forward(pass, layer, means + layer * channels, run);
}

void backward_pass(const ConvolutionPyramid& pyramid, std::int64_t channels, const PassWeights& weights,
                   ConvolutionWorkspace& workspace, const float* mean_gradients,
                   const PassGradients& gradients, VectorInstructions set, const PartRunner& run) {
    const ConvolutionPass pass{pyramid, channels, weights, workspace, set};
    for (int layer = pyramid_layers - 1; layer >= class_layers(pyramid); --layer)
        layer_backward(pass, layer, mean_gradients + layer * channels,
                       gradients[static_cast<std::size_t>(layer)], run);
    if (pyramid.classes)
        class_layers_backward(pass, mean_gradients, gradients, run);
}

namespace {

/// 128 bits, which need no choice at run time: this work is bound by memory.
constexpr std::size_t lanes = 4;
using Vector = FloatVector<lanes>;
constexpr std::int64_t block = 32;
constexpr auto vectors_of_block = std::make_index_sequence<block / lanes>();

template <std::size_t... I>
void rectify_block(float* rows, std::int64_t count, std::int64_t channels, double* sums,
                   std::index_sequence<I...>) {
    Vector partial[] = {(static_cast<void>(I), Vector{})...};
    for (std::int64_t row = 0; row < count; ++row) {
        auto* values = as_vectors<lanes>(rows + row * channels);
        const Vector rectified[] = {(values[I].value < 0 ? Vector{} : values[I].value)...};
        ((values[I].value = rectified[I]), ...);
        ((partial[I] += rectified[I]), ...);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(block); ++i)
        sums[i] += double{partial[i / lanes][i % lanes]};
}

template <std::size_t... I>
void mask_block(float* gradient, const float* activation, const float* shared, std::int64_t count,
                std::int64_t channels, std::index_sequence<I...>) {
    const Vector added[] = {as_vectors<lanes>(shared)[I].value...};
    for (std::int64_t row = 0; row < count; ++row) {
        auto* values = as_vectors<lanes>(gradient + row * channels);
        const auto* outputs = as_vectors<lanes>(activation + row * channels);
        ((values[I].value = outputs[I].value <= 0 ? Vector{} : values[I].value + added[I]), ...);
    }
}

template <std::size_t... I>
void add_block(const float* rows, std::int64_t count, std::int64_t channels, float* sum,
               std::index_sequence<I...>) {
    auto* total = as_vectors<lanes>(sum);
    Vector sums[] = {total[I].value...};
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* values = as_vectors<lanes>(rows + row * channels);
        ((sums[I] += values[I].value), ...);
    }
    ((total[I].value = sums[I]), ...);
}

} // namespace

void rectify_and_sum(float* rows, std::int64_t count, std::int64_t channels, double* sums) {
    std::int64_t first = 0;
    for (; first + block <= channels; first += block)
        rectify_block(rows + first, count, channels, sums + first, vectors_of_block);
    for (; first < channels; ++first)
        for (std::int64_t row = 0; row < count; ++row) {
            float& value = rows[row * channels + first];
            value = value < 0 ? 0 : value;
            sums[first] += double{value};
        }
}

void add_and_mask(float* gradient, const float* activation, const float* shared, std::int64_t count,
                  std::int64_t channels) {
    std::int64_t first = 0;
    for (; first + block <= channels; first += block)
        mask_block(gradient + first, activation + first, shared + first, count, channels, vectors_of_block);
    for (; first < channels; ++first)
        for (std::int64_t at = first; at < count * channels; at += channels)
            gradient[at] = activation[at] <= 0 ? 0 : gradient[at] + shared[first];
}

void add_rows(const float* rows, std::int64_t count, std::int64_t channels, float* sum) {
    std::int64_t first = 0;
    for (; first + block <= channels; first += block)
        add_block(rows + first, count, channels, sum + first, vectors_of_block);
    for (; first < channels; ++first)
        for (std::int64_t at = first; at < count * channels; at += channels)
            sum[first] += rows[at];
}

namespace {

template <typename Use>
void for_each_bit(std::uint32_t mask, Use&& use) {
    for (; mask != 0; mask &= mask - 1)
        use(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The end of the run of equal masks that starts at `begin`.
std::int64_t end_of_run(const NeighbourTable& table, std::int64_t begin, std::int64_t end) {
    const std::uint32_t* masks = table.masks.data();
    return std::find_if(masks + begin, masks + end,
                        [&](std::uint32_t mask) { return mask != masks[begin]; }) -
           masks;
}

} // namespace

void unit_products(const NeighbourTable& table, CentreRange centres, const PairKernels<float>& kernels,
                   std::int64_t channels, const WeightMatrices<const float>& weights, float* rows) {
    std::array<float, max_kernel_size * max_kernel_size> ones;
    ones.fill(1);
    for (std::int64_t begin = centres.begin; begin < centres.end;) {
        const std::int64_t end = end_of_run(table, begin, centres.end);
        WeightMatrices<const float> present{};
        int count = 0;
        for_each_bit(table.masks[static_cast<std::size_t>(begin)],
                     [&](std::size_t bit) { present[static_cast<std::size_t>(count++)] = weights[bit]; });
        kernels.weighted_sum(count, ones.data(), present.data(), channels, rows);
        for (const float* first = rows; ++begin < end; rows += channels)
            std::copy_n(first, channels, rows + channels);
        rows += channels;
    }
}

void add_unit_outer_products(const NeighbourTable& table, CentreRange centres, std::int64_t channels,
                             const float* rows, const WeightMatrices<float>& weights) {
    FloatBuffer sum;
    for (std::int64_t begin = centres.begin; begin < centres.end;) {
        const std::int64_t end = end_of_run(table, begin, centres.end);
        sum.assign(static_cast<std::size_t>(channels), 0);
        add_rows(rows, end - begin, channels, sum.data());
        for_each_bit(table.masks[static_cast<std::size_t>(begin)],
                     [&](std::size_t bit) { add_rows(sum.data(), 1, channels, weights[bit]); });
        rows += (end - begin) * channels;
        begin = end;
    }
}

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
void first_layer(const ConvolutionPass& pass, float* mean) {
    const NeighbourhoodClasses& classes = *pass.pyramid.classes;
    const std::int64_t channels = pass.channels;
    float* rows = prepared(pass.activations(0), classes.count() * channels);
    unit_products(classes.table, {0, classes.count()}, pass.kernels(0), channels, pass.matrices(0), rows);
    std::vector<double> sum(static_cast<std::size_t>(channels), 0.0);
    for (std::int64_t at = 0; at < classes.count(); ++at) {
        std::vector<double> row(static_cast<std::size_t>(channels), 0.0);
        rectify_and_sum(rows + at * channels, 1, channels, row.data());
        for (std::size_t channel = 0; channel < row.size(); ++channel)
            sum[channel] += row[channel] * static_cast<double>(classes.sizes[static_cast<std::size_t>(at)]);
    }
    for (std::size_t channel = 0; channel < sum.size(); ++channel)
        mean[channel] =
            static_cast<float>(sum[channel] / static_cast<double>(pass.pyramid.coordinate_count()));
}

/// As many parts as keep the copies of the sums small beside the additions.
int parts_with_sums(const KernelMap& map, const NeighbourhoodClasses& classes) {
    const std::int64_t rows_a_copy = map.kernel_area() * classes.count();
    return static_cast<int>(
        std::clamp<std::int64_t>(map.pair_count() / (4 * rows_a_copy), 1, part_count(map.output_count())));
}

/// The first layer's gradient from that of its classes' outputs, [class, channels], which it finishes.
void first_layer_backward(const ConvolutionPass& pass, const float* mean_gradient, float* rows,
                          float* weight_gradient) {
    const NeighbourhoodClasses& classes = *pass.pyramid.classes;
    const std::int64_t channels = pass.channels;
    const FloatBuffer shared = shared_gradient(mean_gradient, channels, pass.pyramid.coordinate_count());
    FloatBuffer of_class(shared.size());
    for (std::int64_t at = 0; at < classes.count(); ++at) {
        const auto size = static_cast<float>(classes.sizes[static_cast<std::size_t>(at)]);
        std::ranges::transform(shared, of_class.begin(), [&](float value) { return value * size; });
        add_and_mask(rows + at * channels, pass.activations(0).data() + at * channels, of_class.data(), 1,
                     channels);
    }
    std::fill_n(weight_gradient, pass.map(0).kernel_area() * channels, 0.0F);
    add_unit_outer_products(classes.table, {0, classes.count()}, channels, rows,
                            weight_matrices(weight_gradient, pass.map(0).kernel_size(), pass.shape(0)));
}

} // namespace

void class_layers_forward(const ConvolutionPass& pass, float* means, const PartRunner& run) {
    first_layer(pass, means);
    const NeighbourhoodClasses& classes = *pass.pyramid.classes;
    const KernelMap& map = pass.map(1);
    const std::int64_t channels = pass.channels;
    const PairKernels<float> kernels = pass.kernels(1);
    const WeightMatrices<const float> weights = pass.matrices(1);
    FloatBuffer products;
    products.assign(static_cast<std::size_t>(map.kernel_area() * classes.count() * channels), 0);
    const AllClasses all(classes);
    const ClassRows product{products.data(), classes, channels};
    for (int bit = 0; bit < map.kernel_area(); ++bit)
        kernels.add_products(all.pairs(), pass.shape(1), pass.activations(0).data(),
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
    forward_rows(pass, 1, means + channels, [&] { return write; }, run);
}

void class_layers_backward(const ConvolutionPass& pass, const float* mean_gradients,
                           const PassGradients& gradients, const PartRunner& run) {
    const NeighbourhoodClasses& classes = *pass.pyramid.classes;
    const KernelMap& map = pass.map(1);
    const std::int64_t channels = pass.channels;
    const PairKernels<float> kernels = pass.kernels(1);
    const std::int64_t sum_size = map.kernel_area() * classes.count() * channels;
    const int parts = parts_with_sums(map, classes);
    FloatBuffer partial(static_cast<std::size_t>(parts * sum_size));
    backward_rows(
        pass, 1, mean_gradients + channels, parts, /*is_kept=*/false,
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
    const Channels shape = pass.shape(1);
    std::fill_n(gradients[1], map.kernel_area() * channels * channels, 0.0F);
    const WeightMatrices<float> weight_gradients = weight_matrices(gradients[1], map.kernel_size(), shape);
    const TransposedWeight<float> transposed(pass.weight(1), map.kernel_size(), shape);
    FloatBuffer class_gradients;
    class_gradients.assign(static_cast<std::size_t>(classes.count() * channels), 0);
    for (int bit = 0; bit < map.kernel_area(); ++bit) {
        kernels.add_outer_products(all.pairs(), shape, pass.activations(0).data(), sum.of_bit(bit),
                                   weight_gradients[static_cast<std::size_t>(bit)]);
        kernels.add_products(all.pairs(), shape, sum.of_bit(bit),
                             transposed.matrices()[static_cast<std::size_t>(map.kernel_area() - 1 - bit)],
                             class_gradients.data());
    }
    first_layer_backward(pass, mean_gradients, class_gradients.data(), gradients[0]);
}

} // namespace sparsight
