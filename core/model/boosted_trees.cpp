#include "model/boosted_trees.h"

#include "base/parallel.h"
#include "model/cost_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <xgboost/c_api.h>

namespace sparsight {
namespace {

constexpr const char* squared_error = "reg:squarederror";
constexpr const char* absolute_error = "reg:absoluteerror";

const char* objective(TreesGoal goal) {
    switch (goal) {
    case TreesGoal::Order:
        return "rank:pairwise";
    case TreesGoal::Times:
        return squared_error;
    case TreesGoal::MedianTimes:
        return absolute_error;
    }
    std::unreachable();
}

struct MatrixDeleter {
    void operator()(void* handle) const { XGDMatrixFree(handle); }
};
using MatrixHandle = std::unique_ptr<void, MatrixDeleter>;

/// xgboost's functions return 0, or -1 and keep a text whose first line says what was wrong.
std::unexpected<Error> failed(std::string_view what) {
    const std::string_view text = XGBGetLastError();
    return fail(Fault::Internal, fmt::format("{}: {}", what, text.substr(0, text.find('\n'))));
}

Result<MatrixHandle> make_matrix(const TreeRows& rows) {
    DMatrixHandle handle = nullptr;
    // Values are never NaN; that is what marks a missing one.
    if (XGDMatrixCreateFromMat(rows.numbers.data(), rows.numbers.size() / rows.width, rows.width,
                               std::numeric_limits<float>::quiet_NaN(), &handle) != 0)
        return failed("the table for the trees was not made");
    MatrixHandle matrix(handle);
    std::vector<float> margins(rows.first_scores.size());
    std::ranges::transform(rows.first_scores, margins.begin(), std::negate{});
    if (!margins.empty() && XGDMatrixSetFloatInfo(handle, "base_margin", margins.data(), margins.size()) != 0)
        return failed("the first scores were not taken");
    return matrix;
}

/// Margins of the rounds until `end`, 0: all of them. xgboost rates fast schedules highly; our scores are
/// low for fast ones.
Result<std::vector<float>> negated_margins(BoosterHandle booster, DMatrixHandle matrix, std::size_t rows,
                                           int end) {
    const std::string what = fmt::format(
        R"({{"type": 1, "training": false, "iteration_begin": 0, "iteration_end": {}, "strict_shape": false}})",
        end);
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* predicted = nullptr;
    if (XGBoosterPredictFromDMatrix(booster, matrix, what.c_str(), &shape, &dimensions, &predicted) != 0)
        return failed("the trees gave no scores");
    std::vector<float> scores(rows);
    std::ranges::transform(std::span(predicted, rows), scores.begin(), std::negate{});
    return scores;
}

/// Of each runtime how many different ones are slower: xgboost ranks the largest first.
std::vector<float> relevance(std::span<const double> milliseconds) {
    std::vector<double> different(milliseconds.begin(), milliseconds.end());
    std::ranges::sort(different, std::greater{});
    different.erase(std::ranges::unique(different).begin(), different.end());
    std::vector<float> values;
    for (const double runtime : milliseconds)
        values.push_back(static_cast<float>(std::ranges::lower_bound(different, runtime, std::greater{}) -
                                            different.begin()));
    return values;
}

/// What is learned of the rows of a group, the highest for the fastest.
std::vector<float> labels_of(std::span<const double> milliseconds, TreesGoal goal) {
    if (goal == TreesGoal::Order)
        return relevance(milliseconds);
    std::vector<float> labels;
    for (const double runtime : milliseconds)
        labels.push_back(static_cast<float>(-std::log(runtime)));
    return labels;
}

/// Without what failed.
TreeRows rows_that_ran(const TreeRows& group) {
    TreeRows ran{group.width, {}, {}, {}};
    for (std::size_t row = 0; row < group.milliseconds.size(); ++row) {
        if (!std::isfinite(group.milliseconds[row]))
            continue;
        const auto numbers = std::span(group.numbers).subspan(row * group.width, group.width);
        ran.numbers.insert(ran.numbers.end(), numbers.begin(), numbers.end());
        if (!group.first_scores.empty())
            ran.first_scores.push_back(group.first_scores[row]);
        ran.milliseconds.push_back(group.milliseconds[row]);
    }
    return ran;
}

std::vector<std::pair<const char*, std::string>> settings_of(const TreesOptions& options) {
    std::vector<std::pair<const char*, std::string>> settings{
        {"objective", objective(options.goal)},       {"tree_method", "hist"},
        {"eta", fmt::format("{}", options.rate)},     {"seed", std::to_string(options.seed % 2147483647U)},
        {"nthread", std::to_string(options.threads)}, {"verbosity", "0"},
    };
    if (options.goal == TreesGoal::Order)
        settings.emplace_back("num_pairsample", std::to_string(options.pairs));
    else
        settings.emplace_back("base_score", "0");
    if (options.is_leaf_wise) {
        settings.emplace_back("grow_policy", "lossguide");
        settings.emplace_back("max_depth", "0");
        settings.emplace_back("max_leaves", std::to_string(1 << (options.depth / 2 + 1)));
    } else {
        settings.emplace_back("max_depth", std::to_string(options.depth));
    }
    return settings;
}

} // namespace

void RowTrees::Deleter::operator()(void* booster) const {
    XGBoosterFree(booster);
}

Result<void> RowTrees::set(const char* key, const std::string& value) {
    if (XGBoosterSetParam(booster_.get(), key, value.c_str()) != 0)
        return failed(fmt::format("xgboost does not take {} = {}", key, value));
    return {};
}

std::map<std::string, std::string> trees_environment(int threads) {
    int major = 0;
    int minor = 0;
    int patch = 0;
    XGBoostVersion(&major, &minor, &patch);
    return {{"threads", fmt::to_string(threads)}, {"xgboost", fmt::format("{}.{}.{}", major, minor, patch)}};
}

Result<RowTrees> RowTrees::train(std::span<const TreeRows> groups, const TreesOptions& options,
                                 const std::stop_token& stop, const ProgressSink& progress) {
    TreeRows all;
    std::vector<float> labels;
    std::vector<unsigned> sizes;
    const auto add = [&](const TreeRows& group) {
        all.width = group.width;
        std::ranges::copy(group.numbers, std::back_inserter(all.numbers));
        std::ranges::copy(group.first_scores, std::back_inserter(all.first_scores));
        std::ranges::copy(labels_of(group.milliseconds, options.goal), std::back_inserter(labels));
        sizes.push_back(static_cast<unsigned>(group.milliseconds.size()));
    };
    for (const TreeRows& group : groups)
        add(options.goal == TreesGoal::Order ? group : rows_that_ran(group));
    if (labels.empty())
        return fail(Fault::Input, "there is no runtime to train the trees on");
    const Result<MatrixHandle> matrix = make_matrix(all);
    if (!matrix)
        return std::unexpected(matrix.error());
    if (XGDMatrixSetFloatInfo(matrix->get(), "label", labels.data(), labels.size()) != 0)
        return failed("the runtimes were not taken");
    if (options.goal == TreesGoal::Order &&
        XGDMatrixSetUIntInfo(matrix->get(), "group", sizes.data(), sizes.size()) != 0)
        return failed("the groups were not taken");

    BoosterHandle booster = nullptr;
    const DMatrixHandle data = matrix->get();
    if (XGBoosterCreate(&data, 1, &booster) != 0)
        return failed("the trees were not made");
    RowTrees trees(booster);
    trees.predict_times_ = options.goal != TreesGoal::Order;
    for (const auto& [key, value] : settings_of(options))
        if (auto set = trees.set(key, value); !set)
            return std::unexpected(std::move(set.error()));
    // Asked now, xgboost looks how wide the rows are; without a round it never would.
    if (const auto none = trees.rounds(); !none)
        return std::unexpected(none.error());
    for (int round = 0; round < options.rounds; ++round) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        if (XGBoosterUpdateOneIter(booster, round, data) != 0)
            return failed("the trees were not trained");
        if (progress)
            progress({.stage = "training trees",
                      .done = static_cast<std::uint64_t>(round) + 1,
                      .total = static_cast<std::uint64_t>(options.rounds)});
    }
    return trees;
}

Result<RowTrees> RowTrees::load(std::string_view bytes, std::size_t width, std::string_view subject) {
    // Checked before xgboost reads them: it takes text that is not JSON for its old binary format, and
    // trusts its content.
    if (auto shapes = check_tree_shapes(bytes, width); !shapes)
        return std::unexpected(std::move(shapes.error()));
    BoosterHandle booster = nullptr;
    if (XGBoosterCreate(nullptr, 0, &booster) != 0)
        return failed("the trees were not made");
    RowTrees trees(booster);
    if (auto set = trees.set("verbosity", "0"); !set)
        return std::unexpected(std::move(set.error()));
    bst_ulong features = 0;
    if (XGBoosterLoadModelFromBuffer(booster, bytes.data(), bytes.size()) != 0 ||
        XGBoosterGetNumFeature(booster, &features) != 0)
        return fail(Fault::Input, failed("are no trees of xgboost").error().message);
    if (features != width)
        return fail(Fault::Input,
                    fmt::format("the trees look at {} features, where {} has {}", features, subject, width));
    trees.predict_times_ = bytes.find(squared_error) != std::string_view::npos ||
                           bytes.find(absolute_error) != std::string_view::npos;
    return trees;
}

Result<std::string> RowTrees::save() const {
    bst_ulong size = 0;
    const char* bytes = nullptr;
    if (XGBoosterSaveModelToBuffer(booster_.get(), R"({"format": "json"})", &size, &bytes) != 0)
        return failed("the trees were not saved");
    return std::string(bytes, size);
}

Result<int> RowTrees::rounds() const {
    int rounds = 0;
    if (XGBoosterBoostedRounds(booster_.get(), &rounds) != 0)
        return failed("the trees were not counted");
    return rounds;
}

Result<std::vector<std::vector<float>>> RowTrees::scores(const TreeRows& rows,
                                                         std::span<const int> rounds) const {
    std::vector<std::vector<float>> scores(rounds.size());
    if (rows.numbers.empty())
        return scores;
    const Result<MatrixHandle> matrix = make_matrix(rows);
    if (!matrix)
        return std::unexpected(matrix.error());
    for (std::size_t at = 0; at < rounds.size(); ++at) {
        auto until =
            negated_margins(booster_.get(), matrix->get(), rows.numbers.size() / rows.width, rounds[at]);
        if (!until)
            return std::unexpected(std::move(until).error());
        scores[at] = *std::move(until);
    }
    return scores;
}

namespace {

TreeRows rows_of(const TreeFeatures& features, std::span<const double> statistics,
                 std::span<const Configuration> configurations) {
    return {features.names().size(),
            features.rows(statistics, configurations),
            features.first_scores(statistics, configurations),
            {}};
}

} // namespace

Result<BoostedTrees> BoostedTrees::train(std::shared_ptr<const TreeFeatures> features,
                                         std::span<const TreesGroup> groups, const TreesOptions& options,
                                         const std::stop_token& stop, const ProgressSink& progress) {
    std::vector<TreeRows> rows;
    for (const TreesGroup& group : groups) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        rows.push_back(rows_of(*features, group.statistics, group.configurations));
        rows.back().milliseconds = group.milliseconds;
    }
    auto trees = RowTrees::train(rows, options, stop, progress);
    if (!trees)
        return std::unexpected(std::move(trees).error());
    return BoostedTrees(std::move(features), *std::move(trees));
}

Result<BoostedTrees> BoostedTrees::load(std::shared_ptr<const TreeFeatures> features,
                                        std::string_view bytes) {
    auto trees = RowTrees::load(bytes, features->names().size(), features->subject());
    if (!trees)
        return std::unexpected(std::move(trees).error());
    return BoostedTrees(std::move(features), *std::move(trees));
}

Result<std::vector<float>> BoostedTrees::score(std::span<const double> statistics,
                                               std::span<const Configuration> configurations,
                                               int rounds) const {
    if (configurations.empty())
        return std::vector<float>{};
    auto scores =
        trees_.scores(rows_of(*features_, statistics, configurations), std::span(&rounds, std::size_t{1}));
    if (!scores)
        return std::unexpected(std::move(scores).error());
    return std::move(scores->front());
}

Result<std::vector<std::vector<std::vector<float>>>>
BoostedTrees::score_groups(std::span<const TreesGroup> groups, std::span<const int> rounds) const {
    constexpr std::size_t most_rows = 50'000; // so that a table stays within some hundred megabytes
    std::vector<std::vector<std::vector<float>>> scores(rounds.size());
    for (std::size_t first = 0; first < groups.size();) {
        TreeRows rows{features_->names().size(), {}, {}, {}};
        std::size_t end = first;
        for (std::size_t count = 0; end < groups.size() && count < most_rows; ++end) {
            const TreeRows of = rows_of(*features_, groups[end].statistics, groups[end].configurations);
            std::ranges::copy(of.numbers, std::back_inserter(rows.numbers));
            std::ranges::copy(of.first_scores, std::back_inserter(rows.first_scores));
            count += groups[end].configurations.size();
        }
        auto by_rounds = trees_.scores(rows, rounds);
        if (!by_rounds)
            return std::unexpected(std::move(by_rounds).error());
        for (std::size_t at = 0; at < rounds.size(); ++at) {
            auto next = (*by_rounds)[at].begin();
            for (std::size_t group = first; group < end; ++group) {
                const auto size = static_cast<std::ptrdiff_t>(groups[group].configurations.size());
                scores[at].emplace_back(next, next + size);
                next += size;
            }
        }
        first = end;
    }
    return scores;
}

Result<std::vector<float>> BoostedTrees::parts(std::span<const double> statistics,
                                               std::span<const Configuration> configurations) const {
    if (configurations.empty())
        return std::vector<float>{};
    const Result<int> rounds = this->rounds();
    if (!rounds)
        return std::unexpected(rounds.error());
    std::vector<std::size_t> places; // without those of no tree: xgboost takes 0 rounds for all
    std::vector<int> ends;
    for (std::size_t part = 0; part < tree_parts; ++part)
        if (const int end = *rounds * static_cast<int>(part + 1) / static_cast<int>(tree_parts); end > 0) {
            places.push_back(part);
            ends.push_back(end);
        }
    const auto until = trees_.scores(rows_of(*features_, statistics, configurations), ends);
    if (!until)
        return std::unexpected(until.error());
    std::vector<float> parts(configurations.size() * tree_parts);
    for (std::size_t at = 0; at < places.size(); ++at)
        for (std::size_t row = 0; row < configurations.size(); ++row)
            parts[row * tree_parts + places[at]] =
                (*until)[at][row] - (at > 0 ? (*until)[at - 1][row] : 0.0F);
    return parts;
}

namespace {

using Nodes = std::vector<std::int64_t>;

constexpr std::int64_t no_child = -1;
constexpr std::int64_t no_parent = 2147483647; // as xgboost marks the root

bool is_tree(const Nodes& left, const Nodes& right, const Nodes& parents) {
    const auto count = static_cast<std::int64_t>(left.size());
    std::vector<std::int64_t> found(left.size(), no_parent);
    for (std::int64_t node = 0; node < count; ++node) {
        const auto at = static_cast<std::size_t>(node);
        if ((left[at] == no_child) != (right[at] == no_child))
            return false;
        for (const std::int64_t child : {left[at], right[at]}) {
            if (child == no_child)
                continue;
            // The root is not a child, and no node has two parents: so no cycle can be reached from the
            // root.
            if (child <= 0 || child >= count || found[static_cast<std::size_t>(child)] != no_parent)
                return false;
            found[static_cast<std::size_t>(child)] = node;
        }
    }
    return found == parents;
}

/// The defect of a tree; empty: none.
std::string tree_defect(const nlohmann::json& tree, std::int64_t features) {
    const auto left = tree.at("left_children").get<Nodes>();
    const auto right = tree.at("right_children").get<Nodes>();
    const auto parents = tree.at("parents").get<Nodes>();
    const auto split_features = tree.at("split_indices").get<Nodes>();
    const std::size_t count = left.size();
    if (count == 0 || right.size() != count || parents.size() != count || split_features.size() != count ||
        tree.at("tree_param").at("num_nodes").get<std::string>() != std::to_string(count))
        return "has lists of different lengths";
    if (!is_tree(left, right, parents))
        return "has nodes that do not make a tree";
    for (const std::int64_t feature : split_features)
        if (feature < 0 || feature >= features)
            return fmt::format("looks at feature {} of {}", feature, features);
    for (const char* categories : {"categories", "categories_nodes"})
        if (!tree.at(categories).empty())
            return "splits by categories, which none of ours does";
    return {};
}

} // namespace

Result<void> check_tree_shapes(std::string_view text, std::size_t features) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    try {
        const nlohmann::json& booster = json.at("learner").at("gradient_booster");
        const nlohmann::json& trees = booster.at("model").at("trees");
        if (booster.at("name").get<std::string>() != "gbtree" ||
            booster.at("model").at("tree_info").size() != trees.size())
            return fail(Fault::Input, "are no trees of xgboost");
        for (std::size_t tree = 0; tree < trees.size(); ++tree)
            if (const std::string wrong = tree_defect(trees[tree], static_cast<std::int64_t>(features));
                !wrong.empty())
                return fail(Fault::Input, fmt::format("tree {} {}", tree + 1, wrong));
    } catch (const nlohmann::json::exception&) {
        return fail(Fault::Input, "are no trees of xgboost");
    }
    return {};
}

namespace {

std::unexpected<Error> no_embeddings() {
    return fail(Fault::Input, "trees have no embeddings of configurations");
}

class TreeScorer final : public WorkloadScorer {
public:
    TreeScorer(std::shared_ptr<const BoostedTrees> trees, std::vector<double> statistics)
        : trees_(std::move(trees))
        , statistics_(std::move(statistics)) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        return trees_->score(statistics_, configurations);
    }
    Result<std::vector<float>> score_embeddings(std::span<const float>) const override {
        return no_embeddings();
    }

    Result<std::vector<float>> last_inputs(std::span<const Configuration> configurations) const override {
        return trees_->parts(statistics_, configurations);
    }

private:
    std::shared_ptr<const BoostedTrees> trees_;
    std::vector<double> statistics_;
};

class TreeCostModel final : public CostModel {
public:
    TreeCostModel(ModelDescription description, BoostedTrees trees)
        : description_(std::move(description))
        , trees_(std::make_shared<const BoostedTrees>(std::move(trees))) {}

    const ModelDescription& description() const override { return description_; }
    Result<std::unique_ptr<WorkloadScorer>> embed(const std::shared_ptr<const Payload>& payload,
                                                  const MachineDescription* machine,
                                                  int threads) const override {
        return std::make_unique<TreeScorer>(trees_,
                                            trees_->features().statistics_on(*payload, machine, threads));
    }
    Result<std::vector<float>> score_each(std::span<const std::shared_ptr<const Payload>> workloads,
                                          const Configuration& configuration,
                                          const MachineDescription* machine, int threads) const override {
        std::vector<TreesGroup> groups(workloads.size());
        parallel_parts(threads, std::ssize(workloads), [&](int, std::int64_t begin, std::int64_t end) {
            for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end); ++at) {
                groups[at] = {
                    trees_->features().statistics_on(*workloads[at], machine, 1), {configuration}, {}};
            }
        });
        constexpr int all_rounds = 0;
        const auto scores = trees_->score_groups(groups, std::span(&all_rounds, 1));
        if (!scores)
            return std::unexpected(scores.error());
        std::vector<float> each;
        for (const std::vector<float>& score : scores->front())
            each.push_back(score.front());
        return each;
    }
    bool reads_statistics() const override { return !trees_->features().reads_payload(); }
    Result<std::unique_ptr<WorkloadScorer>>
    embed_statistics(std::span<const double> statistics, const MachineDescription* machine) const override {
        if (!reads_statistics())
            return CostModel::embed_statistics(statistics, machine);
        return scorer({statistics.begin(), statistics.end()}, machine);
    }
    std::size_t last_width() const override { return tree_parts; }
    std::size_t embedding_width() const override { return 0; }
    Result<std::vector<float>> embed_configurations(std::span<const Configuration>) const override {
        return no_embeddings();
    }

private:
    [[nodiscard]] std::unique_ptr<WorkloadScorer> scorer(std::vector<double> statistics,
                                                         const MachineDescription* machine) const {
        std::ranges::copy(trees_->features().machine_numbers(machine), std::back_inserter(statistics));
        return std::make_unique<TreeScorer>(trees_, std::move(statistics));
    }

    ModelDescription description_;
    std::shared_ptr<const BoostedTrees> trees_;
};

} // namespace

Result<std::unique_ptr<CostModel>> make_tree_cost_model(const Checkpoint& checkpoint,
                                                        const ModelDomain& domain) {
    auto features = domain.tree_features(checkpoint.model.architecture);
    if (!features)
        return std::unexpected(std::move(features).error());
    Result<BoostedTrees> trees = BoostedTrees::load(*std::move(features), checkpoint.trees);
    if (!trees)
        return std::unexpected(trees.error());
    return std::make_unique<TreeCostModel>(checkpoint.model, *std::move(trees));
}

} // namespace sparsight
