// How well WACO's published weights rank the recorded runtimes, in each of the eight orders that mirroring
// and transposing the kernels give, and without looking at the matrix at all.
//   published_weights_report SHARED_FOLDER [MOST_NON_ZEROS] > report.json
#include "base/reading/unpacked_file.h"
#include "core/domains/sparse/encoder/reference_network.h"
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "model/networks/encoder.h"
#include "study/ranking_metrics.h"

#include <ATen/core/grad_mode.h>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace sparsight::bench {
namespace {

using Json = nlohmann::ordered_json;
using testing::kernel_orders;

// The recorded runtimes of ../shared/waco whose matrices are at hand.

struct RecordedMatrix {
    std::string source; ///< "original", "collected-32-threads", "xeon_8272cl"
    Operator op = Operator::SpMM;
    std::string matrix;
    std::vector<SuperSchedule> schedules;
    std::vector<double> milliseconds; ///< one for each schedule
};

struct PublishedRuntimes {
    std::vector<RecordedMatrix> matrices; ///< with a pattern in find_pattern() and two runtimes at least
    std::int64_t unreadable = 0;          ///< schedules that are not valid here
    std::int64_t dropped = 0; ///< runtimes of 1000 ms and more, as WACO drops them, and under 0.001 ms
    std::int64_t without_pattern = 0; ///< matrices
};

/// Of original/NAME.csr or matrices/NAME.mtx.gz; an empty path where it is in neither.
std::filesystem::path find_pattern(const std::filesystem::path& shared, const std::string& matrix) {
    for (const auto& path :
         {shared / "waco/original" / (matrix + ".csr"), shared / "matrices" / (matrix + ".mtx.gz")})
        if (std::filesystem::exists(path))
            return path;
    return {};
}

Result<std::string> unpack(const std::filesystem::path& path) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 30;
    Result<UnpackedFile> file = open_compressed(path, limit, {});
    if (!file)
        return std::unexpected(file.error());
    std::string text;
    std::vector<char> block(std::size_t{1} << 20);
    for (;;) {
        const Result<std::size_t> count = file->bytes->read(block);
        if (!count)
            return std::unexpected(count.error());
        text.append(block.data(), *count);
        if (*count < block.size())
            return text;
    }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

class Collector {
public:
    explicit Collector(std::filesystem::path shared)
        : shared_(std::move(shared)) {}

    void add(const std::string& source, Operator op, std::string_view matrix, const SuperSchedule& schedule,
             double milliseconds) {
        if (!(milliseconds < 1000 && milliseconds >= 0.001)) {
            ++runtimes_.dropped;
            return;
        }
        auto& record = records_[{source, op, std::string(matrix)}];
        record.schedules.push_back(schedule);
        record.milliseconds.push_back(milliseconds);
    }

    /// Columns by their place in the file.
    Result<void> add_table(const std::string& source, const std::filesystem::path& path, int op_column,
                           std::size_t matrix_column, std::size_t schedule_column) {
        const Result<std::string> text = unpack(path);
        if (!text)
            return std::unexpected(text.error());
        const auto lines = split(*text, '\n');
        for (std::size_t line = 1; line < lines.size(); ++line) {
            const auto fields = split(lines[line], ',');
            if (fields.size() <= schedule_column + 1)
                continue;
            const Operator op = op_column < 0
                                    ? Operator::SpMM
                                    : parse_operator(fields[static_cast<std::size_t>(op_column)]).value();
            const auto runtime = parse_schedule_runtime(op, std::string(fields[schedule_column]) + " = " +
                                                                std::string(fields[schedule_column + 1]));
            if (runtime)
                add(source, op, fields[matrix_column], runtime->schedule, runtime->milliseconds);
            else
                ++runtimes_.unreadable;
        }
        return {};
    }

    Result<void> add_folder(Operator op, const std::filesystem::path& folder) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const auto runtimes = read_schedule_runtimes(op, entry.path());
            if (!runtimes)
                return std::unexpected(runtimes.error());
            for (const ScheduleRuntime& runtime : *runtimes)
                add("original", op, entry.path().stem().string(), runtime.schedule, runtime.milliseconds);
        }
        return {};
    }

    PublishedRuntimes take() {
        for (auto& [key, record] : records_) {
            std::tie(record.source, record.op, record.matrix) = key;
            if (find_pattern(shared_, record.matrix).empty())
                ++runtimes_.without_pattern;
            else if (record.schedules.size() > 1)
                runtimes_.matrices.push_back(std::move(record));
        }
        return std::move(runtimes_);
    }

private:
    std::filesystem::path shared_;
    std::map<std::tuple<std::string, Operator, std::string>, RecordedMatrix> records_;
    PublishedRuntimes runtimes_;
};

Result<PublishedRuntimes> read_published_runtimes(const std::filesystem::path& shared) {
    Collector collector(shared);
    for (const auto& [op, folder] : {std::pair(Operator::SpMM, "SpMM"), std::pair(Operator::SpMV, "SpMV"),
                                     std::pair(Operator::SDDMM, "SDDMM")})
        if (auto added = collector.add_folder(op, shared / "waco/original" / folder); !added)
            return std::unexpected(std::move(added.error()));
    const auto waco = shared / "waco";
    if (auto added = collector.add_table("collected-32-threads",
                                         waco / "collected-32-threads/spmm_runtimes.csv.xz", -1, 0, 4);
        !added)
        return std::unexpected(std::move(added.error()));
    if (auto added = collector.add_table("xeon_8272cl", waco / "xeon_8272cl_runtimes.csv.xz", 0, 3, 4);
        !added)
        return std::unexpected(std::move(added.error()));
    return collector.take();
}

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
