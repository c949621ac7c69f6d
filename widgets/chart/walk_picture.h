// A search drawn as a walk: points on a plane, how good each is, and the steps that were made among them. As
// plain values.
#pragma once

#include <QString>
#include <QVariant>
#include <array>
#include <optional>
#include <vector>

namespace sparsight {

struct WalkNode {
    double x = 0;
    double y = 0;
    double score = 0; ///< lower is better; NaN: unknown
    QString label{};
    QVariant key{};         ///< what picked() says
    int rank = 0;           ///< among what was found, 1 the best; 0: not found
    bool seen = true;       ///< the walk has looked at it
    bool reference = false; ///< what the others are compared with
};

/// A node whose neighbours were looked at. Numbers are places in WalkPicture::nodes.
struct WalkStep {
    std::size_t node = 0;
    std::size_t from = 0; ///< itself: where the walk began
    int layer = 0;        ///< 0: the bottom one, which has all nodes
};

struct WalkPicture {
    QString title{};
    std::vector<WalkNode> nodes{};
    std::vector<WalkStep> steps{};     ///< in the order in which they were made
    std::array<double, 2> explained{}; ///< the shares of the variance along x and y
    QString score_name{};              ///< what the colours tell; empty: the predicted score
    bool scores_are_times = false;     ///< in milliseconds
    QString reference_name{};          ///< "fixed CSR"
};

/// The nodes by which the walk came from its beginning to this one, both included; empty where it did not.
[[nodiscard]] std::vector<std::size_t> path_to(const WalkPicture& picture, std::size_t node);

/// That of the best that was found.
[[nodiscard]] std::vector<std::size_t> path_to_best(const WalkPicture& picture);

/// "predicted score", or what else the colours tell.
[[nodiscard]] QString score_name(const WalkPicture& picture);
/// With its unit, where it has one.
[[nodiscard]] QString score_text(const WalkPicture& picture, double score);

/// Every node: key, place, score, rank, and when the walk expanded it.
[[nodiscard]] QString walk_csv(const WalkPicture& picture);

} // namespace sparsight
