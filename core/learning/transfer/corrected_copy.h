// Few measurements on a new machine: a copy of other machines' times that is corrected by what is measured,
// and that says what to measure next.
//
// The correction is a Bayesian linear regression (Rasmussen and Williams, "Gaussian Processes for Machine
// Learning", 2006, chapter 2) of the logarithm of the time, on top of the copy. It reads how each source
// departs from the copy, as the target may be more like one of them, and a response surface of the decisions.
// Its scale and its noise are those of a small grid under which the measurements so far are likeliest.
#pragma once

#include "learning/transfer/unmeasured_choice.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// What the correction starts from.
struct CopiedPrior {
    std::vector<double> copy;      ///< logarithm of the time over the best, one for each configuration
    std::size_t width = 0;         ///< numbers that the correction reads of each
    std::vector<float> numbers;    ///< [configurations, width]
    std::vector<bool> is_possible; ///< whether it may be measured
};
[[nodiscard]] CopiedPrior copied_prior(const TransferTarget& target, const KnownSheets& sheets);
/// For the order of all configurations: the copy weighs all sources alike, as each of them errs elsewhere,
/// and the correction reads which values the decisions choose (TimedSpace::value_surface()).
[[nodiscard]] CopiedPrior order_prior(const TransferTarget& target, const KnownSheets& sheets);
/// On a copy that comes from elsewhere, one number for each configuration: the correction reads it and the
/// decisions.
[[nodiscard]] CopiedPrior prior_on(const TransferTarget& target, std::vector<double> copy);
/// Knows no time of any other machine: all configurations are alike at first.
[[nodiscard]] CopiedPrior plain_prior(const TransferTarget& target);

class CorrectedCopy {
public:
    explicit CorrectedCopy(CopiedPrior prior);

    /// What to measure next: first the best by the copy, then the lowest bound of what the time may be (the
    /// mean less 0.6 deviations). Absent where all was measured.
    [[nodiscard]] std::optional<std::size_t> next() const;
    /// The time in milliseconds; infinite where it failed, which counts as slower than all so far.
    void measured(std::size_t configuration, double milliseconds);

    /// Means of the logarithms of the times, up to a constant: by the likeliest scale and noise.
    [[nodiscard]] std::span<const double> means() const;
    [[nodiscard]] std::size_t count() const { return measured_.size(); }

private:
    /// The posterior under one scale and noise; each measurement updates it.
    struct Posterior {
        double scale = 1; ///< deviation of the correction
        double noise = 0.1;
        double evidence = 0; ///< logarithm of the likelihood of what was measured
        std::vector<double> means;
        std::vector<double> variances;
        /// Of each measurement what it explained of the covariances, [configurations].
        std::vector<std::vector<double>> explained{};
    };

    [[nodiscard]] const Posterior& likeliest() const;
    void update(Posterior& posterior, std::size_t configuration, std::span<const double> products,
                double value) const;

    CopiedPrior prior_;
    std::vector<Posterior> posteriors_;
    std::vector<std::size_t> measured_;
    std::vector<bool> was_measured_;
    std::optional<double> level_; ///< logarithm of the time that the copy calls 0, by the first that ran
    double slowest_ = 0;          ///< value of the slowest so far
};

} // namespace sparsight
