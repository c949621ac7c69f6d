// A search whose objective is the measured time.
#pragma once

#include "base/random.h"
#include "study/configuration.h"
#include "study/configuration_space.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sparsight {

/// A search for fast configurations by their measured times: what to measure next on a workload, given what
/// was measured there before. It finds the best known configurations, against which models are compared, and
/// pools of candidates that are better than random ones.
///
/// An evolution strategy, one child at a time (a steady state: Whitley, "The GENITOR algorithm and selection
/// pressure", ICGA 1989), since measurements are made one by one: mostly a neighbour of one of the fastest
/// so far, at times a mixture of two of them or a random configuration. It begins around the baseline.
///
/// The next configuration is a function of the arguments and of the known times, in their order, so a stopped
/// search resumes as it would have continued.
class MeasuredSearch {
public:
    /// Draws a random configuration; nothing where none can be drawn.
    using Sampler = std::function<std::optional<Configuration>(Random& random)>;

    MeasuredSearch(std::shared_ptr<const ConfigurationSpace> space, Sampler sampler, Random random);

    /// Records a configuration that was measured, by this search or before it; without a time, it failed or
    /// was abandoned.
    void know(const Configuration& configuration, std::optional<double> median_ms);
    [[nodiscard]] std::size_t known_count() const { return known_.size(); }

    /// A configuration that is not known yet; the baseline first, where there is one. Absent when no new one
    /// was found.
    [[nodiscard]] std::optional<Configuration> next() const;

private:
    struct Parent {
        Configuration configuration;
        double median_ms;
    };

    [[nodiscard]] std::optional<Configuration> child(Random& random) const;
    [[nodiscard]] const Configuration& parent(Random& random) const;

    std::shared_ptr<const ConfigurationSpace> space_;
    Sampler sampler_;
    Random random_;
    std::unordered_set<Configuration> known_;
    std::vector<Parent> parents_; ///< the fastest, in their order
};

} // namespace sparsight
