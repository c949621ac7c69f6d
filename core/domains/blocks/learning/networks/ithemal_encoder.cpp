#include "domains/blocks/learning/networks/ithemal_encoder.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/code/dependencies.h"
#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/learning/networks/learned_facts.h"
#include "domains/blocks/learning/networks/recurrent_levels.h"
#include "domains/blocks/learning/networks/token_sequence.h"
#include "model/checkpoints/json_fields.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/index_select.h>
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <utility>

namespace sparsight {
namespace {

constexpr int largest_width = 4096;

/// Instructions as places of tokens, one after the other.
class EncodedBlock final : public EncodedWorkload {
public:
    void add(std::span<const std::int64_t> tokens) {
        tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
        ends_.push_back(tokens_.size());
    }
    /// The input of its steps is left at 0.
    void set_graph(std::vector<GraphStep> graph, std::vector<std::size_t> unread) {
        graph_ = std::move(graph);
        unread_ = std::move(unread);
    }

    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] std::span<const std::int64_t> tokens(std::size_t instruction) const {
        const std::size_t begin = instruction == 0 ? 0 : ends_[instruction - 1];
        return std::span(tokens_).subspan(begin, ends_[instruction] - begin);
    }
    [[nodiscard]] const std::vector<GraphStep>& graph() const { return graph_; }
    /// The instructions whose results no other instruction reads.
    [[nodiscard]] const std::vector<std::size_t>& unread() const { return unread_; }

    [[nodiscard]] std::int64_t kept_size() const override {
        std::size_t numbers = tokens_.size() + ends_.size() + unread_.size();
        for (const GraphStep& step : graph_)
            numbers += 5 + step.predecessors.size();
        return 1 + static_cast<std::int64_t>(numbers * sizeof(std::int64_t) / 100);
    }

private:
    std::vector<std::int64_t> tokens_;
    std::vector<std::size_t> ends_; ///< of each instruction among the tokens
    std::vector<GraphStep> graph_;
    std::vector<std::size_t> unread_;
};

void add_dependencies(EncodedBlock& block, std::span<const Instruction> instructions) {
    std::vector<GraphStep> graph(instructions.size());
    std::vector<bool> is_read(instructions.size(), false);
    for (const Dependency& each : dependencies_of(instructions)) { // by the later instruction
        if (each.kind != DependencyKind::ReadAfterWrite)
            continue;
        GraphStep& step = graph[each.to];
        step.predecessors.push_back(each.from);
        step.level = std::max(step.level, graph[each.from].level + 1);
        is_read[each.from] = true;
    }
    std::vector<std::size_t> unread;
    for (std::size_t at = 0; at < instructions.size(); ++at)
        if (!is_read[at])
            unread.push_back(at);
    block.set_graph(std::move(graph), std::move(unread));
}

/// Numbers different values in the order in which they first occur.
class Numbering {
public:
    std::int64_t of(std::size_t value) {
        const auto [found, is_new] = numbers_.try_emplace(value, std::ssize(values_));
        if (is_new)
            values_.push_back(value);
        return found->second;
    }
    [[nodiscard]] const std::vector<std::size_t>& values() const { return values_; }

private:
    std::unordered_map<std::size_t, std::int64_t> numbers_;
    std::vector<std::size_t> values_;
};

/// The instructions of all blocks.
struct BatchInstructions {
    at::Tensor embeddings;                       ///< [different instructions, width]
    std::vector<std::vector<std::int64_t>> rows; ///< of each block: those of its instructions
};

class IthemalEncoder final : public BatchEncoder {
public:
    explicit IthemalEncoder(IthemalDescription description)
        : description_(std::move(description)) {
        for (const std::string& token : description_.tokens)
            tokens_.try_emplace(token, static_cast<std::int64_t>(tokens_.size()));
    }

    [[nodiscard]] ModelArchitecture architecture() const override { return architecture_of(description_); }
    [[nodiscard]] std::vector<NetworkParameter> parameters() const override {
        const std::int64_t width = description_.width;
        std::vector<NetworkParameter> list;
        list.push_back({{"tokens.weight", {std::ssize(description_.tokens), width}}, Initial::Normal, 1});
        add_lstm(list, "token_lstm", width, width);
        add_lstm(list, "instruction_lstm", width, width);
        for (std::size_t place = 0; place < description_.machines.size(); ++place)
            add_linear(list, fmt::format("output.{}", place), 1, width);
        return list;
    }

    [[nodiscard]] bool reads_machine() const override { return true; }
    [[nodiscard]] std::vector<float> machine_numbers(const MachineDescription& machine) const override {
        return {place_of_machine(description_.machines, machine.name)};
    }

    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double>, const EncodingOptions&) const override {
        const auto& instructions = static_cast<const BlockPayload*>(payload)->block().instructions;
        auto encoded = std::make_shared<EncodedBlock>();
        for (const Instruction& instruction : instructions) {
            std::vector<std::int64_t> places;
            for (const std::string& token : token_sequence(instruction)) {
                const auto found = tokens_.find(token);
                places.push_back(found == tokens_.end() ? 0 : found->second);
            }
            encoded->add(places);
        }
        if (description_.is_dag)
            add_dependencies(*encoded, instructions);
        return encoded;
    }

    [[nodiscard]] at::Tensor score_batch(const NamedTensors& parameters, EncodedWorkloads workloads,
                                         const at::Tensor& machine) const override {
        std::vector<const EncodedBlock*> blocks;
        for (const EncodedWorkload* const each : workloads)
            blocks.push_back(static_cast<const EncodedBlock*>(each));
        const BatchInstructions instructions = read_instructions(parameters, blocks);
        const at::Tensor found = description_.is_dag ? read_graphs(parameters, blocks, instructions)
                                                     : read_sequences(parameters, instructions);
        const auto place = machine.defined() ? static_cast<int>(machine.item<float>()) : 0;
        return linear(parameters, fmt::format("output.{}", place), found).squeeze(1) + description_.mean_log;
    }

private:
    /// Each instruction of the batch once, however many blocks have it.
    [[nodiscard]] static BatchInstructions read_instructions(const NamedTensors& parameters,
                                                             std::span<const EncodedBlock* const> blocks) {
        Numbering tokens;
        SequenceLevels sequences;
        Numbering instructions; // by the number of their sequence
        BatchInstructions batch;
        std::vector<std::int64_t> sequence;
        for (const EncodedBlock* const block : blocks) {
            auto& rows = batch.rows.emplace_back();
            for (std::size_t at = 0; at < block->size(); ++at) {
                sequence.clear();
                for (const std::int64_t token : block->tokens(at))
                    sequence.push_back(tokens.of(static_cast<std::size_t>(token)));
                rows.push_back(instructions.of(sequences.add(sequence)));
            }
        }
        const at::Tensor& embeddings = parameters["tokens.weight"];
        const std::vector<std::int64_t> places(tokens.values().begin(), tokens.values().end());
        const at::Tensor states = lstm_states(
            parameters, "token_lstm", at::index_select(embeddings, 0, index_tensor(places, embeddings)),
            sequences.levels());
        batch.embeddings =
            at::index_select(states, 0, index_tensor(sequences.steps(instructions.values()), embeddings));
        return batch;
    }

    /// [blocks, width]: the last state of each block.
    [[nodiscard]] static at::Tensor read_sequences(const NamedTensors& parameters,
                                                   const BatchInstructions& instructions) {
        SequenceLevels sequences;
        std::vector<std::size_t> ends;
        for (const std::vector<std::int64_t>& rows : instructions.rows)
            ends.push_back(sequences.add(rows));
        const at::Tensor states =
            lstm_states(parameters, "instruction_lstm", instructions.embeddings, sequences.levels());
        return at::index_select(states, 0, index_tensor(sequences.steps(ends), states));
    }

    /// [blocks, width]: the maximum of the states of each block that no other instruction reads.
    [[nodiscard]] static at::Tensor read_graphs(const NamedTensors& parameters,
                                                std::span<const EncodedBlock* const> blocks,
                                                const BatchInstructions& instructions) {
        std::vector<GraphStep> graph;
        std::size_t most_unread = 1;
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            const std::size_t first = graph.size();
            for (std::size_t at = 0; at < blocks[block]->size(); ++at) {
                GraphStep& step = graph.emplace_back(blocks[block]->graph()[at]);
                step.input = instructions.rows[block][at];
                for (std::size_t& predecessor : step.predecessors)
                    predecessor += first;
            }
            most_unread = std::max(most_unread, blocks[block]->unread().size());
        }
        const GraphLevels levels = graph_levels(graph);
        std::vector<std::int64_t> ends; // [blocks, most_unread]; where there are fewer, the last one repeats
        std::size_t first = 0;
        for (const EncodedBlock* const block : blocks) {
            const std::vector<std::size_t>& unread = block->unread();
            for (std::size_t at = 0; at < most_unread; ++at)
                ends.push_back(
                    unread.empty() ? 0 : levels.steps[first + unread[std::min(at, unread.size() - 1)]]);
            first += block->size();
        }
        const at::Tensor states =
            lstm_states(parameters, "instruction_lstm", instructions.embeddings, levels.levels);
        return at::amax(at::index_select(states, 0, index_tensor(ends, states))
                            .view({std::ssize(blocks), static_cast<std::int64_t>(most_unread), -1}),
                        1);
    }

    IthemalDescription description_;
    std::unordered_map<std::string, std::int64_t> tokens_;
};

} // namespace

IthemalDescription fit_ithemal(const TaskSet& tasks, std::span<const std::size_t> workloads, bool is_dag,
                               int width) {
    return {.machines = learned_machines(tasks),
            .tokens = learned_words(tasks, workloads,
                                    [](std::span<const Instruction> block) {
                                        std::set<std::string> words;
                                        for (const Instruction& each : block)
                                            for (std::string& token : token_sequence(each))
                                                words.insert(std::move(token));
                                        return words;
                                    }),
            .width = width,
            .is_dag = is_dag,
            .mean_log = mean_log_time(tasks, workloads)};
}

ModelArchitecture architecture_of(const IthemalDescription& description) {
    const OrderedJson json{{"machines", description.machines},
                           {"tokens", description.tokens},
                           {"width", description.width},
                           {"mean_log", description.mean_log}};
    return {std::string(description.is_dag ? ithemal_dag_architecture : ithemal_architecture), json.dump(),
            std::string(blocks_domain)};
}

Result<IthemalDescription> read_ithemal(const ModelArchitecture& architecture) {
    if (architecture.domain != blocks_domain)
        return fail(Fault::Input,
                    fmt::format("domain is {:?}, expected {:?}", architecture.domain, blocks_domain));
    const bool is_dag = architecture.name == ithemal_dag_architecture;
    if (!is_dag && architecture.name != ithemal_architecture)
        return fail(Fault::Input, fmt::format("architecture is {:?}, expected {:?} or {:?}",
                                              architecture.name.substr(0, 40), ithemal_architecture,
                                              ithemal_dag_architecture));
    try {
        const auto json = OrderedJson::parse(architecture.input, nullptr, /*allow_exceptions=*/false);
        return IthemalDescription{.machines = json_names(json, "machines"),
                                  .tokens = json_names(json, "tokens"),
                                  .width = json_count(json, "width", largest_width),
                                  .is_dag = is_dag,
                                  .mean_log = json_field<double>(json, "mean_log")};
    } catch (const JsonDefect& defect) {
        return fail(Fault::Input, defect.text);
    }
}

std::shared_ptr<const BatchEncoder> ithemal_encoder(IthemalDescription description) {
    return std::make_shared<const IthemalEncoder>(std::move(description));
}

} // namespace sparsight
