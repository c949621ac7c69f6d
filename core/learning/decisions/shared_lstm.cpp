#include "learning/decisions/shared_lstm.h"

#include "learning/decisions/lstm_step.h"
#include "model/networks/encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

constexpr std::size_t directions = 2;
constexpr auto state_width = static_cast<std::int64_t>(lstm_width);
constexpr std::size_t token_width = 2 * lstm_width;

/// Rows whose sequences are looked for together.
constexpr std::int64_t most_rows = 2048;
/// Rows whose states stay in the cache through the layers; a multiple of those of a step.
constexpr std::size_t cached_rows = 192;

float* numbers_of(const at::Tensor& tensor) {
    return tensor.data_ptr<float>();
}

/// What rows read as one token: few different choices.
struct Choices {
    std::vector<std::uint32_t> of_row;
    at::Tensor inputs; ///< [choices, inputs of the first layer]
};

/// The place of the token is behind the embedding of its value and its number.
at::Tensor with_place(const NamedTensors& parameters, const at::Tensor& read, std::int64_t token) {
    const at::Tensor place = parameters["places.weight"].narrow(0, token, 1);
    return at::cat({read, place.expand({read.size(0), place.size(1)})}, 1);
}

Choices choices_of(const NamedTensors& parameters, const DecisionTensors& decisions, std::int64_t decision) {
    const std::int64_t count = decisions.numbers.size(0);
    const at::Tensor& table = parameters["values.weight"];
    const auto* const values = decisions.values.data_ptr<std::int64_t>();
    const auto* const known = decisions.known.data_ptr<float>();
    const auto* const numbers = decisions.numbers.data_ptr<float>();
    const std::int64_t width = decisions.numbers.size(1);
    std::map<std::pair<std::int64_t, std::uint32_t>, std::uint32_t> places;
    std::vector<std::int64_t> first_rows; ///< with each choice
    Choices choices;
    std::pair<std::int64_t, std::uint32_t> last;
    for (std::int64_t row = 0; row < count; ++row) {
        const std::int64_t at = row * width + decision;
        const std::pair key(known[at] > 0 ? values[at] : -1, std::bit_cast<std::uint32_t>(numbers[at]));
        if (row > 0 && key == last) { // spaces are sorted
            choices.of_row.push_back(choices.of_row.back());
            continue;
        }
        last = key;
        const auto [found, is_new] = places.try_emplace(key, static_cast<std::uint32_t>(places.size()));
        if (is_new)
            first_rows.push_back(row);
        choices.of_row.push_back(found->second);
    }
    const std::int64_t embedded = table.size(1);
    const at::Tensor read = at::empty({std::ssize(first_rows), embedded + 1}, table.options());
    for (std::size_t choice = 0; choice < first_rows.size(); ++choice) {
        const std::int64_t at = first_rows[choice] * width + decision;
        float* const row = numbers_of(read) + static_cast<std::int64_t>(choice) * (embedded + 1);
        for (std::int64_t k = 0; k < embedded; ++k)
            row[k] = known[at] > 0 ? numbers_of(table)[values[at] * embedded + k] : 0;
        row[embedded] = numbers[at];
    }
    choices.inputs = with_place(parameters, read, decision + 1);
    return choices;
}

std::vector<Choices> tokens_of(const NamedTensors& parameters, const DecisionTensors& decisions) {
    const at::Tensor& places = parameters["places.weight"];
    const auto count = static_cast<std::size_t>(decisions.numbers.size(0));
    std::vector<Choices> tokens;
    tokens.push_back({std::vector<std::uint32_t>(count, 0),
                      with_place(parameters, at::zeros({1, places.size(1) + 1}, places.options()), 0)});
    for (std::int64_t decision = 0; decision < decisions.numbers.size(1); ++decision)
        tokens.push_back(choices_of(parameters, decisions, decision));
    return tokens;
}

LstmWeights weights_of(const NamedTensors& parameters, const std::string& name, bool reads_input,
                       VectorInstructions instructions) {
    return {reads_input ? parameters[name + ".token.weight"] : at::Tensor(),
            parameters[name + ".state.weight"], instructions};
}

std::string lstm_name(std::size_t layer, std::size_t direction) {
    return fmt::format("lstm.{}.{}", layer, direction == 0 ? "forward" : "backward");
}

/// The states of one direction of the first layer: one for each sequence of tokens that ends at a token.
struct SharedStates {
    std::vector<std::vector<std::uint32_t>> of_row; ///< [token][row]
    std::vector<at::Tensor> states;                 ///< of each token: [sequences, lstm_width]
};

SharedStates first_layer(const NamedTensors& parameters, const std::vector<Choices>& tokens,
                         std::size_t direction, VectorInstructions instructions) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    const std::string name = lstm_name(0, direction);
    const LstmWeights weights = weights_of(parameters, name, false, instructions);
    const std::size_t count = tokens.front().of_row.size();
    SharedStates shared{std::vector<std::vector<std::uint32_t>>(tokens.size()),
                        std::vector<at::Tensor>(tokens.size())};
    std::vector<std::uint32_t> before(count, 0);
    std::size_t sequences_before = 1;
    at::Tensor state;
    at::Tensor cell;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const std::size_t token = direction == 0 ? at : tokens.size() - 1 - at;
        const Choices& choices = tokens[token];
        const auto choice_count = static_cast<std::size_t>(choices.inputs.size(0));
        const at::Tensor starts = linear(parameters, name + ".token", choices.inputs);
        std::vector<std::uint32_t> places(sequences_before * choice_count, none);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> sequences; ///< what was before, choice
        std::vector<std::uint32_t>& of_row = shared.of_row[token];
        of_row.reserve(count);
        for (std::size_t row = 0; row < count; ++row) {
            std::uint32_t& place = places[before[row] * choice_count + choices.of_row[row]];
            if (place == none) {
                place = static_cast<std::uint32_t>(sequences.size());
                sequences.emplace_back(before[row], choices.of_row[row]);
            }
            of_row.push_back(place);
        }
        const at::Tensor new_state = at::empty({std::ssize(sequences), state_width}, starts.options());
        const at::Tensor new_cell = at::empty({std::ssize(sequences), state_width}, starts.options());
        LstmRows rows;
        for (std::size_t sequence = 0; sequence < sequences.size(); ++sequence) {
            const auto [earlier, choice] = sequences[sequence];
            rows.starts.push_back(numbers_of(starts) + choice * 4 * lstm_width);
            if (state.defined()) {
                rows.states.push_back(numbers_of(state) + earlier * lstm_width);
                rows.cells.push_back(numbers_of(cell) + earlier * lstm_width);
            }
            rows.new_states.push_back(numbers_of(new_state) + sequence * lstm_width);
            rows.new_cells.push_back(numbers_of(new_cell) + sequence * lstm_width);
        }
        lstm_step(weights, rows);
        shared.states[token] = state = new_state;
        cell = new_cell;
        before = of_row;
        sequences_before = sequences.size();
    }
    return shared;
}

/// What the second layer adds up before its own state: the products with the states of both directions.
struct SecondStarts {
    std::array<std::vector<at::Tensor>, directions> of_first{}; ///< [direction of the first layer][token]
};

SecondStarts second_starts(const NamedTensors& parameters, std::size_t direction,
                           const std::array<SharedStates, directions>& first) {
    const std::string name = lstm_name(1, direction) + ".token";
    const at::Tensor& weight = parameters[name + ".weight"];
    SecondStarts starts;
    for (std::size_t token = 0; token < first[0].states.size(); ++token) {
        starts.of_first[0].push_back(
            at::linear(first[0].states[token], weight.narrow(1, 0, state_width), parameters[name + ".bias"]));
        starts.of_first[1].push_back(
            at::linear(first[1].states[token], weight.narrow(1, state_width, state_width)));
    }
    return starts;
}

/// The layers behind the first one, and the heads, of a block of rows that share the first layer.
class LaterLayers {
public:
    LaterLayers(const NamedTensors& parameters, const std::array<SharedStates, directions>& first,
                VectorInstructions instructions)
        : parameters_(parameters)
        , first_(first)
        , tokens_(first[0].states.size())
        , instructions_(instructions)
        , second_(tokens_ * cached_rows * token_width)
        , third_(tokens_ * cached_rows * token_width)
        , cells_(cached_rows * lstm_width) {
        for (std::size_t direction = 0; direction < directions; ++direction) {
            starts_.push_back(second_starts(parameters, direction, first));
            second_weights_.push_back(weights_of(parameters, lstm_name(1, direction), false, instructions));
            third_weights_.push_back(weights_of(parameters, lstm_name(2, direction), true, instructions));
        }
    }

    /// [count, token_width]: what the heads saw.
    [[nodiscard]] at::Tensor run(std::size_t first, std::size_t count) {
        for (std::size_t direction = 0; direction < directions; ++direction) {
            second_layer(direction, first, count);
        }
        for (std::size_t direction = 0; direction < directions; ++direction)
            third_layer(direction, count);
        return heads(count);
    }

private:
    [[nodiscard]] float* second(std::size_t token, std::size_t row, std::size_t direction) {
        return second_.data() + (token * cached_rows + row) * token_width + direction * lstm_width;
    }
    /// The heads read all tokens of a row one after the other.
    [[nodiscard]] float* third(std::size_t token, std::size_t row, std::size_t direction) {
        return third_.data() + (row * tokens_ + token) * token_width + direction * lstm_width;
    }
    /// The tokens in the order of a direction, from `at` on.
    [[nodiscard]] std::size_t token_at(std::size_t at, std::size_t direction) const {
        return direction == 0 ? at : tokens_ - 1 - at;
    }

    void second_layer(std::size_t direction, std::size_t first, std::size_t count) {
        const SecondStarts& starts = starts_[direction];
        for (std::size_t at = 0; at < tokens_; ++at) {
            const std::size_t token = token_at(at, direction);
            rows_ = {};
            for (std::size_t row = 0; row < count; ++row) {
                const auto start_of = [&](std::size_t of) {
                    return numbers_of(starts.of_first[of][token]) +
                           first_[of].of_row[token][first + row] * 4 * lstm_width;
                };
                rows_.starts.push_back(start_of(0));
                rows_.others.push_back(start_of(1));
                if (at > 0)
                    rows_.states.push_back(second(token_at(at - 1, direction), row, direction));
                rows_.new_states.push_back(second(token, row, direction));
            }
            step(second_weights_[direction], at, count);
        }
    }

    void third_layer(std::size_t direction, std::size_t count) {
        const float* const bias = numbers_of(parameters_[lstm_name(2, direction) + ".token.bias"]);
        for (std::size_t at = 0; at < tokens_; ++at) {
            const std::size_t token = token_at(at, direction);
            rows_ = {};
            for (std::size_t row = 0; row < count; ++row) {
                rows_.starts.push_back(bias);
                rows_.inputs.push_back(second(token, row, 0));
                if (at > 0)
                    rows_.states.push_back(third(token_at(at - 1, direction), row, direction));
                rows_.new_states.push_back(third(token, row, direction));
            }
            step(third_weights_[direction], at, count);
        }
    }

    void step(const LstmWeights& weights, std::size_t at, std::size_t count) {
        for (std::size_t row = 0; row < count; ++row) {
            rows_.new_cells.push_back(cells_.data() + row * lstm_width);
            if (at > 0)
                rows_.cells.push_back(cells_.data() + row * lstm_width);
        }
        lstm_step(weights, rows_);
    }

    /// Products with queries are the same for keys of tokens and tokens themselves, if the query is
    /// multiplied by the weights of the keys; their bias is the same for all tokens, so that the softmax does
    /// not change by it. Likewise the mean of values is the value of the mean.
    [[nodiscard]] at::Tensor heads(std::size_t count) {
        constexpr int unrolled_steps = 2;
        const auto rows = static_cast<std::int64_t>(count);
        constexpr auto width = static_cast<std::int64_t>(token_width);
        const at::Tensor& key = parameters_["attention.key.weight"];
        const at::Tensor& value = parameters_["attention.value.weight"];
        const auto of_head = [](const at::Tensor& weights, std::int64_t head) {
            return weights.narrow(0, head * state_width, state_width);
        };
        at::Tensor state =
            at::from_blob(third_.data(), {rows, static_cast<std::int64_t>(tokens_), width}, at::kFloat)
                .mean(1);
        const at::Tensor means = at::empty({rows, 2, width}, state.options());
        for (int at = 0; at < unrolled_steps; ++at) {
            const at::Tensor query = linear(parameters_, "attention.query", state);
            std::vector<at::Tensor> queries;
            for (const std::int64_t head : {0, 1})
                queries.push_back(
                    at::mm(query.narrow(1, head * state_width, state_width), of_head(key, head)));
            const at::Tensor both = at::stack(queries, 1) / std::sqrt(static_cast<double>(state_width));
            attend_to_tokens(third_.data(), numbers_of(both), count, tokens_, numbers_of(means),
                             instructions_);
            std::vector<at::Tensor> found;
            for (const std::int64_t head : {0, 1})
                found.push_back(at::linear(means.select(1, head), of_head(value, head),
                                           of_head(parameters_["attention.value.bias"], head)));
            state = state + linear(parameters_, "attention.out", at::cat(found, 1));
        }
        return state;
    }

    const NamedTensors& parameters_;
    const std::array<SharedStates, directions>& first_;
    std::size_t tokens_;
    VectorInstructions instructions_;
    std::vector<SecondStarts> starts_;
    std::vector<LstmWeights> second_weights_;
    std::vector<LstmWeights> third_weights_;
    std::vector<float> second_;
    std::vector<float> third_;
    std::vector<float> cells_;
    LstmRows rows_;
};

} // namespace

at::Tensor read_shared_decisions(const NamedTensors& parameters, const DecisionTensors& decisions,
                                 VectorInstructions instructions) {
    const std::int64_t all = decisions.numbers.size(0);
    std::vector<at::Tensor> seen;
    for (std::int64_t begin = 0; begin < all; begin += most_rows) {
        const std::int64_t size = std::min(most_rows, all - begin);
        const auto part = [&](const at::Tensor& of) { return of.narrow(0, begin, size).contiguous(); };
        const std::vector<Choices> tokens =
            tokens_of(parameters, {part(decisions.values), part(decisions.known), part(decisions.numbers)});
        const std::array first{first_layer(parameters, tokens, 0, instructions),
                               first_layer(parameters, tokens, 1, instructions)};
        LaterLayers later(parameters, first, instructions);
        for (std::size_t row = 0; row < static_cast<std::size_t>(size); row += cached_rows)
            seen.push_back(later.run(row, std::min(cached_rows, static_cast<std::size_t>(size) - row)));
    }
    return seen.empty() ? at::empty({0, static_cast<std::int64_t>(token_width)}, at::kFloat)
                        : at::cat(seen, 0);
}

} // namespace sparsight
