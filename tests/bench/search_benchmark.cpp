// search_benchmark [SHARED_FOLDER] [--threads N] [--most N] [--matrices N] [--operator spmm|spmv|sddmm]
// Top 20 of 1,000 to 100,000 (or N) schedules: the walk through the graph against scoring all of them, with
// WACO's published weights and real matrices where the folder has them, with initial weights and generated
// matrices otherwise; then the search over the whole space for each matrix. Prints one JSON object; times are
// in ms, those of queries medians over the matrices of the shortest of five runs. What one thread does is
// told in its processor time as well, which other work on the computer does not lengthen.

#include "base/parallel.h"
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/cost_model.h"
#include "model/vector_instructions.h"
#include "search/configuration_index.h"
#include "search/configuration_search.h"
#include "search/predictor_head.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>

namespace {

using namespace sparsight;
using Json = nlohmann::ordered_json;

struct BenchmarkSettings {
    std::filesystem::path shared;
    Operator op = Operator::SpMM;
    int threads = available_threads();
    std::int64_t most = 100'000;
    std::size_t matrices = 8;
};

BenchmarkSettings parse(int count, char** words) {
    BenchmarkSettings settings;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        if (!word.starts_with("--") || at + 1 == count) {
            settings.shared = word;
            continue;
        }
        const std::string value = words[++at];
        if (word == "--threads")
            settings.threads = std::stoi(value);
        else if (word == "--most")
            settings.most = std::stoll(value);
        else if (word == "--matrices")
            settings.matrices = std::stoull(value);
        else if (word == "--operator")
            settings.op = parse_operator(value).value();
    }
    return settings;
}

struct Times {
    double wall = 0;      ///< ms
    double processor = 0; ///< ms of this thread
};

double processor_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

Times timed(const std::function<void()>& work) {
    const double processor = processor_milliseconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
            processor_milliseconds() - processor};
}

/// What the work takes where nothing disturbs it.
Times shortest(const std::function<void()>& work) {
    Times best = timed(work);
    for (int run = 1; run < 5; ++run) {
        const Times times = timed(work);
        best = {std::min(best.wall, times.wall), std::min(best.processor, times.processor)};
    }
    return best;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

struct Weights {
    std::string source;
    Checkpoint checkpoint;
};

Weights weights_for(const BenchmarkSettings& settings) {
    const std::string file = settings.op == Operator::SpMM   ? "waco_resnet_SpMM.pth"
                             : settings.op == Operator::SpMV ? "waco_resnet_SpMV.pth"
                                                             : "waco_resnet_SDDMM.pth";
    const std::filesystem::path path = settings.shared / "waco" / "pretrained" / file;
    Weights weights;
    if (std::filesystem::exists(path)) {
        PublishedWeights published = read_published_weights(path, settings.op).value();
        weights.source = file;
        weights.checkpoint.model.architecture = describe(published.network);
        weights.checkpoint.weights = std::move(published.weights);
        return weights;
    }
    NetworkDescription network;
    network.schedules = schedule_layout(settings.op, ScheduleTables::Waco);
    network.standardisation = published_standardisation();
    weights.source = "initial weights";
    weights.checkpoint.weights = initial_weights(network, 1);
    weights.checkpoint.model.architecture = describe(network);
    return weights;
}

struct Matrix {
    std::string name;
    CsrPattern pattern;
};

/// Files of all sizes up to one that is read in a moment, evenly spread over the folder.
std::vector<Matrix> matrices_for(const BenchmarkSettings& settings) {
    std::vector<Matrix> matrices;
    const std::filesystem::path folder = settings.shared / "matrices";
    if (std::filesystem::is_directory(folder)) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().filename().string().ends_with(".mtx.gz") && entry.file_size() < 2'000'000)
                files.push_back(entry.path());
        std::ranges::sort(files);
        const std::size_t count = std::min(settings.matrices, files.size());
        for (std::size_t at = 0; at < count; ++at) {
            LoadedMatrix loaded = read_matrix(files[at * files.size() / count]).value();
            matrices.push_back({loaded.name, std::move(loaded.pattern)});
        }
        return matrices;
    }
    for (std::size_t at = 0; at < settings.matrices; ++at) {
        const double rows = 1000.0 * static_cast<double>(std::size_t{1} << (at % 6));
        matrices.push_back(
            {fmt::format("uniform, {} rows", rows),
             generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 10 / rows}}, at)
                 .value()});
    }
    return matrices;
}

Extents extents_of(Operator op, const Matrix& matrix) {
    return extents(op, matrix.pattern.rows, matrix.pattern.cols, 256);
}

/// Half as WACO collects them, half from the whole space, over the spaces of all matrices.
std::vector<SuperSchedule> collected(const BenchmarkSettings& settings, const std::vector<Matrix>& matrices) {
    Random random(1);
    const auto each = static_cast<int>(settings.most / static_cast<std::int64_t>(matrices.size()));
    std::unordered_set<SuperSchedule> seen;
    std::vector<SuperSchedule> schedules;
    for (const Matrix& matrix : matrices) {
        const Extents of = extents_of(settings.op, matrix);
        // More than are needed, since matrices have most of their schedules in common.
        std::vector<SuperSchedule> drawn =
            sample_waco(settings.op, of, each, settings.threads, random, FreeSplits::UpToDimension);
        std::ranges::move(sample_uniform(settings.op, of, 2 * each, settings.threads, random),
                          std::back_inserter(drawn));
        for (const SuperSchedule& schedule : drawn)
            if (seen.insert(canonical(schedule)).second)
                schedules.push_back(canonical(schedule));
    }
    random.shuffle(schedules);
    schedules.resize(std::min(schedules.size(), static_cast<std::size_t>(settings.most)));
    return schedules;
}

/// The matrices as the predictor sees them.
struct Queries {
    std::vector<std::unique_ptr<WorkloadScorer>> scorers;
    std::vector<WorkloadPredictor> predictors;
    std::vector<double> embedding_times;
};

Queries queries_for(const CostModel& model, const PredictorHead& head, const std::vector<Matrix>& matrices,
                    int threads) {
    Queries queries;
    for (const Matrix& matrix : matrices) {
        const Times time = timed([&] {
            queries.scorers.push_back(model.embed(payload_of(matrix.pattern), nullptr, threads).value());
        });
        queries.embedding_times.push_back(time.wall);
        queries.predictors.push_back(head.for_workload(queries.scorers.back()->embedding()).value());
    }
    return queries;
}

Json json(const Times& times) {
    return {{"wall ms", times.wall}, {"processor ms", times.processor}};
}

Json median_of(const std::vector<Times>& times) {
    std::vector<double> wall;
    std::vector<double> processor;
    for (const Times& one : times) {
        wall.push_back(one.wall);
        processor.push_back(one.processor);
    }
    return json(Times{median(wall), median(processor)});
}

Json exhaustive_times(const ConfigurationIndex& index, std::span<const float> rows, const Queries& queries,
                      int threads) {
    std::vector<Times> times;
    for (const WorkloadPredictor& predictor : queries.predictors)
        times.push_back(shortest([&] { (void)search_exhaustively(index, rows, predictor, 20, threads); }));
    return median_of(times);
}

Json walk_figures(const ConfigurationIndex& index, std::span<const float> rows, const Queries& queries,
                  int width) {
    std::vector<Times> times;
    std::vector<double> recalls;
    std::vector<double> scored;
    for (const WorkloadPredictor& predictor : queries.predictors) {
        const WalkSettings settings{.k = 20, .width = width};
        IndexSearch search;
        times.push_back(shortest([&] { search = search_index(index, rows, predictor, settings); }));
        recalls.push_back(recall(search.best, search_exhaustively(index, rows, predictor, 20, 1)));
        scored.push_back(static_cast<double>(search.walk.scored));
    }
    return {{"width", width},
            {"recall@20", mean(recalls)},
            {"lowest recall@20", std::ranges::min(recalls)},
            {"scored", mean(scored)},
            {"time", median_of(times)}};
}

Json figures(std::span<const Configuration> configurations, const CostModel& model, const PredictorHead& head,
             const Queries& queries, int threads) {
    std::vector<float> embeddings;
    const Times embedding_time =
        timed([&] { embeddings = model.embed_configurations(configurations).value(); });
    ConfigurationIndex index;
    const Times build_time =
        timed([&] { index = build_configuration_index("", configurations, embeddings).value(); });
    FloatBuffer rows;
    const Times projection_time = timed([&] { rows = head.project(index.embeddings, 1); });
    const Times torch_time =
        shortest([&] { (void)queries.scorers[0]->score_embeddings(index.embeddings).value(); });
    Json result{
        {"schedules", index.configurations.size()},
        {"different embeddings", index.nodes.count()},
        {"embedding the schedules", json(embedding_time)},
        {"building the index", json(build_time)},
        {"projecting", json(projection_time)},
        {"exhaustive", exhaustive_times(index, rows, queries, 1)},
        {fmt::format("exhaustive on {} threads", threads), exhaustive_times(index, rows, queries, threads)},
        {"exhaustive by LibTorch, scores only", json(torch_time)}};
    for (const int width : {200, 400, 800, 1600, 3200})
        if (static_cast<std::size_t>(width) <= index.nodes.count())
            result["walks"].push_back(walk_figures(index, rows, queries, width));
    return result;
}

Json whole_space(const BenchmarkSettings& settings, const Matrix& matrix, const WorkloadScorer& scorer,
                 std::span<const Configuration> configurations) {
    const ScheduleSpace space(settings.op, extents_of(settings.op, matrix));
    const std::vector<float> scores = scorer.score(configurations).value();
    const std::vector<Ranked> best = best_of(scores, 20);
    const float csr = scorer.score(std::vector{*space.baseline()}).value()[0];
    Json result{{"matrix", matrix.name}, {"fixed CSR", csr}, {"best collected", best.front().score}};
    for (const bool from_best : {false, true}) {
        for (const SearchMethod method : {SearchMethod::Annealing, SearchMethod::Evolution}) {
            SearchSettings of{.method = method, .budget = 5000};
            for (const Ranked& ranked : best)
                if (from_best)
                    of.starts.push_back(configurations[ranked.candidate]);
            ConfigurationSearch search;
            const Times time = timed([&] { search = search_configurations(space, scorer, of).value(); });
            result["searches"].push_back({{"method", name(method)},
                                          {"from the best collected", from_best},
                                          {"scored", search.scored},
                                          {"best", search.best.front().score},
                                          {"time", json(time)}});
        }
    }
    return result;
}

} // namespace

int main(int count, char** words) {
    const BenchmarkSettings settings = parse(count, words);
    const Weights weights = weights_for(settings);
    const auto model = make_cost_model(weights.checkpoint, SparseLearning()).value();
    const PredictorHead head = PredictorHead::of(weights.checkpoint).value();
    const std::vector<Matrix> matrices = matrices_for(settings);
    const std::vector<Configuration> configurations = configurations_of(collected(settings, matrices));
    const Queries queries = queries_for(*model, head, matrices, settings.threads);

    Json result{{"operator", name(settings.op)},
                {"weights", weights.source},
                {"instruction set", name_of(widest_vector_instructions())},
                {"embedding a matrix ms", median(queries.embedding_times)}};
    for (const Matrix& matrix : matrices)
        result["matrices"].push_back(matrix.name);
    std::vector<std::size_t> sizes; // the last one is all of them
    for (std::size_t size = 1000; size < configurations.size(); size *= 10)
        sizes.push_back(size);
    sizes.push_back(configurations.size());
    for (const std::size_t size : sizes)
        result["sizes"].push_back(
            figures(std::span(configurations).first(size), *model, head, queries, settings.threads));
    for (std::size_t at = 0; at < matrices.size(); ++at)
        result["whole space"].push_back(
            whole_space(settings, matrices[at], *queries.scorers[at], configurations));
    std::printf("%s\n", result.dump(2).c_str());
}
