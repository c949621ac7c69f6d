// How well WACO's published weights rank the recorded runtimes, in each of the eight orders that mirroring
// and transposing the kernels give, and without looking at the matrix at all.
//   published_weights_report SHARED_FOLDER [MOST_NON_ZEROS] > report.json
#include "base/ranking_metrics.h"
#include "core/model/reference_network.h"
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/published_weights.h"
#include "domains/sparse/tensor/reading.h"
#include "model/networks/encoder.h"
#include "published_runtimes.h"

#include <ATen/core/grad_mode.h>
#include <array>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace sparsight::bench {
namespace {

using Json = nlohmann::ordered_json;
using testing::kernel_orders;

struct Summary {
    double accuracy = 0;
    double tau = 0;
    double regret = 0;
    int matrices = 0;

    void add(std::span<const float> scores, std::span<const double> runtimes) {
        const PairCounts pairs = count_pairs(scores, runtimes);
        accuracy += ordered_pair_accuracy(pairs).value_or(0.5);
        tau += kendall_tau_b(pairs).value_or(0);
        regret += top_k_regret(scores, runtimes, 5).value_or(0);
        ++matrices;
    }
    [[nodiscard]] Json json() const {
        return {{"ordered_pair_accuracy", accuracy / matrices},
                {"kendall_tau_b", tau / matrices},
                {"top_5_regret", regret / matrices}};
    }
};

struct WeightFile {
    std::string path;
    Operator op;
};
const std::array weight_files{
    WeightFile{"pretrained/waco_resnet_SpMM.pth", Operator::SpMM},
    WeightFile{"pretrained/waco_resnet_SpMV.pth", Operator::SpMV},
    WeightFile{"pretrained/waco_resnet_SDDMM.pth", Operator::SDDMM},
    WeightFile{"collected-32-threads/pretrained_resnet14.pth", Operator::SpMM},
    WeightFile{"collected-32-threads/meta_transfer_model.pth", Operator::SpMM},
    WeightFile{"collected-32-threads/meta_model.pth", Operator::SpMM},
};

class Report {
public:
    Report(std::filesystem::path shared, std::int64_t most_nonzeros)
        : shared_(std::move(shared))
        , most_nonzeros_(most_nonzeros)
        , runtimes_(read_published_runtimes(shared_).value()) {}

    Json json() {
        Json files = Json::array();
        for (const WeightFile& file : weight_files)
            for (const char* source : {"original", "collected-32-threads", "xeon_8272cl"})
                if (Json entry = rank(file, source); !entry.is_null())
                    files.push_back(std::move(entry));
        return {{"schedules_that_are_not_valid", runtimes_.unreadable},
                {"runtimes_dropped", runtimes_.dropped},
                {"matrices_without_pattern", runtimes_.without_pattern},
                {"weights", std::move(files)}};
    }

private:
    const CsrPattern& pattern(const std::string& matrix) {
        const auto found = patterns_.find(matrix);
        if (found != patterns_.end())
            return found->second;
        return patterns_.emplace(matrix, read_matrix(find_pattern(shared_, matrix)).value().pattern)
            .first->second;
    }

    Json rank(const WeightFile& file, const std::string& source) {
        const PublishedWeights weights =
            read_published_weights(shared_ / "waco" / file.path, file.op).value();
        std::array<NamedTensors, kernel_orders> orders;
        for (int order = 0; order < kernel_orders; ++order)
            orders[static_cast<std::size_t>(order)] =
                to_tensors(testing::with_kernel_order(weights.weights, order));
        std::array<Summary, kernel_orders> summaries;
        Summary blind;
        for (const RecordedMatrix& record : runtimes_.matrices) {
            if (record.source != source || record.op != file.op)
                continue;
            const CsrPattern& of = pattern(record.matrix);
            if (of.nnz() > most_nonzeros_)
                continue;
            PatternStatistics sizes;
            sizes.rows = of.rows;
            sizes.cols = of.cols;
            sizes.nnz = of.nnz();
            const MatrixInput matrix = matrix_input(weights.network, of, sizes, nullptr, 2);
            const at::Tensor schedules = embed_schedules(
                weights.network, orders[0],
                schedule_input(weights.network, encode_batch(weights.network.schedules, record.schedules)));
            const auto add = [&](Summary& summary, const NamedTensors& parameters,
                                 const at::Tensor& embedding) {
                const at::Tensor scores = predict(parameters, embedding, schedules).contiguous();
                summary.add({scores.data_ptr<float>(), static_cast<std::size_t>(scores.numel())},
                            record.milliseconds);
            };
            for (std::size_t order = 0; order < orders.size(); ++order)
                add(summaries[order], orders[order], embed_matrix(weights.network, orders[order], matrix));
            add(blind, orders[0], embed_matrix(weights.network, orders[0], matrix).mul(0));
        }
        if (summaries[0].matrices == 0)
            return nullptr;
        Json by_order;
        for (int order = 0; order < kernel_orders; ++order)
            by_order[testing::kernel_order_name(order)] = summaries[static_cast<std::size_t>(order)].json();
        return {{"file", file.path},
                {"operator", name(file.op)},
                {"runtimes", source},
                {"matrices", summaries[0].matrices},
                {"as_read", summaries[0].json()},
                {"without_the_matrix", blind.json()},
                {"kernel_orders", std::move(by_order)}};
    }

    std::filesystem::path shared_;
    std::int64_t most_nonzeros_;
    PublishedRuntimes runtimes_;
    std::map<std::string, CsrPattern> patterns_;
};

} // namespace
} // namespace sparsight::bench

int main(int count, char** arguments) {
    if (count != 2 && count != 3) {
        std::cerr << "usage: published_weights_report SHARED_FOLDER [MOST_NON_ZEROS]\n";
        return 2;
    }
    const std::int64_t most_nonzeros = count == 3 ? std::stoll(arguments[2]) : std::int64_t{1} << 40;
    const at::NoGradGuard no_gradients;
    std::cout << sparsight::bench::Report(arguments[1], most_nonzeros).json().dump(2) << '\n';
    return 0;
}
