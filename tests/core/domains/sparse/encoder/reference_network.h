// WACONet in plain loops and double precision, slow and obvious: what the real one is checked against. And
// the eight ways in which the slices of a square kernel could lie in a file: mirrored and transposed.
#pragma once

#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/tensor/pattern.h"
#include "model/checkpoints/named_arrays.h"
#include "model/convolution/convolution_pyramid.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sparsight::testing {

class ReferenceNetwork {
public:
    using Vector = std::vector<double>;

    ReferenceNetwork(NetworkDescription network, const std::vector<NamedArray>& weights)
        : network_(std::move(network)) {
        for (const NamedArray& array : weights)
            weights_.emplace(array.name, array);
    }

    [[nodiscard]] Vector embed_matrix(const CsrPattern& pattern, const Vector& standardised) const {
        Vector input = convolutions(pattern);
        const Vector feature = perceptron("feature", 2, standardised);
        input.insert(input.end(), feature.begin(), feature.end());
        return perceptron("matrix_embedding", 2, input);
    }

    [[nodiscard]] Vector embed_schedule(const SuperSchedule& schedule) const {
        const ScheduleBatch batch = encode_batch(network_.schedules, std::vector{schedule});
        const auto tables = category_tables(network_.schedules);
        Vector input;
        for (std::size_t table = 0; table < tables.size(); ++table) {
            if (table == indices(network_.schedules.op).size()) {
                const Vector order = linear("order", Vector(batch.orders.begin(), batch.orders.end()));
                input.insert(input.end(), order.begin(), order.end());
            }
            const auto row =
                weights_.at(tables[table].name + ".weight").values.begin() + batch.categories[table] * 32;
            input.insert(input.end(), row, row + 32);
        }
        return perceptron("schedule_embedding", 2, input);
    }

    [[nodiscard]] double predict(Vector matrix, const Vector& schedule) const {
        matrix.insert(matrix.end(), schedule.begin(), schedule.end());
        return perceptron("final", 3, matrix)[0];
    }

private:
    using Image = std::map<std::pair<std::int64_t, std::int64_t>, Vector>;

    [[nodiscard]] Vector convolutions(const CsrPattern& pattern) const {
        Image image;
        for (std::int64_t row = 0; row < pattern.rows; ++row)
            for (auto at = pattern.row_pointers[static_cast<std::size_t>(row)];
                 at < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++at)
                image[{row, pattern.column_ids[static_cast<std::size_t>(at)]}] = {1.0};
        Vector means;
        for (int layer = 1; layer <= 14; ++layer) {
            image = convolve(image, weights_.at("layer" + std::to_string(layer) + ".0.kernel"),
                             layer == 1 ? 5 : 3, layer == 1 ? 1 : 2);
            Vector mean(32, 0.0);
            for (const auto& [place, features] : image)
                for (std::size_t channel = 0; channel < 32; ++channel)
                    mean[channel] += features[channel] / static_cast<double>(image.size());
            means.insert(means.end(), mean.begin(), mean.end());
        }
        return means;
    }

    static Image convolve(const Image& image, const NamedArray& kernel, int size, int stride) {
        Image result;
        for (const auto& [place, features] : image)
            result[{place.first / stride, place.second / stride}] = Vector(32, 0.0);
        const int half = size / 2;
        for (auto& [place, sums] : result) {
            for (int column = -half; column <= half; ++column) {
                for (int row = -half; row <= half; ++row) {
                    const auto input =
                        image.find({place.first * stride + row, place.second * stride + column});
                    if (input == image.end())
                        continue;
                    const std::size_t inputs = input->second.size();
                    const auto slice = static_cast<std::size_t>((column + half) * size + row + half);
                    for (std::size_t from = 0; from < inputs; ++from)
                        for (std::size_t to = 0; to < 32; ++to)
                            sums[to] += input->second[from] *
                                        static_cast<double>(kernel.values[(slice * inputs + from) * 32 + to]);
                }
            }
            for (double& sum : sums)
                sum = std::max(sum, 0.0);
        }
        return result;
    }

    [[nodiscard]] Vector linear(const std::string& name, const Vector& input) const {
        const NamedArray& weight = weights_.at(name + ".weight");
        const NamedArray& bias = weights_.at(name + ".bias");
        Vector output(bias.values.begin(), bias.values.end());
        for (std::size_t to = 0; to < output.size(); ++to)
            for (std::size_t from = 0; from < input.size(); ++from)
                output[to] += static_cast<double>(weight.values[to * input.size() + from]) * input[from];
        return output;
    }

    [[nodiscard]] Vector perceptron(const std::string& name, int layers, Vector input) const {
        for (int layer = 0; layer < layers; ++layer) {
            if (layer > 0)
                for (double& value : input)
                    value = std::max(value, 0.0);
            input = linear(name + "." + std::to_string(2 * layer), input);
        }
        return input;
    }

    NetworkDescription network_;
    std::map<std::string, NamedArray> weights_;
};

inline constexpr int kernel_orders = 8;

/// 0 is MinkowskiEngine's, which weight_slice() has.
inline std::string kernel_order_name(int order) {
    return std::string((order & 4) != 0 ? "columns fastest" : "rows fastest") +
           ((order & 1) != 0 ? ", rows mirrored" : "") + ((order & 2) != 0 ? ", columns mirrored" : "");
}

/// The weights as they are to be read if the file has its kernels in that order.
inline std::vector<NamedArray> with_kernel_order(std::vector<NamedArray> weights, int order) {
    for (NamedArray& array : weights) {
        if (!array.name.ends_with(".kernel"))
            continue;
        const NamedArray file = array;
        const int size = file.shape[0] == 25 ? 5 : 3;
        const std::int64_t slice = file.shape[1] * file.shape[2];
        for (int slow = 0; slow < size; ++slow) {
            for (int fast = 0; fast < size; ++fast) {
                int row = (order & 1) != 0 ? size - 1 - fast : fast;
                int column = (order & 2) != 0 ? size - 1 - slow : slow;
                if ((order & 4) != 0)
                    std::swap(row, column);
                std::copy_n(file.values.begin() + (slow * size + fast) * slice, slice,
                            array.values.begin() + weight_slice(row, column, size) * slice);
            }
        }
    }
    return weights;
}

} // namespace sparsight::testing
