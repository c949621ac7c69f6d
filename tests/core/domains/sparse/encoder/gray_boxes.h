// Gray boxes over the mechanistic simulator, and the machines that deviate from it.
#pragma once

#include "base/random.h"
#include "core/learning/synthetic_tasks.h"
#include "domains/sparse/encoder/deviating_simulator.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_physics.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/fine_tuning/adapted_model.h"
#include "learning/fine_tuning/shot_contenders.h"
#include "learning/fine_tuning/telling_workloads.h"
#include "learning/tasks/transfer_tasks.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "machine/machine_family.h"
#include "model/networks/gray_box.h"
#include "workflow/learning/fine_tuning/stated_doubt.h"

#include <ATen/core/Tensor.h>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {

class GrayBoxes : public ::testing::Test {
protected:
    [[nodiscard]] std::shared_ptr<const Encoder> box() const {
        return learning_.new_encoder({gray_box_architecture, false, tasks_, train_});
    }
    [[nodiscard]] static NamedTensors start(const Encoder& box, std::uint64_t seed = 1) {
        return to_tensors(draw_weights(box.parameters(), seed), true);
    }
    /// One machine of the family that deviates from the simulator, with the workloads of the set.
    [[nodiscard]] Task deviating(std::uint64_t index) const {
        const std::vector<MachineDescription> machines{sampled_machine(7, index)};
        return simulated_tasks(tasks_, tasks_.tasks[0], machines, DeviatingSimulator()).value().front();
    }
    [[nodiscard]] static std::vector<double> numbers(const at::Tensor& tensor) {
        const at::Tensor whole = tensor.detach().to(at::kDouble).contiguous();
        return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
    }
    [[nodiscard]] double pairs_in_order(ExampleStore& examples, const NamedTensors& weights) const {
        return *report_ranking(examples, weights, Loss::TopPairs, 0, test_).value().ordered_pair_accuracy;
    }

    SparseLearning learning_;
    TaskSet tasks_ = testing::synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 12, 20);
    std::vector<std::size_t> train_{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<std::size_t> test_{8, 9, 10, 11};
};

} // namespace sparsight
