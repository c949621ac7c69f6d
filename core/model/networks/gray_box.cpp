#include "model/networks/gray_box.h"

#include "model/boosted_trees.h"
#include "model/tensors/losses.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <array>
#include <c10/util/Exception.h>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <utility>

namespace sparsight {
namespace {

constexpr std::int64_t hidden_width = 96;
constexpr std::int64_t learned_inputs = 32; ///< of the head
constexpr std::int64_t head_inputs = learned_inputs + fitted_parameter_count;

// Fixed scales that bring the numbers of a pair to about 1: those of 18,887 measured SpMM schedules.
constexpr double sensitivity_scale = 4;
constexpr double share_scale = 4;
constexpr double log_term_scale = 0.4;
constexpr double largest_number = 4;
constexpr double least_share = 1e-3; ///< of a term whose logarithm is taken: others are nothing

struct PairTensors {
    at::Tensor offset;        ///< [n]
    at::Tensor numbers;       ///< [n, pair_width]
    at::Tensor sensitivities; ///< [n, fitted_parameter_count]
};

at::Tensor matrix_of(std::vector<float> numbers, std::size_t rows, std::size_t width, at::Device device) {
    return at::from_blob(numbers.data(), {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(width)},
                         at::TensorOptions(at::kFloat))
        .clone()
        .to(device);
}

/// Of all configurations of a profile, on one machine.
class PairRows {
public:
    PairRows(const PhysicsNumbers& of, const Physics& physics)
        : of_(of)
        , terms_(physics.terms().size())
        , choices_(physics.choice_count())
        , rows_(of.log_times.size() - 1) {
        // Where the baseline never runs, times stay as they are: a difference to never is no number.
        baseline_ = runs(rows_) ? of_.log_times[rows_] : 0;
        add_log_terms(rows_, baseline_terms_);
    }

    [[nodiscard]] PairTensors tensors(at::Device device) const {
        const std::size_t width = 1 + fitted_parameter_count + 2 * terms_ + choices_;
        std::vector<float> offsets;
        std::vector<float> numbers;
        std::vector<float> sensitivities;
        offsets.reserve(rows_);
        numbers.reserve(rows_ * width);
        sensitivities.reserve(rows_ * fitted_parameter_count);
        std::vector<double> log_terms;
        for (std::size_t row = 0; row < rows_; ++row) {
            const double offset = runs(row) ? of_.log_times[row] - baseline_ : never_runs;
            offsets.push_back(static_cast<float>(offset));
            add(numbers, offset);
            for (std::size_t p = 0; p < fitted_parameter_count; ++p) {
                const double sensitivity =
                    runs(row) ? of_.sensitivities[row * fitted_parameter_count + p] : 0;
                sensitivities.push_back(static_cast<float>(sensitivity));
                add(numbers, sensitivity_scale * sensitivity);
            }
            const double total = total_of(row);
            for (std::size_t term = 0; term < terms_; ++term)
                add(numbers, runs(row) ? share_scale * of_.terms[row * terms_ + term] / total : 0);
            log_terms.clear();
            add_log_terms(row, log_terms);
            for (std::size_t term = 0; term < terms_; ++term)
                add(numbers, runs(row) ? log_term_scale * (log_terms[term] - baseline_terms_[term]) : 0);
            for (std::size_t choice = 0; choice < choices_; ++choice)
                add(numbers, of_.choices[row * choices_ + choice]);
        }
        return {matrix_of(std::move(offsets), rows_, 1, device).squeeze(1),
                matrix_of(std::move(numbers), rows_, width, device),
                matrix_of(std::move(sensitivities), rows_, fitted_parameter_count, device)};
    }

private:
    static void add(std::vector<float>& numbers, double number) {
        numbers.push_back(static_cast<float>(std::clamp(number, -largest_number, largest_number)));
    }
    [[nodiscard]] bool runs(std::size_t row) const { return std::isfinite(of_.log_times[row]); }
    /// Milliseconds; of a configuration that never runs any.
    [[nodiscard]] double total_of(std::size_t row) const {
        return runs(row) ? std::exp(of_.log_times[row]) : 1;
    }
    void add_log_terms(std::size_t row, std::vector<double>& logarithms) const {
        const double least = least_share * total_of(row);
        for (std::size_t term = 0; term < terms_; ++term)
            logarithms.push_back(std::log(of_.terms[row * terms_ + term] + least));
    }

    const PhysicsNumbers& of_;
    std::size_t terms_;
    std::size_t choices_;
    std::size_t rows_;    ///< the baseline stands behind them
    double baseline_ = 0; ///< ln of its milliseconds
    std::vector<double> baseline_terms_;
};

constexpr std::size_t most_machines = 2; ///< whose numbers of a profile are kept

/// The numbers of a profile on the machine as it is described, and as it was calibrated last.
class PairSource {
public:
    PairSource(std::shared_ptr<const Physics> physics, std::shared_ptr<const PhysicsProfile> profile,
               const MachineParameters& machine, int threads, at::Device device)
        : physics_(std::move(physics))
        , profile_(std::move(profile))
        , threads_(threads)
        , device_(device)
        , machine_(machine) {}

    [[nodiscard]] PairTensors on(const std::optional<MachineParameters>& calibrated) const {
        const MachineParameters& machine = calibrated.value_or(machine_);
        const std::lock_guard lock(mutex_);
        for (const auto& [whose, tensors] : known_)
            if (whose == machine)
                return tensors;
        if (known_.size() == most_machines)
            known_.pop_back();
        known_.emplace_back(machine,
                            PairRows(profile_->numbers(machine, threads_), *physics_).tensors(device_));
        return known_.back().second;
    }

private:
    std::shared_ptr<const Physics> physics_;
    std::shared_ptr<const PhysicsProfile> profile_;
    int threads_;
    at::Device device_;
    MachineParameters machine_;
    mutable std::mutex mutex_;
    mutable std::vector<std::pair<MachineParameters, PairTensors>> known_;
};

class EncodedPairs final : public EncodedConfigurations {
public:
    explicit EncodedPairs(std::shared_ptr<const PairSource> source, at::Tensor rows = {})
        : source_(std::move(source))
        , rows_(std::move(rows)) {}

    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    select(std::span<const std::size_t> rows) const override {
        const std::vector<std::int64_t> places(rows.begin(), rows.end());
        at::Tensor index = at::tensor(places, at::kLong);
        if (rows_.defined())
            index = at::index_select(rows_, 0, index);
        return std::make_shared<const EncodedPairs>(source_, std::move(index));
    }
    [[nodiscard]] PairTensors on(const std::optional<MachineParameters>& calibrated) const {
        const PairTensors all = source_->on(calibrated);
        if (!rows_.defined())
            return all;
        const at::Tensor rows = rows_.to(all.offset.device());
        return {at::index_select(all.offset, 0, rows), at::index_select(all.numbers, 0, rows),
                at::index_select(all.sensitivities, 0, rows)};
    }

private:
    std::shared_ptr<const PairSource> source_;
    at::Tensor rows_; ///< undefined: all
};

class EncodedNumbers final : public EncodedWorkload {
public:
    explicit EncodedNumbers(at::Tensor numbers)
        : numbers_(std::move(numbers)) {}
    [[nodiscard]] std::int64_t kept_size() const override { return 0; }
    [[nodiscard]] const at::Tensor& numbers() const { return numbers_; }

private:
    at::Tensor numbers_;
};

/// Trees know logarithms of odds.
at::Tensor scores_by(const RowTrees& trees, const at::Tensor& numbers) {
    const at::Tensor rows = numbers.to(at::Device(at::kCPU), at::kFloat).contiguous();
    const auto scores =
        trees.scores({.width = static_cast<std::size_t>(rows.size(1)),
                      .numbers = {rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel()},
                      .first_scores = std::vector<float>(static_cast<std::size_t>(rows.size(0))),
                      .milliseconds = {}},
                     std::array{0});
    TORCH_CHECK(scores.has_value(), scores.has_value() ? "" : scores.error().text());
    return at::tensor(scores->front(), at::kFloat) / top_pairs_sharpness;
}

} // namespace

at::Tensor LinearScore::fixed() const {
    return trees.defined() ? offset + trees : offset;
}

GrayBox::GrayBox(ModelArchitecture architecture, std::shared_ptr<const Physics> physics,
                 Standardisation workloads)
    : architecture_(std::move(architecture))
    , physics_(std::move(physics))
    , workloads_(std::move(workloads)) {}

std::int64_t GrayBox::pair_width() const {
    return 1 + fitted_parameter_count + 2 * static_cast<std::int64_t>(physics_->terms().size()) +
           static_cast<std::int64_t>(physics_->choice_count());
}

std::size_t GrayBox::pair_number_count() const {
    return static_cast<std::size_t>(pair_width()) + workloads_.mean.size();
}

std::shared_ptr<const GrayBox> GrayBox::with_trees(std::shared_ptr<const RowTrees> trees) const {
    auto box = std::make_shared<GrayBox>(architecture_, physics_, workloads_);
    box->trees_ = std::move(trees);
    return box;
}

std::vector<NetworkParameter> GrayBox::parameters() const {
    std::vector<NetworkParameter> list;
    const auto zeros = [&](std::string_view name, std::vector<std::int64_t> shape) {
        list.push_back({{std::string(name), std::move(shape)}, Initial::Zero, 1});
    };
    add_linear(list, "pair.0", hidden_width, pair_width());
    // The numbers of a workload scale and shift the hidden layer (Perez et al.: FiLM, AAAI 2018); at the
    // start they do neither.
    zeros(fmt::format("{}.weight", workload_layer),
          {2 * hidden_width, static_cast<std::int64_t>(workloads_.mean.size())});
    zeros(fmt::format("{}.bias", workload_layer), {2 * hidden_width});
    add_linear(list, "pair.2", hidden_width, hidden_width);
    add_linear(list, "pair.4", learned_inputs, hidden_width);
    zeros(head_weight, {head_inputs});
    zeros(head_log_precision, {head_inputs});
    zeros(head_log_noise, {1});
    zeros(head_covariance, {head_inputs, head_inputs});
    zeros(simulator_parameters, {static_cast<std::int64_t>(machine_parameter_count)});
    return list;
}

std::shared_ptr<const EncodedConfigurations>
GrayBox::encode_pairs(std::shared_ptr<const PhysicsProfile> profile, const MachineParameters& machine,
                      int threads, at::Device device) const {
    return std::make_shared<const EncodedPairs>(
        std::make_shared<const PairSource>(physics_, std::move(profile), machine, threads, device));
}

std::int64_t GrayBox::kept_size(std::size_t pairs) const {
    constexpr std::size_t coordinate = 100; // bytes
    const auto numbers = static_cast<std::size_t>(1 + pair_width()) + fitted_parameter_count;
    return static_cast<std::int64_t>(pairs * numbers * sizeof(float) * most_machines / coordinate);
}

std::vector<double> GrayBox::statistics(const Payload& payload, int threads) const {
    return physics_->statistics(payload, threads);
}

std::shared_ptr<const EncodedWorkload> GrayBox::encode_workload(const Payload* /*payload*/,
                                                                std::span<const double> statistics,
                                                                const EncodingOptions& options) const {
    const std::vector<float> numbers = workloads_.apply(physics_->workload_numbers(statistics));
    constexpr float farthest = 3; // deviations
    return std::make_shared<const EncodedNumbers>(
        at::tensor(numbers, at::kFloat).clamp(-farthest, farthest).to(options.device));
}

LinearScore GrayBox::linear_score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                  const EncodedConfigurations& pairs) const {
    const PairTensors of = static_cast<const EncodedPairs&>(pairs).on(calibrated_machine(parameters));
    const auto type = parameters[head_weight].scalar_type();
    const at::Tensor film =
        linear(parameters, std::string(workload_layer),
               static_cast<const EncodedNumbers&>(workload).numbers().to(type).unsqueeze(0));
    at::Tensor hidden = at::silu(linear(parameters, "pair.0", of.numbers.to(type)));
    hidden = hidden * (film.narrow(1, 0, hidden_width) + 1) + film.narrow(1, hidden_width, hidden_width);
    hidden = at::silu(linear(parameters, "pair.2", hidden));
    LinearScore score{
        of.offset.to(type),
        at::cat({at::tanh(linear(parameters, "pair.4", hidden)), of.sensitivities.to(type)}, 1)};
    if (trees_ != nullptr)
        score.trees = scores_by(*trees_, pair_numbers(parameters, workload, pairs).numbers)
                          .to(of.offset.device(), type);
    return score;
}

PairNumbers GrayBox::pair_numbers(const NamedTensors& parameters, const EncodedWorkload& workload,
                                  const EncodedConfigurations& pairs) const {
    const PairTensors of = static_cast<const EncodedPairs&>(pairs).on(calibrated_machine(parameters));
    const at::Tensor& of_workload = static_cast<const EncodedNumbers&>(workload).numbers();
    return {of.offset,
            at::cat({of.numbers, of_workload.expand({of.offset.size(0), of_workload.size(0)})}, 1)};
}

at::Tensor GrayBox::score(const NamedTensors& parameters, const EncodedWorkload& workload,
                          const at::Tensor& /*machine*/, const EncodedConfigurations& pairs) const {
    const LinearScore of = linear_score(parameters, workload, pairs);
    return of.fixed() + at::matmul(of.inputs, parameters[head_weight]);
}

Result<std::shared_ptr<const RowTrees>> trees_of(const Checkpoint& checkpoint, const Encoder& encoder) {
    if (checkpoint.trees.empty() || encoder.gray_box() == nullptr)
        return nullptr;
    auto trees = RowTrees::load(checkpoint.trees, encoder.gray_box()->pair_number_count(), "a gray box");
    if (!trees)
        return std::unexpected(std::move(trees).error());
    return std::make_shared<const RowTrees>(*std::move(trees));
}

at::Tensor to_tensor(const MachineParameters& machine) {
    return at::tensor(std::vector<double>(machine.values.begin(), machine.values.end()), at::kFloat);
}

std::optional<MachineParameters> calibrated_machine(const NamedTensors& parameters) {
    const at::Tensor values =
        parameters[simulator_parameters].detach().to(at::Device(at::kCPU), at::kDouble).contiguous();
    MachineParameters machine;
    std::copy_n(values.data_ptr<double>(), machine.values.size(), machine.values.begin());
    if (std::ranges::all_of(machine.values, [](double value) { return value == 0; }))
        return std::nullopt;
    return machine;
}

NamedTensors without_correction(const NamedTensors& parameters) {
    std::vector<at::Tensor> tensors = parameters.tensors();
    for (std::size_t at = 0; at < tensors.size(); ++at)
        if (parameters.names()[at] == head_weight)
            tensors[at] = at::zeros_like(tensors[at].detach());
    return parameters.with(std::move(tensors));
}

at::Tensor head_variances(const NamedTensors& parameters, const at::Tensor& differences) {
    const at::Tensor rows = differences.detach().to(at::kDouble);
    const at::Tensor covariance = parameters[head_covariance].detach().to(rows.options());
    return (at::matmul(rows, covariance) * rows).sum(1).clamp_min(0);
}

namespace {

constexpr double deviations_of_95_percent = 1.96; ///< of a normal logarithm

} // namespace

double ParameterDeviation::low() const {
    return factor * std::exp(-deviations_of_95_percent * doubt);
}

double ParameterDeviation::high() const {
    return factor * std::exp(deviations_of_95_percent * doubt);
}

bool ParameterDeviation::is_clear() const {
    constexpr double clear = 2;
    return std::abs(std::log(factor)) > clear * doubt;
}

std::vector<ParameterDeviation> deviations(std::span<const NamedArray> weights) {
    const auto weight = std::ranges::find(weights, head_weight, &NamedArray::name);
    const auto covariance = std::ranges::find(weights, head_covariance, &NamedArray::name);
    constexpr auto inputs = static_cast<std::size_t>(head_inputs);
    std::vector<ParameterDeviation> found;
    if (weight == weights.end() || covariance == weights.end() ||
        covariance->values.size() != inputs * inputs || weight->values.size() != inputs)
        return found;
    for (std::size_t p = 0; p < fitted_parameter_count; ++p) {
        const std::size_t at = static_cast<std::size_t>(learned_inputs) + p;
        const double variance = static_cast<double>(covariance->values[at * inputs + at]);
        if (variance > 0)
            found.push_back({fitted_parameters()[p], std::exp(static_cast<double>(weight->values[at])),
                             std::sqrt(variance)});
    }
    std::ranges::sort(found, std::ranges::greater(), [](const ParameterDeviation& each) {
        return std::abs(std::log(each.factor)) / each.doubt;
    });
    return found;
}

} // namespace sparsight
