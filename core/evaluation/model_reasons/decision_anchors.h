// The space in which the rule behind a model's preference of one configuration to another is searched, in any
// domain: what both decide. Changed cases take some decisions of either from other configurations.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "evaluation/model_reasons/anchor_reason.h"
#include "study/configuration.h"
#include "study/configuration_space.h"
#include "study/domain.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// Takes each decision of the other configuration with probability ½. Where the hybrid does not fit, it gives
/// back those that `broken` names, and then the others one by one. The hybrid without any fits.
[[nodiscard]] DecisionSet drawn_decisions(const HybridSpace& space, Random& random,
                                          const std::function<bool(DecisionSet)>& fits,
                                          const std::function<DecisionSet(DecisionSet)>& broken);

/// One score for each configuration, lower is faster. A function of the configurations alone.
using ConfigurationScores = std::function<Result<std::vector<double>>(std::span<const Configuration>)>;

struct DecisionComparison {
    Configuration configuration; ///< valid in the space, like the other one
    Configuration against;
    std::vector<Configuration> others; ///< that decisions are taken from
    const ConfigurationCodec& codec;
    const ConfigurationSpace& space;
    ConfigurationScores scores;
};

/// A configuration, what holds of it, and changed forms of it.
class ConfigurationVariants {
public:
    /// A changed form, with how it decides.
    struct Variant {
        Configuration configuration;
        std::vector<DecisionValue> decisions;
    };

    /// Refers to the codec and the space of the comparison. Of the others those are left out that are alike,
    /// or differ in too many decisions. Errors: other ones of ConfigurationSpace::between().
    [[nodiscard]] static Result<ConfigurationVariants> make(const DecisionComparison& comparison,
                                                            ReasonSubject subject);

    /// That it has changed decisions from.
    [[nodiscard]] const std::vector<std::shared_ptr<const HybridSpace>>& hybrids() const { return hybrids_; }

    /// A decision that some variant makes differently has its value; one between the least and the greatest
    /// number is also at least, or at most, that.
    [[nodiscard]] const std::vector<ReasonPredicate>& predicates() const { return predicates_; }
    [[nodiscard]] bool holds(std::size_t predicate, const std::vector<DecisionValue>& decisions) const;

    /// Draws one of the others at random, and takes each of its differing decisions with probability ½, as
    /// far as the predicates of `kept` still hold.
    [[nodiscard]] Variant draw(std::span<const std::size_t> kept, Random& random) const;

private:
    ConfigurationVariants(const ConfigurationCodec& codec, ReasonSubject subject, Configuration configuration,
                          std::vector<std::shared_ptr<const HybridSpace>> hybrids);

    const ConfigurationCodec& codec_;
    ReasonSubject subject_;
    Configuration configuration_;
    std::vector<std::shared_ptr<const HybridSpace>> hybrids_; ///< to each other one that differs
    std::vector<ReasonPredicate> predicates_;
};

class DecisionAnchorSpace final : public AnchorSpace {
public:
    /// Refers to the codec and the space. Errors: those of the scores, and of ConfigurationVariants.
    [[nodiscard]] static Result<std::unique_ptr<DecisionAnchorSpace>> make(DecisionComparison comparison);

    /// Why a search in it would mean nothing, without a full stop: the model scores both alike, or neither of
    /// them changes. Empty: there is a rule to search.
    [[nodiscard]] std::string missing() const;
    /// That one of both never changes, and why; likewise.
    [[nodiscard]] std::string unchanged() const;
    /// Configurations that variants take decisions from.
    [[nodiscard]] std::size_t others() const;

    /// Those of the configuration first.
    [[nodiscard]] std::size_t predicates() const override {
        return chosen_.predicates().size() + against_.predicates().size();
    }
    [[nodiscard]] const ReasonPredicate& predicate(std::size_t place) const {
        const std::size_t first = chosen_.predicates().size();
        return place < first ? chosen_.predicates()[place] : against_.predicates()[place - first];
    }
    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count,
                                                       Random& random) override;

    /// Score of the other one less that of the configuration: above 0 where the model prefers it.
    [[nodiscard]] double margin() const { return margin_; }

private:
    DecisionAnchorSpace(DecisionComparison comparison, ConfigurationVariants chosen,
                        ConfigurationVariants against);
    [[nodiscard]] Result<std::vector<double>> margins(std::span<const Configuration> pairs) const;

    DecisionComparison comparison_;
    ConfigurationVariants chosen_;
    ConfigurationVariants against_;
    double margin_ = 0;
};

} // namespace sparsight
