// What the networks of a domain without networks of its own share: they read facts and decisions, and embed
// a workload with its machine. How they embed configurations is their own.
#pragma once

#include "learning/decisions/decision_input.h"
#include "model/networks/encoder.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Two linear layers with a ReLU between them: name.0 and name.2.
[[nodiscard]] at::Tensor perceptron(const NamedTensors& parameters, const std::string& name,
                                    const at::Tensor& input);
void add_perceptron(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t out,
                    std::int64_t hidden, std::int64_t in);

struct DecisionTensors {
    at::Tensor values;  ///< [n, decisions]: rows of the table of embeddings
    at::Tensor known;   ///< [n, decisions, 1]: 0 where the value is unknown
    at::Tensor numbers; ///< [n, decisions]: scaled; 0 where there is none
};

class DecisionNetwork : public EmbeddingEncoder {
public:
    static constexpr std::int64_t value_width = 16; ///< of the embedding of a decision's value

    /// The codec must be the one of the input's setting.
    DecisionNetwork(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

    [[nodiscard]] ModelArchitecture architecture() const final;
    [[nodiscard]] std::vector<NetworkParameter> parameters() const final;

    [[nodiscard]] bool reads_payload() const final { return true; }
    [[nodiscard]] bool reads_machine() const final { return input_.reads_machine; }
    [[nodiscard]] std::vector<float> machine_numbers(const MachineDescription& machine) const final;
    /// The payload has all.
    [[nodiscard]] std::vector<double> statistics(const Payload&, int) const final { return {}; }

    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double> statistics,
                    const EncodingOptions& options) const final;
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    encode_configurations(std::span<const Configuration> configurations, at::Device device) const final;

    [[nodiscard]] at::Tensor embed_workload(const NamedTensors& parameters, const EncodedWorkload& workload,
                                            const at::Tensor& machine) const final;
    [[nodiscard]] at::Tensor embed_configurations(const NamedTensors& parameters,
                                                  const EncodedConfigurations& configurations) const final;

protected:
    [[nodiscard]] const DecisionInput& input() const { return input_; }
    /// The first row of each decision in the table of embeddings, which is of its absence; those of its
    /// values follow.
    [[nodiscard]] const std::vector<std::int64_t>& first_rows() const { return first_rows_; }
    [[nodiscard]] std::int64_t table_rows() const { return table_rows_; }
    /// [n, decisions, value_width]: 0 for a value that is unknown. There are decisions.
    [[nodiscard]] static at::Tensor embed_values(const NamedTensors& parameters,
                                                 const DecisionTensors& decisions);

private:
    [[nodiscard]] virtual std::string_view name() const = 0;
    virtual void add_configuration_parameters(std::vector<NetworkParameter>& list) const = 0;
    /// [n, embedding_width]; the tensors are of the device and type of the parameters.
    [[nodiscard]] virtual at::Tensor embed_decisions(const NamedTensors& parameters,
                                                     const DecisionTensors& decisions) const = 0;

    DecisionInput input_;
    DecisionReader reader_;
    std::vector<std::int64_t> first_rows_;
    std::int64_t table_rows_ = 0;
};

} // namespace sparsight
