#include "domains/sparse/encoder/cost_network.h"

#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/checkpoints/checkpoint.h"
#include "model/cost_model.h"
#include "reference_network.h"
#include "study/ranking_metrics.h"
#include "support/test_files.h"

#include <array>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::filesystem::path waco(const std::filesystem::path& relative) {
    return testing::shared_path("waco") / relative;
}

Checkpoint published(const std::filesystem::path& file, std::optional<Operator> op = {}) {
    const auto read = read_published_weights(waco(file), op);
    EXPECT_TRUE(read) << read.error().text();
    return import_published_weights(*read, file.stem().string());
}

TEST(PublishedWeights, FitTheNetworkByTheirNames) {
    SPARSIGHT_NEEDS_SHARED("waco");
    for (const auto& [file, op] : {std::pair("waco_resnet_SpMM.pth", Operator::SpMM),
                                   std::pair("waco_resnet_SpMV.pth", Operator::SpMV),
                                   std::pair("waco_resnet_SDDMM.pth", Operator::SDDMM)}) {
        const auto read = read_published_weights(waco("pretrained") / file);
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->network.schedules, schedule_layout(op, ScheduleTables::Waco));
        EXPECT_FALSE(read->network.narrowed);
        EXPECT_THAT(read->unused, IsEmpty());
    }
}

TEST(PublishedWeights, OfTheThirdPartyReadSpmmWithTheTablesOfSddmm) {
    SPARSIGHT_NEEDS_SHARED("waco");
    const auto folder = waco("collected-32-threads");
    const auto transfer = read_published_weights(folder / "meta_transfer_model.pth", Operator::SpMM).value();
    EXPECT_EQ(transfer.network.schedules.op, Operator::SpMM);
    EXPECT_EQ(transfer.network.schedules.network, Operator::SDDMM);
    EXPECT_FALSE(transfer.network.narrowed);
    EXPECT_THAT(transfer.unused, ElementsAre("head.0.weight", "head.0.bias", "head.2.weight", "head.2.bias"));
    const auto meta = read_published_weights(folder / "meta_model.pth", Operator::SpMM).value();
    EXPECT_TRUE(meta.network.narrowed);
    EXPECT_THAT(meta.unused, IsEmpty());
    EXPECT_TRUE(read_published_weights(folder / "pretrained_resnet14.pth", Operator::SpMM));
}

TEST(PublishedWeights, AreOfOneNumberOfLoops) {
    SPARSIGHT_NEEDS_SHARED("waco");
    const auto read = read_published_weights(waco("pretrained/waco_resnet_SpMV.pth"), Operator::SpMM);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().text(), HasSubstr("number of loops"));
}

/// The published matrices that were measured on WACO's own machine, a Xeon E5-2680 v3.
constexpr std::array measured{"Trec6_16x16_9", "nemspmm1_16x4_0"};

double mean_accuracy(const Checkpoint& model) {
    const auto scorer_of = make_cost_model(model, SparseLearning()).value();
    const Operator op = model_operator(model.model);
    const std::string folder = op == Operator::SpMM ? "SpMM" : op == Operator::SpMV ? "SpMV" : "SDDMM";
    double sum = 0;
    for (const char* matrix : measured) {
        const auto pattern = read_matrix(waco("original") / (std::string(matrix) + ".csr")).value().pattern;
        const auto runtimes =
            read_schedule_runtimes(op, waco("original") / folder / (std::string(matrix) + ".txt")).value();
        std::vector<Configuration> configurations;
        std::vector<double> milliseconds;
        for (const ScheduleRuntime& runtime : runtimes) {
            if (runtime.milliseconds >= 1000) // as WACO drops them
                continue;
            configurations.push_back(configuration_of(runtime.schedule));
            milliseconds.push_back(runtime.milliseconds);
        }
        const auto scores =
            scorer_of->embed(payload_of(pattern), nullptr, 1).value()->score(configurations).value();
        sum += ordered_pair_accuracy(count_pairs(scores, milliseconds)).value();
    }
    return sum / static_cast<double>(measured.size());
}

TEST(PublishedWeights, RankWhatWasMeasuredOnTheirMachine) {
    SPARSIGHT_NEEDS_SHARED("waco");
    EXPECT_GT(mean_accuracy(published("pretrained/waco_resnet_SpMM.pth")), 0.92);
    EXPECT_GT(mean_accuracy(published("pretrained/waco_resnet_SpMV.pth")), 0.90);
    EXPECT_GT(mean_accuracy(published("pretrained/waco_resnet_SDDMM.pth")), 0.90);
}

TEST(PublishedWeights, RankBestInMinkowskiEnginesOrderOfTheKernels) {
    SPARSIGHT_NEEDS_SHARED("waco");
    std::array<double, testing::kernel_orders> sums{};
    for (const char* file : {"SpMM", "SpMV", "SDDMM"}) {
        Checkpoint model =
            published(std::filesystem::path("pretrained/waco_resnet_" + std::string(file) + ".pth"));
        const std::vector<NamedArray> weights = model.weights;
        for (const int order : {0, 3, 4, 7}) { // mirroring one axis alone is worse still
            model.weights = testing::with_kernel_order(weights, order);
            sums[static_cast<std::size_t>(order)] += mean_accuracy(model) / 3;
        }
    }
    for (const int order : {3, 4, 7})
        EXPECT_GT(sums[0], sums[static_cast<std::size_t>(order)]) << testing::kernel_order_name(order);
}

} // namespace
} // namespace sparsight
