#include "learning/decisions/perceptron_encoder.h"

#include "learning/decisions/decision_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
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
        std::vector<at::Tensor> read{at::ones({decisions.numbers.size(0), 1}, decisions.numbers.options())};
        if (!with_numbers_.empty())
            read.push_back(at::index_select(
                decisions.numbers, 1, at::tensor(with_numbers_, at::kLong).to(decisions.numbers.device())));
        if (!input().decisions.empty())
            read.push_back(embed_values(parameters, decisions).flatten(1));
        return perceptron(parameters, "decisions", at::cat(read, 1));
    }

    std::vector<std::int64_t> with_numbers_; ///< places of decisions whose values are numbers
};

} // namespace

std::shared_ptr<const Encoder> perceptron_encoder(DecisionInput input,
                                                  std::shared_ptr<const ConfigurationCodec> codec) {
    return std::make_shared<const PerceptronEncoder>(std::move(input), std::move(codec));
}

} // namespace sparsight
