#include "domains/blocks/learning/surrogate/surrogate_learning.h"

#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>
#include <utility>

namespace sparsight {
namespace {

/// A block with values of each of its instructions, and the cycles to be learned.
struct SurrogateExample {
    std::size_t block = 0; ///< among those that the surrogate reads
    ProcessorValues processor{};
    std::vector<std::vector<int>> values; ///< of each of its classes once, in the order of query_of()
    double cycles = 0;
};

at::Tensor float_tensor(std::vector<float>& values, std::int64_t rows) {
    return at::from_blob(values.data(), {rows, std::ssize(values) / std::max<std::int64_t>(rows, 1)},
                         at::kFloat)
        .clone();
}

/// The table as tensors of values: [classes, values] and [1, processor_parameters].
struct TableTensors {
    at::Tensor classes;
    at::Tensor processor;
};

template <typename ValueOf>
TableTensors tensors_of(const SimulatorTable& table, ValueOf value_of_place) {
    std::vector<float> classes;
    for (std::size_t place = 0; place < table.classes.size(); ++place)
        for (std::size_t value = 0; value < table.values_a_class(); ++value)
            classes.push_back(value_of_place(ParameterPlace{place, value}));
    std::vector<float> processor;
    for (std::size_t value = 0; value < processor_parameters; ++value)
        processor.push_back(value_of_place(ParameterPlace{ParameterPlace::of_processor, value}));
    return {float_tensor(classes, std::ssize(table.classes)), float_tensor(processor, 1)};
}

} // namespace

struct SurrogateLearning::Inputs {
    const TuningBlocks& blocks;
    BlockSimulator& simulator;
    SurrogateOptions options;
    ParameterSurrogate surrogate;
    std::vector<std::size_t> places;     ///< of the training blocks that the surrogate reads
    std::vector<SurrogateBlock> encoded; ///< of each of these

    [[nodiscard]] const TuningBlock& block(std::size_t number) const { return blocks.blocks[places[number]]; }

    [[nodiscard]] Result<std::vector<SurrogateExample>> simulate(const SimulatorTable& table, Random& random,
                                                                 const std::stop_token& stop) const {
        std::vector<SurrogateExample> examples(options.simulations > 0 ? options.simulations : places.size());
        std::vector<SimulationQuery> queries;
        for (SurrogateExample& each : examples) {
            each.block = random.below(places.size());
            each.processor = sample_processor(table, options.sampling, random);
            const TuningBlock& of = block(each.block);
            SimulationQuery query = query_of(of.code, of.classes, table);
            query.processor = each.processor;
            each.values.reserve(query.classes.size());
            for (auto& [place, values] : query.classes) {
                each.values.push_back(
                    sample_class(simulator.original(), table, place, options.sampling, random));
                values = &each.values.back();
            }
            queries.push_back(std::move(query));
        }
        const auto cycles = simulator.cycles(queries, usual_iterations, stop);
        if (!cycles)
            return std::unexpected(cycles.error());
        for (std::size_t at = 0; at < examples.size(); ++at)
            examples[at].cycles = (*cycles)[at].value_or(0);
        std::erase_if(examples, [](const SurrogateExample& each) { return each.cycles <= 0; });
        return examples;
    }

    [[nodiscard]] at::Tensor predict(const NamedTensors& network,
                                     std::span<const SurrogateExample* const> batch) const {
        std::vector<const SurrogateBlock*> read;
        std::vector<float> values;
        std::vector<float> processor;
        std::int64_t rows = 0;
        for (const SurrogateExample* const each : batch) {
            const TuningBlock& of = block(each->block);
            const auto query = query_of(of.code, of.classes, simulator.original());
            for (const std::size_t place : of.classes) {
                const auto found =
                    std::ranges::find(query.classes, place, &decltype(query.classes)::value_type::first);
                const auto& row = each->values[static_cast<std::size_t>(found - query.classes.begin())];
                values.insert(values.end(), row.begin(), row.end());
                ++rows;
            }
            processor.insert(processor.end(), each->processor.begin(), each->processor.end());
            read.push_back(&encoded[each->block]);
        }
        return surrogate.log_cycles(network, read, float_tensor(values, rows),
                                    float_tensor(processor, std::ssize(batch)));
    }

    /// One step on the examples; returns the error before it.
    double train_step(SurrogateState& state, std::span<const SurrogateExample* const> batch) const {
        std::vector<double> cycles;
        for (const SurrogateExample* const each : batch)
            cycles.push_back(each->cycles);
        const at::Tensor loss =
            relative_error(predict(state.network, batch), at::tensor(cycles).to(at::kFloat));
        std::vector<at::Tensor> gradients = torch::autograd::grad({loss}, state.network.tensors());
        constexpr double longest_gradient = 5;
        clip_gradients(gradients, longest_gradient);
        AdamStep step = adam_step({}, options.surrogate_rate, state.network, gradients, state.adam);
        state.network = std::move(step.parameters);
        state.adam = std::move(step.state);
        return loss.item<double>();
    }

    Result<double> train(SurrogateState& state, const std::vector<SurrogateExample>& examples, Random& random,
                         const std::stop_token& stop) const {
        std::vector<const SurrogateExample*> order;
        for (const SurrogateExample& each : examples)
            order.push_back(&each);
        double sum = 0;
        double steps = 0;
        for (int pass = 0; pass < options.passes; ++pass) {
            random.shuffle(order);
            for (std::size_t at = 0; at < order.size(); at += options.batch) {
                if (stop.stop_requested())
                    return fail(Fault::Cancelled, "stopped");
                const double error = train_step(
                    state, std::span(order).subspan(at, std::min(options.batch, order.size() - at)));
                if (pass == 0) {
                    sum += error;
                    ++steps;
                }
            }
        }
        return sum / std::max(steps, 1.0);
    }

    /// Which parameters may move: those of classes of the blocks; of a table that is near, no new resource.
    [[nodiscard]] TableTensors movable(const SimulatorTable& table) const {
        return tensors_of(table, [&](const ParameterPlace& place) {
            const bool is_free = place.scheduling_class == ParameterPlace::of_processor ||
                                 place.value <= Latency || options.sampling == TableSampling::Published ||
                                 value_of(table, place) != 0 || value_of(simulator.original(), place) != 0;
            return is_free ? 1.0F : 0.0F;
        });
    }

    /// DiffTune's parameters: the lower bound and an absolute value.
    [[nodiscard]] float lower_bound(const ParameterPlace& place) const {
        const int lower = parameter_bounds(simulator.original(), place).lower;
        const int before = value_of(simulator.original(), place);
        return static_cast<float>(place.scheduling_class != ParameterPlace::of_processor &&
                                          place.value >= FirstAdvance && place.value < FirstPort
                                      ? std::min(0, before)
                                      : lower);
    }

    [[nodiscard]] SimulatorTable rounded(const SimulatorTable& table, const TableTensors& values) const {
        SimulatorTable found = table;
        const auto classes = values.classes.contiguous();
        const auto processor = values.processor.contiguous();
        const auto valid = [&](const ParameterPlace& place, float value) {
            const ParameterBounds bounds = parameter_bounds(simulator.original(), place);
            return static_cast<int>(std::clamp(std::lround(value), static_cast<long>(bounds.lower),
                                               static_cast<long>(bounds.upper)));
        };
        const float* next = classes.data_ptr<float>();
        for (std::size_t place = 0; place < found.classes.size(); ++place) {
            for (std::size_t value = 0; value < found.values_a_class(); ++value)
                found.classes[place].values[value] = valid({place, value}, *next++);
            repair(simulator.original(), place, found.classes[place].values);
        }
        for (std::size_t value = 0; value < processor_parameters; ++value)
            found.processor[value] =
                valid({ParameterPlace::of_processor, value}, processor.data_ptr<float>()[value]);
        return found;
    }

    /// Random values of the classes of the blocks; the others stay as LLVM has them.
    [[nodiscard]] SimulatorTable random_table(Random& random) const {
        SimulatorTable table = simulator.original();
        table.processor = sample_processor(table, options.sampling, random);
        for (std::size_t place = 0; place < table.classes.size(); ++place)
            table.classes[place].values =
                sample_class(simulator.original(), simulator.original(), place, options.sampling, random);
        return table;
    }

    Result<void> learn_table(SurrogateRound& round, const NamedTensors& network, const SimulatorTable& start,
                             Random& random, const std::stop_token& stop) const;
};

Result<void> SurrogateLearning::Inputs::learn_table(SurrogateRound& round, const NamedTensors& network,
                                                    const SimulatorTable& start, Random& random,
                                                    const std::stop_token& stop) const {
    const TableTensors lower =
        tensors_of(start, [&](const ParameterPlace& place) { return lower_bound(place); });
    const TableTensors begin = tensors_of(
        start, [&](const ParameterPlace& place) { return static_cast<float>(value_of(start, place)); });
    const TableTensors mask = movable(start);
    const TableTensors reach = tensors_of(start, [&](const ParameterPlace& place) {
        return static_cast<float>(std::max(options.reach, std::abs(value_of(start, place)) / 4.0));
    });
    const bool is_bounded = options.sampling == TableSampling::AroundTable;
    NamedTensors theta = leaves(NamedTensors(
        {"classes", "processor"}, {begin.classes - lower.classes, begin.processor - lower.processor}));
    AdamState adam = initial_adam(theta);
    const auto values_of = [&](const NamedTensors& of) {
        return TableTensors{lower.classes + at::abs(of["classes"]),
                            lower.processor + at::abs(of["processor"])};
    };
    std::vector<std::size_t> order(places.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[at] = at;
    const std::size_t steps =
        static_cast<std::size_t>(options.table_passes) * ((order.size() + options.batch - 1) / options.batch);
    double sum = 0;
    double counted_steps = 0;
    std::size_t done = 0;
    for (int pass = 0; pass < options.table_passes; ++pass) {
        random.shuffle(order);
        for (std::size_t at = 0; at < order.size(); at += options.batch, ++done) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            std::vector<const SurrogateBlock*> read;
            std::vector<std::int64_t> rows;
            std::vector<double> measured;
            for (std::size_t each = at; each < std::min(at + options.batch, order.size()); ++each) {
                const TuningBlock& of = block(order[each]);
                read.push_back(&encoded[order[each]]);
                rows.insert(rows.end(), of.classes.begin(), of.classes.end());
                measured.push_back(of.cycles);
            }
            const TableTensors values = values_of(theta);
            const at::Tensor predicted =
                surrogate.log_cycles(network, read, at::index_select(values.classes, 0, at::tensor(rows)),
                                     values.processor.expand({std::ssize(read), -1}));
            const at::Tensor loss = relative_error(predicted, at::tensor(measured).to(at::kFloat));
            std::vector<at::Tensor> gradients = torch::autograd::grad({loss}, theta.tensors());
            gradients[0] = gradients[0] * mask.classes;
            gradients[1] = gradients[1] * mask.processor;
            AdamStep step = adam_step({}, options.table_rate, theta, gradients, adam);
            adam = std::move(step.state);
            theta = std::move(step.parameters);
            if (is_bounded) {
                const auto within = [](const at::Tensor& value, const at::Tensor& centre,
                                       const at::Tensor& far) {
                    return at::minimum(at::maximum(value.detach(), centre - far), centre + far);
                };
                theta = leaves(theta.with(
                    {within(theta["classes"], begin.classes - lower.classes, reach.classes),
                     within(theta["processor"], begin.processor - lower.processor, reach.processor)}));
            }
            if (done * 10 >= steps * 9) {
                sum += loss.item<double>();
                ++counted_steps;
            }
        }
    }
    const TableTensors found = values_of(theta);
    round.proposal = rounded(start, {found.classes.detach(), found.processor.detach()});
    round.training_error = sum / std::max(counted_steps, 1.0);
    return {};
}

SurrogateLearning::SurrogateLearning(std::unique_ptr<Inputs> inputs)
    : inputs_(std::move(inputs)) {}
SurrogateLearning::~SurrogateLearning() = default;

Result<std::unique_ptr<SurrogateLearning>> SurrogateLearning::make(const TuningBlocks& blocks,
                                                                   BlockSimulator& simulator,
                                                                   const DecodeBlocks& decode,
                                                                   const SurrogateOptions& options) {
    std::vector<std::size_t> places = blocks.of(TuningPart::Training);
    std::vector<MachineCode> codes;
    for (const std::size_t place : places)
        codes.push_back(blocks.blocks[place].code);
    const auto decoded = decode(codes);
    if (!decoded)
        return std::unexpected(decoded.error());
    std::vector<std::size_t> read;
    std::vector<std::span<const Instruction>> instructions;
    double logs = 0;
    for (std::size_t at = 0; at < places.size(); ++at) {
        const auto& block = (*decoded)[at];
        const TuningBlock& of = blocks.blocks[places[at]];
        // Where calls are left out, the classes are of other instructions.
        if (!block || block->instructions.size() != of.classes.size() ||
            of.classes.size() > options.most_instructions)
            continue;
        read.push_back(places[at]);
        instructions.emplace_back(block->instructions);
        logs += std::log(of.cycles);
    }
    if (read.empty())
        return fail(Fault::Input, "there is no training block that the surrogate can read");
    ParameterSurrogate surrogate({.tokens = surrogate_tokens(instructions),
                                  .width = options.width,
                                  .values_a_class = simulator.original().values_a_class(),
                                  .mean_log = logs / static_cast<double>(read.size())});
    std::vector<SurrogateBlock> encoded;
    for (const auto block : instructions)
        encoded.push_back(surrogate.encode(block));
    return std::unique_ptr<SurrogateLearning>(
        new SurrogateLearning(std::make_unique<Inputs>(Inputs{.blocks = blocks,
                                                              .simulator = simulator,
                                                              .options = options,
                                                              .surrogate = std::move(surrogate),
                                                              .places = std::move(read),
                                                              .encoded = std::move(encoded)})));
}

const ParameterSurrogate& SurrogateLearning::surrogate() const {
    return inputs_->surrogate;
}

SurrogateState SurrogateLearning::initial_state() const {
    SurrogateState state;
    state.network = to_tensors(draw_weights(inputs_->surrogate.parameters(), inputs_->options.seed), true);
    state.adam = initial_adam(state.network);
    return state;
}

Result<SurrogateRound> SurrogateLearning::run_round(SurrogateState& state, const SimulatorTable& table,
                                                    const std::stop_token& stop) const {
    return guarded([&]() -> Result<SurrogateRound> {
        const SurrogateOptions& options = inputs_->options;
        Random random = Random(options.seed).fork(static_cast<std::uint64_t>(state.rounds));
        const auto examples = inputs_->simulate(table, random, stop);
        if (!examples)
            return std::unexpected(examples.error());
        SurrogateState next = state;
        const auto error = inputs_->train(next, *examples, random, stop);
        if (!error)
            return std::unexpected(error.error());
        SurrogateRound round{.surrogate_error = *error};
        ++next.rounds;
        const bool is_published = options.sampling == TableSampling::Published;
        if (!is_published || next.rounds == options.rounds) {
            const SimulatorTable start = is_published ? inputs_->random_table(random) : table;
            if (auto learned = inputs_->learn_table(round, next.network, start, random, stop); !learned)
                return std::unexpected(std::move(learned).error());
        }
        state = std::move(next);
        return round;
    });
}

} // namespace sparsight
