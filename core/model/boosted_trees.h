// Gradient-boosted regression trees (xgboost; Chen and Guestrin, KDD 2016) with its pairwise ranking
// objective over the statistics of a workload and the decisions of a configuration: the baseline that every
// learned model must beat.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "model/networks/encoder.h"
#include "study/configuration.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// The configurations of one workload and their times; only those of one group are compared with each other.
struct TreesGroup {
    std::vector<double>
        statistics; ///< of the workload, in the order of its domain's table, and of the machine
    std::vector<Configuration> configurations;
    std::vector<double> milliseconds; ///< one for each; infinity where it failed
};

/// What trees learn of times.
enum class TreesGoal : std::uint8_t {
    Order, ///< xgboost's pairwise ranking, within a group
    Times, ///< ln(milliseconds), with a squared error; failures teach nothing
    /// ln(milliseconds), with an absolute error: the median, which is near to what makes the mean of the
    /// relative errors of the times small.
    MedianTimes,
};

struct TreesOptions {
    TreesGoal goal = TreesGoal::Order;
    /// The leaf that gains most is split next, as LightGBM does (Ke et al., NeurIPS 2017), until there are
    /// 2^(depth / 2 + 1) leaves: 32 for a depth of 8, where LightGBM's default is 31. Otherwise trees grow
    /// level by level.
    bool is_leaf_wise = false;
    int rounds = 300; ///< trees
    int depth = 8;
    double rate = 0.1;
    /// Pairs drawn for each configuration and tree.
    int pairs = 4;
    std::uint64_t seed = 1;
    int threads = 1;
};

/// Rows of a table, of equal width; those of one group are compared with each other.
struct TreeRows {
    std::size_t width = 0;
    std::vector<float> numbers;       ///< row by row; none is a NaN
    std::vector<float> first_scores;  ///< to which the trees' scores are added; empty: nothing
    std::vector<double> milliseconds; ///< to learn from: one for each row; infinity where it failed
};

/// What trees depend on beside their options and groups: "threads" and "xgboost" (its version). Networks
/// depend on more: computing_environment() (model/tensors/torch_runtime.h).
[[nodiscard]] std::map<std::string, std::string> trees_environment(int threads);

/// The number of parts that parts() gives.
inline constexpr std::size_t tree_parts = 10;

/// The trees themselves: over rows, whatever these tell of.
class RowTrees {
public:
    /// As BoostedTrees::train().
    [[nodiscard]] static Result<RowTrees> train(std::span<const TreeRows> groups, const TreesOptions& options,
                                                const std::stop_token& stop = {},
                                                const ProgressSink& progress = {});
    /// Reads the output of save(). `subject` is what rows of this width are of, for errors.
    [[nodiscard]] static Result<RowTrees> load(std::string_view bytes, std::size_t width,
                                               std::string_view subject);

    [[nodiscard]] Result<std::string> save() const;
    [[nodiscard]] Result<int> rounds() const;
    /// Whether scores are ln(milliseconds): any goal but TreesGoal::Order.
    [[nodiscard]] bool predict_times() const { return predict_times_; }
    /// For each of these numbers of rounds one score for each row; lower is faster. 0 rounds: all.
    [[nodiscard]] Result<std::vector<std::vector<float>>> scores(const TreeRows& rows,
                                                                 std::span<const int> rounds) const;

private:
    struct Deleter {
        void operator()(void* booster) const;
    };
    explicit RowTrees(void* booster)
        : booster_(booster) {}
    [[nodiscard]] Result<void> set(const char* key, const std::string& value);

    std::unique_ptr<void, Deleter> booster_;
    bool predict_times_ = false;
};

class BoostedTrees {
public:
    /// Trains; the same trees for the same groups, options and number of threads. Reports its rounds.
    /// Fault::Cancelled when stopped.
    [[nodiscard]] static Result<BoostedTrees>
    train(std::shared_ptr<const TreeFeatures> features, std::span<const TreesGroup> groups,
          const TreesOptions& options, const std::stop_token& stop = {}, const ProgressSink& progress = {});
    /// Reads the output of save(). Anything else is an error of Fault::Input.
    [[nodiscard]] static Result<BoostedTrees> load(std::shared_ptr<const TreeFeatures> features,
                                                   std::string_view bytes);

    [[nodiscard]] const TreeFeatures& features() const { return *features_; }
    [[nodiscard]] Result<std::string> save() const { return trees_.save(); }

    /// The rounds of training, which is the number of trees.
    [[nodiscard]] Result<int> rounds() const { return trees_.rounds(); }
    /// Whether scores are ln(milliseconds).
    [[nodiscard]] bool predict_times() const { return trees_.predict_times(); }

    /// One score for each configuration; lower is faster. By the trees of the first `rounds` rounds; 0: by
    /// all.
    [[nodiscard]] Result<std::vector<float>> score(std::span<const double> statistics,
                                                   std::span<const Configuration> configurations,
                                                   int rounds = 0) const;

    /// The same for each of several groups, whose times are not looked at, in one go: by each of these
    /// numbers of rounds.
    [[nodiscard]] Result<std::vector<std::vector<std::vector<float>>>>
    score_groups(std::span<const TreesGroup> groups, std::span<const int> rounds) const;

    /// [configurations, tree_parts], row by row: the contribution of the first tenth of the trees, of the
    /// second one, and so on. Together with a constant they make the score.
    [[nodiscard]] Result<std::vector<float>> parts(std::span<const double> statistics,
                                                   std::span<const Configuration> configurations) const;

private:
    BoostedTrees(std::shared_ptr<const TreeFeatures> features, RowTrees trees)
        : features_(std::move(features))
        , trees_(std::move(trees)) {}

    std::shared_ptr<const TreeFeatures> features_;
    RowTrees trees_;
};

/// Whether a JSON model of xgboost holds trees over `features` features: every child and parent is within
/// its tree, every node but the root has one parent, every feature is one of them. xgboost reads a saved
/// model without checking where its nodes point. An error of Fault::Input otherwise.
[[nodiscard]] Result<void> check_tree_shapes(std::string_view json, std::size_t features);

} // namespace sparsight
