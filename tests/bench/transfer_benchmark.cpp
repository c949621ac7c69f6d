// transfer_benchmark WORKSPACE --target MACHINE [options]
// Whether what was learned elsewhere saves measurements on a machine: how well models rank the schedules of
// matrices that they never saw, after learning from few and from many matrices of the target. Each seed
// splits the matrices anew. Prints one JSON object; every number has its 95 % interval over the seeds.
//   --target MACHINE      whose schedules are ranked; all other machines of the workspace are sources
//   --contender SPEC      may be repeated: "name key=value …"
//       architecture=statistics|waconet|trees
//       start=scratch|sources|FILE.pth   "sources": supervised on the other machines
//       epochs= rate= rule=inner|adam loss= schedules= clip=   of the fine-tuning
//       source-epochs= source-rate=                       of the training on the sources
//   --shots A,B,…         matrices of the target (default 0,1,5,10,25,100)
//   --seeds N             (default 5)
//   --most-non-zeros N    larger matrices are left out
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/fine_tuning/shot_curve.h"
#include "learning/tasks/splits.h"
#include "learning/training/trainer.h"
#include "model/boosted_trees.h"
#include "model/tensors/torch_runtime.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace {

using namespace sparsight;
using Json = nlohmann::ordered_json;

template <typename T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().text());
    return std::move(*result);
}

struct Contender {
    std::string name;
    std::map<std::string, std::string> words;

    [[nodiscard]] std::string word(const std::string& key, const std::string& otherwise) const {
        const auto found = words.find(key);
        return found == words.end() ? otherwise : found->second;
    }
    [[nodiscard]] double number(const std::string& key, double otherwise) const {
        return std::stod(word(key, fmt::format("{}", otherwise)));
    }
};

Contender parse_contender(const std::string& text) {
    std::istringstream words(text);
    Contender contender;
    words >> contender.name;
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            throw std::runtime_error(fmt::format("'{}' is not key=value", word));
        contender.words[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return contender;
}

struct Settings {
    std::string workspace;
    std::string target;
    std::vector<Contender> contenders;
    std::vector<std::size_t> shots{0, 1, 5, 10, 25, 100};
    std::uint64_t seeds = 5;
    std::int64_t most_non_zeros = std::int64_t{1} << 40;
};

Settings parse(int count, char** words) {
    Settings settings;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        if (!word.starts_with("--")) {
            settings.workspace = word;
            continue;
        }
        if (++at == count)
            throw std::runtime_error(word + " needs a value");
        const std::string value = words[at];
        if (word == "--target")
            settings.target = value;
        else if (word == "--contender")
            settings.contenders.push_back(parse_contender(value));
        else if (word == "--seeds")
            settings.seeds = std::stoull(value);
        else if (word == "--most-non-zeros")
            settings.most_non_zeros = std::stoll(value);
        else if (word == "--shots") {
            settings.shots.clear();
            std::istringstream list(value);
            for (std::string shots; std::getline(list, shots, ',');)
                settings.shots.push_back(std::stoull(shots));
        } else {
            throw std::runtime_error("unknown option " + word);
        }
    }
    return settings;
}

/// Without matrices that are too large.
void leave_out_large(TaskSet& set, std::int64_t most_non_zeros) {
    for (Task& task : set.tasks)
        std::erase_if(task.runtimes, [&](const WorkloadRuntimes& runtimes) {
            return pattern_statistics(set.workloads[runtimes.workload].statistics).nnz > most_non_zeros;
        });
}

class Experiment {
public:
    explicit Experiment(const Settings& settings)
        : settings_(settings)
        , workspace_(must(Workspace::open(settings.workspace)))
        , tasks_(must(sparse_tasks(workspace_, {.setting = setting_of(Operator::SpMM, 256)})).set) {
        leave_out_large(tasks_, settings.most_non_zeros);
        while (target_ < tasks_.tasks.size() && tasks_.tasks[target_].machine != settings.target)
            ++target_;
        if (target_ == tasks_.tasks.size())
            throw std::runtime_error("no runtimes of the machine " + settings.target);
        for (const WorkloadRuntimes& runtimes : tasks_.tasks[target_].runtimes)
            measured_.push_back(runtimes.workload);
        for (std::size_t t = 0; t < tasks_.tasks.size(); ++t)
            if (t != target_)
                sources_.tasks.push_back(tasks_.tasks[t]);
        sources_.workloads = tasks_.workloads;
    }

    Json json() {
        std::vector<ShotPoint> points;
        for (std::uint64_t seed = 1; seed <= settings_.seeds; ++seed)
            for (const Contender& contender : settings_.contenders)
                for (ShotPoint& point : curve(contender, seed))
                    add(points, std::move(point));
        Json results = Json::array();
        for (const ShotPoint& point : points)
            results.push_back(written(point));
        return {{"target", settings_.target},
                {"matrices", measured_.size()},
                {"seeds", settings_.seeds},
                {"points", std::move(results)}};
    }

private:
    /// Three in ten matrices of the target to test with; a family of siblings stays together, so that no
    /// source has seen them either.
    [[nodiscard]] WorkloadSplit split(std::uint64_t seed) const {
        return must(split_workloads(tasks_.workloads, {0.7, 0, 0.3}, seed));
    }

    std::vector<ShotPoint> curve(const Contender& contender, std::uint64_t seed) {
        const WorkloadSplit sides = split(seed);
        if (contender.word("architecture", "statistics") == "trees")
            return trees(contender, sides, seed);
        const auto [network, start] = beginning(contender, sides, seed);
        ExampleStore examples(tasks_, sparse_encoder(network), 1);
        FineTuningOptions tuning;
        tuning.rule = parse_fine_tuning_rule(contender.word("rule", "adam")).value();
        tuning.loss = loss(contender);
        tuning.epochs = static_cast<int>(contender.number("epochs", 5));
        tuning.configurations_per_workload = static_cast<int>(contender.number("schedules", 32));
        tuning.inner_rate = tuning.adam_rate = contender.number("rate", 1e-3);
        tuning.longest_gradient = contender.number("clip", 1);
        const ShotContender one =
            tuned_network(contender.name, [&start](std::uint64_t) { return start; }, tuning);
        return must(shot_curve(examples, target_, sides, std::span(&one, 1), {settings_.shots, 1},
                               [&](const ShotPoint& point) { tell(point, seed); }));
    }

    [[nodiscard]] static Loss loss(const Contender& contender) {
        return parse_loss(contender.word("loss", "margin")).value();
    }

    struct Beginning {
        NetworkDescription network;
        MetaParameters parameters;
    };

    Beginning beginning(const Contender& contender, const WorkloadSplit& sides, std::uint64_t seed) {
        const std::string start = contender.word("start", "scratch");
        if (start.ends_with(".pth")) {
            const PublishedWeights published = must(read_published_weights(start, Operator::SpMM));
            return {published.network, {to_tensors(published.weights, true), std::nullopt}};
        }
        NetworkDescription network;
        network.architecture = parse_architecture(contender.word("architecture", "statistics")).value();
        network.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network.standardisation = standardise(network.architecture, tasks_, sides.train);
        MetaParameters parameters{to_tensors(initial_weights(network, seed), true), std::nullopt};
        if (start == "sources")
            parameters.weights = trained_on_sources(contender, network, sides, seed, parameters.weights);
        return {std::move(network), std::move(parameters)};
    }

    NamedTensors trained_on_sources(const Contender& contender, const NetworkDescription& network,
                                    const WorkloadSplit& sides, std::uint64_t seed,
                                    const NamedTensors& weights) const {
        TrainingOptions options;
        options.loss = loss(contender);
        options.epochs = static_cast<int>(contender.number("source-epochs", 80));
        options.rate = contender.number("source-rate", 1e-3);
        options.rate_schedule = RateSchedule::Cosine;
        options.configurations_per_workload = static_cast<int>(contender.number("source-schedules", 128));
        options.seed = seed;
        ExampleStore examples(sources_, sparse_encoder(network), 1);
        return must(train(examples, {sides.train, {}, {}}, options,
                          initial_training_state(options.method, options.inner, weights)))
            .state.parameters.weights;
    }

    std::vector<ShotPoint> trees(const Contender& contender, const WorkloadSplit& sides, std::uint64_t seed) {
        WorkloadSplit measured = sides;
        std::erase_if(measured.train, [&](std::size_t matrix) {
            return std::ranges::find(measured_, matrix) == measured_.end();
        });
        std::vector<ShotPoint> points;
        for (const std::size_t shots : settings_.shots) {
            const auto matrices = training_subset(measured, shots, 1);
            if (matrices.empty())
                continue;
            TreesOptions options;
            options.rounds = static_cast<int>(contender.number("rounds", options.rounds));
            options.depth = static_cast<int>(contender.number("depth", options.depth));
            options.rate = contender.number("rate", options.rate);
            options.seed = seed;
            const Task& target = tasks_.tasks[target_];
            std::vector<TreesGroup> groups;
            for (const WorkloadRuntimes& runtimes : target.runtimes)
                if (std::ranges::find(matrices, runtimes.workload) != matrices.end())
                    groups.push_back({tasks_.workloads[runtimes.workload].statistics, runtimes.configurations,
                                      runtimes.milliseconds});
            const BoostedTrees model =
                must(BoostedTrees::train(schedule_features(Operator::SpMM), groups, options));
            const RuntimesScorer scores = [&](std::size_t place) {
                const WorkloadRuntimes& runtimes = target.runtimes[place];
                return model.score(tasks_.workloads[runtimes.workload].statistics, runtimes.configurations);
            };
            points.push_back(
                {contender.name,
                 matrices.size(),
                 {must(report_scores(tasks_, scores, loss(contender), false, target_, sides.test))}});
            tell(points.back(), seed);
        }
        return points;
    }

    void tell(const ShotPoint& point, std::uint64_t seed) const {
        std::cerr << fmt::format("seed {} {} {}: {:.4f}\n", seed, point.contender, point.shots,
                                 point.seeds.front().ordered_pair_accuracy.value_or(0));
    }

    /// Seeds of one contender and number of shots in one point.
    static void add(std::vector<ShotPoint>& points, ShotPoint point) {
        for (ShotPoint& known : points)
            if (known.contender == point.contender && known.shots == point.shots) {
                known.seeds.push_back(point.seeds.front());
                return;
            }
        points.push_back(std::move(point));
    }

    static Json written(const ShotPoint& point) {
        Json json{{"contender", point.contender}, {"shots", point.shots}, {"seeds", point.seeds.size()}};
        for (const char* metric :
             {"ordered_pair_accuracy", "kendall_tau", "regret_at_1", "regret_at_5", "speedup_at_5"})
            if (const auto interval = confidence_interval(point, metric)) {
                json[metric]["mean"] = interval->mean;
                json[metric]["low"] = interval->low ? Json(*interval->low) : Json();
                json[metric]["high"] = interval->high ? Json(*interval->high) : Json();
            }
        return json;
    }

    const Settings& settings_;
    Workspace workspace_;
    TaskSet tasks_;
    TaskSet sources_;
    std::size_t target_ = 0;
    std::vector<std::size_t> measured_; ///< on the target
};

} // namespace

int main(int count, char** words) {
    try {
        const Settings settings = parse(count, words);
        (void)prepare_torch(1);
        std::cout << Experiment(settings).json().dump(2) << '\n';
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "transfer_benchmark: " << error.what() << '\n';
        return 1;
    }
}
