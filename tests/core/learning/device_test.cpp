// That every tensor of a step is where it was asked to be. LibTorch's "meta" device has shapes and no
// numbers: what is mixed with the processor's tensors throws, as it does on a GPU.
#include "learning/example_store.h"
#include "learning/training_state.h"
#include "model/compute_device.h"
#include "model/cost_model.h"
#include "model/network_parameters.h"
#include "synthetic_tasks.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>
#include <array>
#include <gmock/gmock.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/library.h>

namespace sparsight {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// LibTorch 1.13 has neither of these two for this device.
at::Tensor relu_without_numbers(const at::Tensor& from) {
    return at::empty_like(from);
}
at::Tensor index_select_without_numbers(const at::Tensor& from, std::int64_t dimension,
                                        const at::Tensor& index) {
    TORCH_CHECK(index.is_meta(), "the index is on another device: ", index.device());
    std::vector<std::int64_t> sizes = from.sizes().vec();
    sizes[static_cast<std::size_t>(dimension)] = index.numel();
    return at::empty(sizes, from.options());
}

class Devices : public ::testing::TestWithParam<Architecture> {
protected:
    Devices() {
        network_.architecture = GetParam();
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network_.standardisation = standardise(network_.architecture, tasks_, split_.train);
        network_.machine = true;
    }

    TaskSet tasks_ = testing::synthetic_tasks(
        std::array<testing::SyntheticMachine, 1>{testing::SyntheticMachine{1, 1}}, 6, 8);
    MatrixSplit split_ = testing::synthetic_split(tasks_);
    NetworkDescription network_;
};

TEST_P(Devices, EveryTensorOfAStepIsOnTheOneThatWasAskedFor) {
    for (const at::Device device : {at::Device(at::kCPU), at::Device(at::kMeta)}) {
        ExampleStore examples(tasks_, network_, 1, default_kept_coordinates, device);
        const TrainingState state = initial_training_state(
            Method::MetaSgd, {1, 0.1}, to_tensors(initial_weights(network_, 1), true, at::kFloat, device));
        // This loss alone looks at no number on its way.
        const auto term = examples.term(Loss::LogSquaredError, 0, {0, {0, 1, 2, 3}});
        ASSERT_TRUE(term.has_value()) << term.error().text();
        const NamedTensors& weights = state.parameters.weights;
        const at::Tensor loss = (*term)(weights);
        EXPECT_EQ(loss.device(), device);
        std::vector<at::Tensor> gradients;
        if (device.is_cpu()) // which is differentiated where; "meta" has not learned all of it
            gradients = torch::autograd::grad({loss}, weights.tensors(), {}, false, false, true);
        gradients.resize(weights.size());
        std::vector<at::Tensor> known;
        for (std::size_t p = 0; p < gradients.size(); ++p)
            known.push_back(gradients[p].defined() ? gradients[p]
                                                   : at::zeros_like(weights.tensors()[p].detach()));
        const AdamState adam = initial_adam(weights);
        const AdamStep step = adam_step({}, 0.1, weights, known, adam);
        for (const std::vector<at::Tensor>& tensors :
             {weights.tensors(), state.parameters.rates->tensors(), state.adam.first, state.best.tensors(),
              known, step.parameters.tensors(), step.state.second})
            for (const at::Tensor& tensor : tensors)
                EXPECT_EQ(tensor.device(), device);
        const auto scores = examples.scores(weights, 0, 0);
        ASSERT_TRUE(scores.has_value()) << scores.error().text();
        EXPECT_EQ(scores->device(), device);
    }
}

TEST_P(Devices, AStateThatIsReadAgainIsOnIt) {
    const auto weights = initial_weights(network_, 1);
    const TrainingState state = initial_training_state(Method::Fomaml, {1, 0.1}, to_tensors(weights, true));
    const auto read = parse_training_state(training_state_bytes(state), Method::Fomaml,
                                           parameter_shapes(network_), at::Device(at::kMeta));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    for (const std::vector<at::Tensor>& tensors :
         {read->parameters.weights.tensors(), read->best.tensors(), read->adam.first, read->adam.second})
        for (const at::Tensor& tensor : tensors)
            EXPECT_TRUE(tensor.is_meta());
}

INSTANTIATE_TEST_SUITE_P(Of, Devices, ::testing::Values(Architecture::StatisticsNet, Architecture::WacoNet),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(ComputeDevice, IsTheProcessorOrAGpuThatIsThere) {
    EXPECT_EQ(usable_device("cpu").value(), at::Device(at::kCPU));
    for (const char* text : {"", "gpu", "meta", "cuda:x", "abacus"})
        EXPECT_THAT(usable_device(text).error().message, HasSubstr("expected cpu, cuda")) << text;
    const auto gpu = usable_device("cuda");
    if (!gpu)
        EXPECT_THAT(gpu.error().message, AnyOf(HasSubstr("built without CUDA"), HasSubstr("finds no GPU")));
    else
        EXPECT_THAT(usable_device("cuda:100").error().message, HasSubstr("there is no such GPU"));
}

} // namespace
} // namespace sparsight

TORCH_LIBRARY_IMPL(aten, Meta, library) {
    library.impl("relu", &sparsight::relu_without_numbers);
    library.impl("index_select", &sparsight::index_select_without_numbers);
}
