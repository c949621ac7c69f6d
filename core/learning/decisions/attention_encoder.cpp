#include "learning/decisions/attention_encoder.h"

#include "learning/decisions/decision_network.h"
#include "learning/decisions/shared_lstm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <array>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

constexpr int layers = 3;
constexpr int heads = 2;
constexpr int unrolled_steps = 2;
constexpr std::int64_t state_width = 32; ///< of the LSTM, in each direction
constexpr std::int64_t token_width = 2 * state_width;
constexpr std::array<std::string_view, 2> directions{"forward", "backward"};

std::string lstm_name(int layer, std::size_t direction) {
    return fmt::format("lstm.{}.{}", layer, directions[direction]);
}

/// The states of a bidirectional LSTM (Hochreiter and Schmidhuber, Neural Computation 1997) over the tokens,
/// which stand in the first dimension: [tokens, n, token_width]. LibTorch's own cannot be differentiated
/// twice everywhere, as meta-learning of second order needs. Both directions take each step together, as the
/// time of small tensors goes into the number of operations.
at::Tensor lstm_states(const NamedTensors& parameters, int layer, const at::Tensor& tokens) {
    const std::string forward = lstm_name(layer, 0);
    const std::string backward = lstm_name(layer, 1);
    const at::Tensor read = at::stack({linear(parameters, forward + ".token", tokens),
                                       linear(parameters, backward + ".token", tokens.flip(0))},
                                      1); // [tokens, directions, n, gates]
    const at::Tensor weights =
        at::stack({parameters[forward + ".state.weight"].t(), parameters[backward + ".state.weight"].t()});
    at::Tensor state;
    at::Tensor cell;
    std::vector<at::Tensor> states;
    for (const at::Tensor& of_token : read.unbind()) {
        const at::Tensor gates = state.defined() ? at::baddbmm(of_token, state, weights) : of_token;
        const std::vector<at::Tensor> open = at::sigmoid(gates).chunk(4, 2); // input, forget, new, output
        const at::Tensor added = open[0] * at::tanh(gates.narrow(2, 2 * state_width, state_width));
        cell = cell.defined() ? at::addcmul(added, open[1], cell) : added;
        state = open[3] * at::tanh(cell);
        states.push_back(state);
    }
    const at::Tensor found = at::stack(states);
    return at::cat({found.select(1, 0), found.select(1, 1).flip(0)}, 2);
}

/// [n, token_width]: what the heads saw of [n, tokens, token_width].
at::Tensor attend(const NamedTensors& parameters, const at::Tensor& tokens) {
    const std::int64_t count = tokens.size(0);
    const std::int64_t width = token_width / heads;
    const auto by_heads = [&](const at::Tensor& of) {
        return of.view({count, -1, heads, width}).transpose(1, 2); // [n, heads, tokens or 1, width]
    };
    const at::Tensor keys = by_heads(linear(parameters, "attention.key", tokens));
    const at::Tensor seen = by_heads(linear(parameters, "attention.value", tokens));
    at::Tensor state = tokens.mean(1);
    for (int step = 0; step < unrolled_steps; ++step) {
        const at::Tensor query = by_heads(linear(parameters, "attention.query", state).unsqueeze(1));
        const at::Tensor weights =
            at::softmax(at::matmul(query, keys.transpose(2, 3)) / std::sqrt(static_cast<double>(width)), 3);
        const at::Tensor found = at::matmul(weights, seen).transpose(1, 2).reshape({count, token_width});
        state = state + linear(parameters, "attention.out", found);
    }
    return state;
}

class AttentionEncoder final : public DecisionNetwork {
public:
    AttentionEncoder(DecisionInput decisions, std::shared_ptr<const ConfigurationCodec> codec)
        : DecisionNetwork(std::move(decisions), std::move(codec)) {}

private:
    [[nodiscard]] std::string_view name() const override { return attention_architecture; }
    /// The decisions, and one in front that says nothing, so that there is one.
    [[nodiscard]] std::int64_t tokens() const { return 1 + std::ssize(input().decisions); }

    void add_configuration_parameters(std::vector<NetworkParameter>& list) const override {
        list.push_back({{"places.weight", {tokens(), value_width}}, Initial::Normal, 1});
        for (int layer = 0; layer < layers; ++layer)
            for (std::size_t direction = 0; direction < directions.size(); ++direction) {
                const std::string lstm = lstm_name(layer, direction);
                const std::int64_t read = layer == 0 ? 2 * value_width + 1 : token_width;
                add_linear(list, lstm + ".token", 4 * state_width, read);
                list.push_back({{lstm + ".state.weight", {4 * state_width, state_width}},
                                Initial::Uniform,
                                state_width});
            }
        for (const char* const part : {"key", "value", "query", "out"})
            add_linear(list, fmt::format("attention.{}", part), token_width, token_width);
        add_linear(list, "decisions", embedding_width, token_width);
    }

    [[nodiscard]] at::Tensor embed_decisions(const NamedTensors& parameters,
                                             const DecisionTensors& decisions) const override {
        const bool is_shared = !c10::GradMode::is_enabled() && decisions.numbers.is_cpu() &&
                               decisions.numbers.scalar_type() == at::kFloat;
        const at::Tensor seen = is_shared ? read_shared_decisions(parameters, decisions)
                                          : attend(parameters, states_of(parameters, decisions));
        return linear(parameters, "decisions", at::relu(seen));
    }

    /// [n, tokens, token_width]
    [[nodiscard]] at::Tensor states_of(const NamedTensors& parameters,
                                       const DecisionTensors& decisions) const {
        const std::int64_t count = decisions.numbers.size(0);
        const at::Tensor places =
            parameters["places.weight"].unsqueeze(1).expand({tokens(), count, value_width});
        at::Tensor read = at::zeros({1, count, value_width + 1}, places.options());
        if (!input().decisions.empty()) {
            const at::Tensor values =
                at::cat({embed_values(parameters, decisions), decisions.numbers.unsqueeze(2)}, 2);
            read = at::cat({read, values.transpose(0, 1)}, 0);
        }
        at::Tensor found = at::cat({read, places}, 2);
        for (int layer = 0; layer < layers; ++layer)
            found = lstm_states(parameters, layer, found);
        return found.transpose(0, 1);
    }
};

} // namespace

std::shared_ptr<const Encoder> attention_encoder(DecisionInput input,
                                                 std::shared_ptr<const ConfigurationCodec> codec) {
    return std::make_shared<const AttentionEncoder>(std::move(input), std::move(codec));
}

} // namespace sparsight
