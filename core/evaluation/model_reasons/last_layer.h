// How sure a model may be of the order of two configurations: a Bayesian view of its last, linear layer
// alone, by Laplace's approximation about its weights (Kristiadi, Hein, Hennig: Being Bayesian, even just a
// bit, fixes overconfidence in ReLU networks, ICML 2020; Daxberger et al.: Laplace redux, NeurIPS 2021). The
// difference of two scores is normal, and its variance grows where the difference of the layer's inputs is
// unlike all training data.
#pragma once

#include "base/error.h"
#include "evaluation/model_reasons/reliability.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// A symmetric positive definite matrix of a few dozen rows.
class SmallMatrix {
public:
    explicit SmallMatrix(std::size_t size)
        : size_(size)
        , numbers_(size * size, 0.0) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double& at(std::size_t row, std::size_t column) { return numbers_[row * size_ + column]; }
    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return numbers_[row * size_ + column];
    }
    /// Adds weight · v vᵀ to the lower triangle, the only part that the functions below read.
    void add_outer(double weight, std::span<const float> v);
    void add_diagonal(double value);

private:
    std::size_t size_;
    std::vector<double> numbers_;
};

/// The lower triangle L of A = L Lᵀ (Cholesky). Nothing where A is not positive definite.
[[nodiscard]] std::optional<SmallMatrix> cholesky(SmallMatrix matrix);

/// vᵀ A⁻¹ v, given the triangle of A.
[[nodiscard]] double inverse_form(const SmallMatrix& triangle, std::span<const float> v);

/// Two configurations of one workload; the first one is measured to be faster.
struct OrderedPair {
    std::size_t workload = 0; ///< pairs of one workload are checked by fits to the others
    double margin = 0; ///< score of the slower less that of the faster one: above 0 where the model is right
    std::vector<float> difference{}; ///< of the last layer's inputs, likewise; empty where there is none
};

struct LastLayerPairs {
    /// Pairs of workloads that the model learned from: they say how well its weights are known. Where there
    /// are none, `others` are used.
    std::vector<OrderedPair> learned;
    std::vector<OrderedPair> others; ///< of workloads that it did not learn from
};

class LastLayer {
public:
    /// P(the order of the margin is right) for the margin of two configurations and the difference of their
    /// inputs: σ(s·|m| / √(1 + π v / 8)) with v = dᵀ Σ d (MacKay: The evidence framework applied to
    /// classification networks, 1992).
    [[nodiscard]] double confidence(double margin, std::span<const float> difference) const;
    /// Standard deviation of the margin.
    [[nodiscard]] double deviation(std::span<const float> difference) const;
    [[nodiscard]] double scale() const { return scale_; }

private:
    friend class LastLayerFit;

    double scale_ = 1;
    std::optional<SmallMatrix> triangle_; ///< of Σ⁻¹; absent: weights are treated as certain
};

/// How sure a model is of its preference, and whether that is justified.
struct UncertaintyReason {
    /// "last layer": its weights are uncertain, and so are margins; "scale": there is no such layer, and
    /// margins alone say how sure the model is.
    std::string method{};
    double margin = 0;       ///< score of `against` less that of the configuration
    double deviation = 0;    ///< standard deviation of the margin; 0 for "scale"
    double confidence = 0.5; ///< that the preferred configuration is faster, 0.5 to 1
    double scale = 1;        ///< factor on margins before the logistic function
    std::int64_t fitted_pairs = 0;
    std::int64_t fitted_workloads = 0;
    /// Whether the curve comes from workloads that were not learned from, if there are enough; otherwise each
    /// workload is checked by a fit to the others.
    bool held_out = false;
    std::int64_t checked_pairs = 0;
    std::int64_t checked_workloads = 0;
    /// Mean distance of predicted and observed shares over the pairs (expected calibration error).
    double calibration_error = 0;
    std::vector<CalibrationBin> bins{}; ///< by confidence, ascending; empty ones are left out
    std::string machine{};              ///< machine of the runtimes

    bool operator==(const UncertaintyReason&) const = default;
};

struct UncertaintyFit {
    LastLayer layer;
    UncertaintyReason reason; ///< all but the values of one pair
};

/// Scale and prior are those under which held-out pairs of workloads are least surprising (5-fold over
/// workloads). Errors: fewer than `fewest_workloads` workloads (Fault::Input); Fault::Cancelled.
inline constexpr std::size_t fewest_workloads = 3;
[[nodiscard]] Result<UncertaintyFit> fit_last_layer(const LastLayerPairs& pairs,
                                                    const std::stop_token& stop = {});

} // namespace sparsight
