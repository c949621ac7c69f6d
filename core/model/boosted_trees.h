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
#include <vector>

namespace sparsight {

/// The configurations of one workload and their times; only those of one group are compared with each other.
struct TreesGroup {
    std::vector<double>
        statistics; ///< of the workload, in the order of its domain's table, and of the machine
    std::vector<Configuration> configurations;
    std::vector<double> milliseconds; ///< one for each; infinity where it failed
};

struct TreesOptions {
    int rounds = 300; ///< trees
    int depth = 8;
    double rate = 0.1;
    /// Pairs drawn for each configuration and tree.
    int pairs = 4;
    std::uint64_t seed = 1;
    int threads = 1;
};

/// What trees depend on beside their options and groups: "threads" and "xgboost" (its version). Networks
/// depend on more: computing_environment() (model/tensors/torch_runtime.h).
[[nodiscard]] std::map<std::string, std::string> trees_environment(int threads);

/// The number of parts that parts() gives.
inline constexpr std::size_t tree_parts = 10;

class BoostedTrees {
public:
    /// Trains; the same trees for the same groups, options and number of threads. Reports its rounds.
    /// Fault::Cancelled when stopped.
    [[nodiscard]] static Result<BoostedTrees> train(std::shared_ptr<const TreeFeatures> features,
                                                    std::span<const TreesGroup> groups,
                                                    const TreesOptions& options, std::stop_token stop = {},
                                                    const ProgressSink& progress = {});
    /// Reads the output of save(). Anything else is an error of Fault::Input.
    [[nodiscard]] static Result<BoostedTrees> load(std::shared_ptr<const TreeFeatures> features,
                                                   std::string_view bytes);

    BoostedTrees(BoostedTrees&& other) noexcept;
    BoostedTrees& operator=(BoostedTrees&& other) noexcept;
    ~BoostedTrees();

    [[nodiscard]] const TreeFeatures& features() const { return *features_; }
    [[nodiscard]] Result<std::string> save() const;

    /// The rounds of training, which is the number of trees.
    [[nodiscard]] Result<int> rounds() const;

    /// One score for each configuration; lower is faster. By the trees of the first `rounds` rounds; 0: by
    /// all.
    [[nodiscard]] Result<std::vector<float>> score(std::span<const double> statistics,
                                                   std::span<const Configuration> configurations,
                                                   int rounds = 0) const;

    /// [configurations, tree_parts], row by row: the contribution of the first tenth of the trees, of the
    /// second one, and so on. Together with a constant they make the score.
    [[nodiscard]] Result<std::vector<float>> parts(std::span<const double> statistics,
                                                   std::span<const Configuration> configurations) const;

private:
    struct Booster;
    BoostedTrees(std::shared_ptr<const TreeFeatures> features, std::unique_ptr<Booster> booster);

    std::shared_ptr<const TreeFeatures> features_;
    std::unique_ptr<Booster> booster_;
};

/// Whether a JSON model of xgboost holds trees over `features` features: every child and parent is within
/// its tree, every node but the root has one parent, every feature is one of them. xgboost reads a saved
/// model without checking where its nodes point. An error of Fault::Input otherwise.
[[nodiscard]] Result<void> check_tree_shapes(std::string_view json, std::size_t features);

} // namespace sparsight
