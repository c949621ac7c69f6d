// A network that knows only what the simulator misses (gray box):
//
//   ln time = ln simulated time + φ(pair)ᵀ w + trees(pair)
//
// The inputs φ of its linear head are learned numbers of the pair of a workload and a configuration, and the
// simulator's sensitivities ∂ ln T / ∂ ln parameter: a weight of one of these is a first-order step of a
// calibration, so that calibrating and learning are one regression. With w = 0, as it starts, the model is
// the simulator. From few measurements w has a closed form (learning/training/closed_form.h). The trees,
// which only an adapted model has, know what a head that is linear leaves
// (learning/fine_tuning/adapted_model.h).
#pragma once

#include "model/networks/encoder.h"
#include "model/networks/physics.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// The name of its architecture in every domain.
inline constexpr std::string_view gray_box_architecture = "gray-box";

/// The layer that scales and shifts the hidden numbers of a pair by those of its workload.
inline constexpr std::string_view workload_layer = "workload";

/// Names of its tensors.
inline constexpr std::string_view head_weight = "head.weight"; ///< w: [inputs]
// Logarithms less those that learning starts from (closed_form.cpp):
inline constexpr std::string_view head_log_precision = "head.log_precision"; ///< of the prior of w: [inputs]
inline constexpr std::string_view head_log_noise =
    "head.log_noise"; ///< of the rows a workload counts as: [1]
inline constexpr std::string_view head_covariance = "head.covariance"; ///< of w; zeros: nothing was measured
/// The parameters of the machine after a calibration; zeros: as the description of the machine says.
inline constexpr std::string_view simulator_parameters = "simulator.parameters";

class RowTrees;

/// A score that is linear in the weights of the head: offset + inputs · w + trees.
struct LinearScore {
    at::Tensor offset;  ///< ln of simulated time relative to the baseline's: [n]
    at::Tensor inputs;  ///< [n, inputs]
    at::Tensor trees{}; ///< what trees add: [n]; undefined: the model has none

    /// What the weights do not change: [n].
    [[nodiscard]] at::Tensor fixed() const;
};

/// What the network reads of pairs, and of their workload.
struct PairNumbers {
    at::Tensor offset;  ///< as that of LinearScore
    at::Tensor numbers; ///< of about 1: [n, those of a pair and those of the workload]
};

/// The offset of a configuration that can't run: nothing is slower.
inline constexpr double never_runs = 30;

class GrayBox final : public Encoder {
public:
    /// The numbers of workloads are standardised. `architecture` is what describes both, physics included.
    GrayBox(ModelArchitecture architecture, std::shared_ptr<const Physics> physics,
            Standardisation workloads);

    /// The same network beside these trees, which read PairNumbers::numbers; nullptr: beside none.
    [[nodiscard]] std::shared_ptr<const GrayBox> with_trees(std::shared_ptr<const RowTrees> trees) const;
    [[nodiscard]] bool has_trees() const { return trees_ != nullptr; }

    [[nodiscard]] const Physics& physics() const { return *physics_; }
    /// Only encoded pairs of a profile can be scored; `machine` is the one before a calibration.
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    encode_pairs(std::shared_ptr<const PhysicsProfile> profile, const MachineParameters& machine, int threads,
                 at::Device device) const;
    /// Of so many encoded pairs that were scored, as EncodedWorkload::kept_size(); their profile apart.
    [[nodiscard]] std::int64_t kept_size(std::size_t pairs) const;
    /// Rows of encode_pairs().
    [[nodiscard]] LinearScore linear_score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                           const EncodedConfigurations& pairs) const;
    /// Of these, whatever was learned beside the calibration. Their width is pair_number_count().
    [[nodiscard]] PairNumbers pair_numbers(const NamedTensors& parameters, const EncodedWorkload& workload,
                                           const EncodedConfigurations& pairs) const;

    [[nodiscard]] std::size_t pair_number_count() const;

    [[nodiscard]] ModelArchitecture architecture() const override { return architecture_; }
    [[nodiscard]] std::vector<NetworkParameter> parameters() const override;
    /// The pairs read the data (Physics); of the workload itself statistics are enough.
    [[nodiscard]] bool reads_payload() const override { return false; }
    /// The simulator does, whatever network it is in.
    [[nodiscard]] bool reads_machine() const override { return true; }
    [[nodiscard]] std::vector<float> machine_numbers(const MachineDescription&) const override { return {}; }
    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int threads) const override;
    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double> statistics,
                    const EncodingOptions& options) const override;
    [[nodiscard]] at::Tensor score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                   const at::Tensor& machine,
                                   const EncodedConfigurations& pairs) const override;
    [[nodiscard]] const GrayBox* gray_box() const override { return this; }

private:
    [[nodiscard]] std::int64_t pair_width() const;

    ModelArchitecture architecture_;
    std::shared_ptr<const Physics> physics_;
    Standardisation workloads_;
    std::shared_ptr<const RowTrees> trees_; ///< may be nullptr
};

/// Those that the checkpoint of a gray box brings; nullptr: none. Errors: these are no trees, or of other
/// rows (Fault::Input).
[[nodiscard]] Result<std::shared_ptr<const RowTrees>> trees_of(const Checkpoint& checkpoint,
                                                               const Encoder& encoder);

/// The parameters of a calibrated machine as a tensor, and back; absent: as before a calibration.
[[nodiscard]] at::Tensor to_tensor(const MachineParameters& machine);
[[nodiscard]] std::optional<MachineParameters> calibrated_machine(const NamedTensors& parameters);
/// The simulator alone, calibrated as it is: with w = 0.
[[nodiscard]] NamedTensors without_correction(const NamedTensors& parameters);

/// The variance that the posterior of the head leaves of the score of each row of differences of its inputs:
/// dᵀ Σ d, in doubles. 0 where nothing was measured.
[[nodiscard]] at::Tensor head_variances(const NamedTensors& parameters, const at::Tensor& differences);

/// In what a machine is unlike its simulator, to first order: a parameter acts as if it were `factor` times
/// as large as the simulator has it.
struct ParameterDeviation {
    MachineParameter parameter{};
    double factor = 1;
    double doubt = 0; ///< standard deviation of the factor's logarithm

    /// Whether it is more than chance: beyond two deviations.
    [[nodiscard]] bool is_clear() const;
    /// Ends of the 95 % interval of the factor.
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
};
/// Of the weights of an adapted gray box: the clearest first. Those of other models, and of a gray box that
/// was not adapted, tell none.
[[nodiscard]] std::vector<ParameterDeviation> deviations(std::span<const NamedArray> weights);

} // namespace sparsight
