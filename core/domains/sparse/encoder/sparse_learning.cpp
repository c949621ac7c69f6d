#include "domains/sparse/encoder/sparse_learning.h"

#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/sparse_physics.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/networks/gray_box.h"

#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {
namespace {

class EncodedMatrix final : public EncodedWorkload {
public:
    explicit EncodedMatrix(MatrixInput input)
        : input_(std::move(input)) {}

    [[nodiscard]] std::int64_t kept_size() const override {
        return input_.pyramid ? input_.pyramid->coordinate_count() : 0;
    }
    [[nodiscard]] const MatrixInput& input() const { return input_; }

private:
    MatrixInput input_;
};

class EncodedSchedules final : public EncodedConfigurations {
public:
    explicit EncodedSchedules(ScheduleInput input)
        : input_(std::move(input)) {}

    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    select(std::span<const std::size_t> rows) const override {
        const std::vector<std::int64_t> places(rows.begin(), rows.end());
        const at::Tensor index = at::tensor(places, at::kLong).to(input_.categories.device());
        return std::make_shared<const EncodedSchedules>(ScheduleInput{
            at::index_select(input_.categories, 1, index), at::index_select(input_.orders, 0, index)});
    }
    [[nodiscard]] const ScheduleInput& input() const { return input_; }

private:
    ScheduleInput input_;
};

class SparseEncoder final : public EmbeddingEncoder {
public:
    explicit SparseEncoder(NetworkDescription network)
        : network_(std::move(network)) {}

    [[nodiscard]] ModelArchitecture architecture() const override { return describe(network_); }
    [[nodiscard]] std::vector<NetworkParameter> parameters() const override {
        return sparsight::parameters(network_);
    }
    [[nodiscard]] bool reads_payload() const override {
        return network_.architecture == Architecture::WacoNet;
    }
    [[nodiscard]] bool reads_machine() const override { return network_.machine; }

    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int threads) const override {
        const CsrPattern& pattern = pattern_of(payload);
        if (!reads_payload())
            return statistics_vector(compute_statistics(pattern, threads));
        PatternStatistics sizes;
        sizes.rows = pattern.rows;
        sizes.cols = pattern.cols;
        sizes.nnz = pattern.nnz();
        return statistics_vector(sizes);
    }

    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double> statistics,
                    const EncodingOptions& options) const override {
        const CsrPattern none;
        MatrixInput input =
            matrix_input(network_, payload != nullptr ? pattern_of(*payload) : none,
                         pattern_statistics(statistics), nullptr, options.threads, options.workspaces);
        input.numbers = input.numbers.to(options.device);
        return std::make_shared<const EncodedMatrix>(std::move(input));
    }
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    encode_configurations(std::span<const Configuration> configurations, at::Device device) const override {
        ScheduleInput input = schedule_input(network_, encode_batch(network_.schedules, configurations));
        input.categories = input.categories.to(device);
        input.orders = input.orders.to(device);
        return std::make_shared<const EncodedSchedules>(std::move(input));
    }

    [[nodiscard]] at::Tensor embed_workload(const NamedTensors& parameters, const EncodedWorkload& workload,
                                            const at::Tensor& machine) const override {
        MatrixInput input = static_cast<const EncodedMatrix&>(workload).input();
        input.machine = machine;
        return embed_matrix(network_, parameters, input);
    }
    [[nodiscard]] at::Tensor
    embed_configurations(const NamedTensors& parameters,
                         const EncodedConfigurations& configurations) const override {
        return embed_schedules(network_, parameters,
                               static_cast<const EncodedSchedules&>(configurations).input());
    }

private:
    NetworkDescription network_;
};

void add_row(std::vector<float>& table, const std::vector<float>& statistics, const SuperSchedule& schedule) {
    const ScheduleEncoding encoding = encode(schedule);
    const auto add = [&](auto value) { table.push_back(static_cast<float>(value)); };
    table.insert(table.end(), statistics.begin(), statistics.end());
    std::ranges::for_each(encoding.splits, add);
    std::ranges::for_each(encoding.formats, add);
    add(encoding.parallel);
    add(encoding.chunk);
    const std::size_t loops = loop_count(encoding.op);
    for (std::size_t loop = 0; loop < loops; ++loop)
        for (std::size_t depth = 0; depth < loops; ++depth)
            if (encoding.order[loop * loops + depth] != 0)
                add(depth);
}

/// Neither a network nor trees nor a profile look at them.
constexpr int any_threads = 1;

class ScheduleFeatures final : public TreeFeatures {
public:
    explicit ScheduleFeatures(Operator op)
        : op_(op) {}

    [[nodiscard]] ModelArchitecture architecture() const override { return describe_trees(op_); }
    [[nodiscard]] std::string subject() const override { return std::string(name(op_)); }

    [[nodiscard]] std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const Statistic& statistic : sparsight::statistics())
            names.push_back(statistic.name);
        for (const Index index : indices(op_))
            names.push_back(fmt::format("log2_{}split", letter(index)));
        for (const LoopIndex level : level_names(op_))
            names.push_back("format_" + name(level));
        names.insert(names.end(), {"parallel", "log2_chunk"});
        for (const LoopIndex loop : loop_names(op_))
            names.push_back("depth_" + name(loop));
        return names;
    }

    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int threads) const override {
        return statistics_vector(compute_statistics(pattern_of(payload), threads));
    }
    [[nodiscard]] std::vector<float> rows(std::span<const double> statistics,
                                          std::span<const Configuration> configurations) const override {
        std::vector<float> values;
        std::ranges::transform(statistics, std::back_inserter(values),
                               [](double value) { return static_cast<float>(value); });
        std::vector<float> table;
        for (const Configuration& configuration : configurations)
            add_row(table, values, schedule_of(configuration, any_threads));
        return table;
    }

private:
    Operator op_;
};

class BlendedScorer final : public WorkloadScorer {
public:
    BlendedScorer(std::unique_ptr<WorkloadScorer> network, const SimulatorBlend& blend,
                  std::shared_ptr<const Payload> payload, int threads)
        : network_(std::move(network))
        , blend_(blend)
        , payload_(std::move(payload))
        , profiled_(pattern_of(*payload_))
        , threads_(threads) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        Result<std::vector<float>> scores = network_->score(configurations);
        if (!scores)
            return scores;
        const std::vector<SuperSchedule> schedules = schedules_of(configurations, any_threads);
        const auto profiles = profile_all(profiled_, schedules, blend_.dense, {.threads = threads_});
        if (!profiles)
            return std::unexpected(profiles.error());
        for (std::size_t at = 0; at < schedules.size(); ++at)
            (*scores)[at] = is_too_large(pattern_of(*payload_), schedules[at], (*profiles)[at])
                                ? std::numeric_limits<float>::infinity() // it would never run
                                : static_cast<float>(blend_.network * static_cast<double>((*scores)[at]) +
                                                     simulated_share((*profiles)[at]));
        return scores;
    }

    Result<std::vector<std::optional<double>>>
    simulate(std::span<const Configuration> configurations) const override {
        const std::vector<SuperSchedule> schedules = schedules_of(configurations, any_threads);
        const auto profiles = profile_all(profiled_, schedules, blend_.dense, {.threads = threads_});
        if (!profiles)
            return std::unexpected(profiles.error());
        std::vector<std::optional<double>> milliseconds(schedules.size());
        for (std::size_t at = 0; at < schedules.size(); ++at)
            if (!is_too_large(pattern_of(*payload_), schedules[at], (*profiles)[at]))
                milliseconds[at] = sparsight::simulate(blend_.machine, (*profiles)[at]).total();
        return milliseconds;
    }

    /// Those of the network, by its share, and what the simulator adds.
    Result<std::vector<float>> last_inputs(std::span<const Configuration> configurations) const override {
        const Result<std::vector<float>> inputs = network_->last_inputs(configurations);
        const std::vector<SuperSchedule> schedules = schedules_of(configurations, any_threads);
        const auto profiles = profile_all(profiled_, schedules, blend_.dense, {.threads = threads_});
        if (!inputs || !profiles)
            return std::unexpected(inputs ? profiles.error() : inputs.error());
        const std::size_t width = schedules.empty() ? 0 : inputs->size() / schedules.size();
        std::vector<float> rows;
        rows.reserve(inputs->size() + schedules.size());
        for (std::size_t at = 0; at < schedules.size(); ++at) {
            for (std::size_t place = 0; place < width; ++place)
                rows.push_back(
                    static_cast<float>(blend_.network * static_cast<double>((*inputs)[at * width + place])));
            rows.push_back(static_cast<float>(simulated_share((*profiles)[at])));
        }
        return rows;
    }

    Result<std::vector<float>> score_embeddings(std::span<const float> embeddings) const override {
        return network_->score_embeddings(embeddings);
    }

    std::span<const float> embedding() const override { return network_->embedding(); }

private:
    /// What the simulator adds to a score.
    [[nodiscard]] double simulated_share(const ScheduleProfile& profile) const {
        return blend_.simulator * std::log(sparsight::simulate(blend_.machine, profile).total());
    }

    std::unique_ptr<WorkloadScorer> network_;
    const SimulatorBlend blend_;
    const std::shared_ptr<const Payload> payload_; ///< the scorer outlives what it was made from
    const ProfiledPattern profiled_;
    int threads_;
};

class BlendedCostModel final : public CostModel {
public:
    explicit BlendedCostModel(std::unique_ptr<CostModel> network)
        : network_(std::move(network)) {}

    const ModelDescription& description() const override { return network_->description(); }
    Result<std::unique_ptr<WorkloadScorer>> embed(const std::shared_ptr<const Payload>& payload,
                                                  const MachineDescription* machine,
                                                  int threads) const override {
        auto scorer = network_->embed(payload, machine, threads);
        if (!scorer)
            return scorer;
        return std::make_unique<BlendedScorer>(*std::move(scorer), *description().blend, payload, threads);
    }
    std::size_t last_width() const override { return network_->last_width() + 1; }
    std::size_t embedding_width() const override { return network_->embedding_width(); }
    Result<std::vector<float>>
    embed_configurations(std::span<const Configuration> configurations) const override {
        return network_->embed_configurations(configurations);
    }

private:
    std::unique_ptr<CostModel> network_;
};

} // namespace

namespace {

std::shared_ptr<const Encoder> gray_box(GrayBoxDescription of) {
    return std::make_shared<const GrayBox>(describe(of), sparse_physics(of.setting),
                                           std::move(of.standardisation));
}

} // namespace

Result<std::shared_ptr<const Encoder>> SparseLearning::encoder(const ModelArchitecture& architecture) const {
    if (architecture.name == gray_box_architecture) {
        auto box = read_gray_box(architecture);
        if (!box)
            return std::unexpected(std::move(box).error());
        return gray_box(*std::move(box));
    }
    auto network = read_network(architecture);
    if (!network)
        return std::unexpected(std::move(network).error());
    return sparse_encoder(*std::move(network));
}

Result<std::shared_ptr<const TreeFeatures>>
SparseLearning::tree_features(const ModelArchitecture& architecture) const {
    const auto op = read_model_operator(architecture);
    if (!op)
        return std::unexpected(op.error());
    return schedule_features(*op);
}

std::unique_ptr<CostModel> SparseLearning::blend_with_simulator(std::unique_ptr<CostModel> network) const {
    return std::make_unique<BlendedCostModel>(std::move(network));
}

SparseLearning::SparseLearning()
    : domain_(make_sparse_domain()) {}

std::span<const ArchitectureChoice> SparseLearning::architectures() const {
    static constexpr std::array<ArchitectureChoice, 3> choices{{
        {"statistics", "a perceptron over a pattern's statistics"},
        {"waconet", "sparse convolutions over the pattern"},
        {gray_box_architecture, "the simulator, and a network for what it misses"},
    }};
    return choices;
}

std::shared_ptr<const Encoder> SparseLearning::new_encoder(const ArchitectureRequest& of) const {
    if (of.architecture == gray_box_architecture)
        return gray_box(
            {sparse_setting(of.tasks.setting), standardise(Architecture::StatisticsNet, of.tasks, of.train)});
    NetworkDescription network;
    network.architecture = parse_architecture(of.architecture).value();
    network.schedules = schedule_layout(sparse_setting(of.tasks.setting).op, ScheduleTables::Full);
    network.standardisation = standardise(network.architecture, of.tasks, of.train);
    network.machine = of.reads_machine;
    return sparse_encoder(std::move(network));
}

std::shared_ptr<const TreeFeatures>
SparseLearning::new_tree_features(const ArchitectureRequest& trees) const {
    return schedule_features(sparse_setting(trees.tasks.setting).op);
}

std::string SparseLearning::purpose(const ModelArchitecture& model) const {
    return std::string(name(read_model_operator(model).value()));
}

std::string SparseLearning::purpose(const Setting& setting) const {
    return std::string(name(sparse_setting(setting).op));
}

Result<Setting> SparseLearning::setting_of(const ModelArchitecture& model,
                                           const SettingOptions& options) const {
    SettingOptions all = options;
    all["operator"] = purpose(model);
    // A gray box simulates one extent of the dense index.
    if (model.name == gray_box_architecture) {
        const SparseSetting simulated = read_gray_box(model).value().setting;
        const std::string dense = std::to_string(simulated.dense);
        if (const auto asked = options.find("dense"); asked != options.end() && asked->second != dense)
            return fail(Fault::Input, fmt::format("dense is {}, and the model simulates {}: expected {} or "
                                                  "nothing",
                                                  asked->second, dense, dense));
        if (dense_index(simulated.op))
            all["dense"] = dense;
    }
    return domain_->setting_of(all);
}

std::unique_ptr<TaskStorage> SparseLearning::task_storage(Workspace& workspace) const {
    return std::make_unique<SparseTaskStorage>(workspace);
}

std::shared_ptr<const Encoder> sparse_encoder(NetworkDescription network) {
    return std::make_shared<const SparseEncoder>(std::move(network));
}

std::shared_ptr<const TreeFeatures> schedule_features(Operator op) {
    return std::make_shared<const ScheduleFeatures>(op);
}

Operator model_operator(const ModelDescription& model) {
    return read_model_operator(model.architecture).value();
}

} // namespace sparsight
