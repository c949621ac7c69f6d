#include "learning/decisions/perceptron_encoder.h"

#include "learning/decisions/decision_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding_bag.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

constexpr std::int64_t hidden_width = 128;

class PerceptronEncoder final : public DecisionNetwork {
public:
    PerceptronEncoder(DecisionInput decisions, std::shared_ptr<const ConfigurationCodec> codec)
        : DecisionNetwork(std::move(decisions), std::move(codec)) {
        for (std::size_t place = 0; place < input().decisions.size(); ++place)
            if (input().decisions[place].are_numbers)
                with_numbers_.push_back(static_cast<std::int64_t>(place));
    }

private:
    [[nodiscard]] std::string_view name() const override { return perceptron_architecture; }

    void add_configuration_parameters(std::vector<NetworkParameter>& list) const override {
        add_perceptron(list, "decisions", embedding_width, hidden_width,
                       1 + std::ssize(with_numbers_) + value_width * std::ssize(input().decisions));
    }

    [[nodiscard]] at::Tensor embed_decisions(const NamedTensors& parameters,
                                             const DecisionTensors& decisions) const override {
        if (!c10::GradMode::is_enabled() && !input().decisions.empty())
            return linear(parameters, "decisions.2", at::relu(summed_layer(parameters, decisions)));
        std::vector<at::Tensor> read{at::ones({decisions.numbers.size(0), 1}, decisions.numbers.options())};
        if (!with_numbers_.empty())
            read.push_back(at::index_select(
                decisions.numbers, 1, at::tensor(with_numbers_, at::kLong).to(decisions.numbers.device())));
        if (!input().decisions.empty())
            read.push_back(embed_values(parameters, decisions).flatten(1));
        return perceptron(parameters, "decisions", at::cat(read, 1));
    }

    /// The first layer of the decisions, as it scores: configurations share their values, so that the product
    /// of each value is there once, and a configuration adds up those of its values.
    [[nodiscard]] at::Tensor summed_layer(const NamedTensors& parameters,
                                          const DecisionTensors& decisions) const {
        const at::Tensor weight = parameters["decisions.0.weight"].t(); // [read, hidden_width]
        const at::Tensor& values = parameters["values.weight"];
        const auto number_count = std::ssize(with_numbers_);
        std::vector<at::Tensor> products;
        std::vector<float> table_numbers; ///< of values that are numbers, beside their product
        for (std::size_t place = 0; place < input().decisions.size(); ++place) {
            const DecisionColumn& column = input().decisions[place];
            const std::int64_t rows = 1 + std::ssize(column.values);
            const auto first = static_cast<std::int64_t>(place) * value_width + 1 + number_count;
            at::Tensor product =
                at::mm(values.narrow(0, first_rows()[place], rows), weight.narrow(0, first, value_width));
            if (column.are_numbers) {
                const auto at = std::ranges::find(with_numbers_, static_cast<std::int64_t>(place));
                table_numbers.assign(1, 0.0F);
                for (const std::string& value : column.values)
                    table_numbers.push_back(static_cast<float>(column.scale.apply(*decision_number(value))));
                product = product + at::tensor(table_numbers, weight.options()).unsqueeze(1) *
                                        weight.narrow(0, 1 + (at - with_numbers_.begin()), 1);
            }
            products.push_back(std::move(product));
        }
        products.push_back(at::zeros({1, hidden_width}, weight.options())); // of unknown values
        const at::Tensor known = decisions.known.squeeze(2);
        const at::Tensor is_unknown = known.eq(0);
        const bool has_unknown = is_unknown.any().item<bool>();
        const std::int64_t count = decisions.values.size(0);
        const std::int64_t width = decisions.values.size(1);
        const at::Tensor rows =
            has_unknown ? decisions.values.masked_fill(is_unknown, table_rows()) : decisions.values;
        const at::Tensor offsets = at::arange(0, count * width, width, rows.options());
        const at::Tensor bias = parameters["decisions.0.bias"] + weight.select(0, 0);
        at::Tensor sum = std::get<0>(at::embedding_bag(at::cat(products, 0), rows.flatten(), offsets)) + bias;
        if (has_unknown && number_count > 0) {
            const at::Tensor places = at::tensor(with_numbers_, rows.options());
            const at::Tensor numbers = at::index_select(decisions.numbers * is_unknown, 1, places);
            sum = sum + at::mm(numbers, weight.narrow(0, 1, number_count));
        }
        return sum;
    }

    std::vector<std::int64_t> with_numbers_; ///< places of decisions whose values are numbers
};

} // namespace

std::shared_ptr<const Encoder> perceptron_encoder(DecisionInput input,
                                                  std::shared_ptr<const ConfigurationCodec> codec) {
    return std::make_shared<const PerceptronEncoder>(std::move(input), std::move(codec));
}

} // namespace sparsight
