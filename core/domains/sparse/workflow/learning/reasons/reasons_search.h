// What reasons of a model are asked for.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ReasonsRequest {
    std::string model;
    std::string matrix;
    std::string schedule;        ///< csr, best, or a line in WACO's form
    std::string against = "csr"; ///< likewise
    std::string machine;         ///< name, fingerprint, or a preset; empty: this computer
    std::int64_t dense = 256;
    std::vector<ReasonPart> parts; ///< empty: all
    Seconds budget{60};            ///< of all parts together
    std::int64_t cells = 16;       ///< of the grid, in each direction
    std::uint64_t seed = 1;
    int threads = 1;

    [[nodiscard]] bool asks_for(ReasonPart part) const;
};

// How long each part of a model's reasons may take.

/// The budget, shared out among the parts that are asked for: what one leaves over the next ones have.
class PartBudget {
public:
    explicit PartBudget(const ReasonsRequest& request)
        : total_(request.budget.count()) {
        for (const ReasonPart part : all_reason_parts)
            if (request.asks_for(part))
                weight_left_ += weight(part);
    }

    /// From now on; called once for each part that is asked for.
    [[nodiscard]] std::function<bool()> start(ReasonPart part) {
        const double now = watch_.seconds();
        const double end = now + std::max(0.0, total_ - now) * weight(part) / weight_left_;
        weight_left_ -= weight(part);
        return [this, end] { return watch_.seconds() >= end; };
    }

private:
    [[nodiscard]] static double weight(ReasonPart part) {
        switch (part) {
        case ReasonPart::Anchors:
            return 4;
        case ReasonPart::Saliency:
            return 3;
        case ReasonPart::Sensitivity:
        case ReasonPart::Nearest:
        case ReasonPart::Uncertainty:
            return 1;
        }
        return 1;
    }

    Stopwatch watch_;
    double total_;
    double weight_left_ = 0;
};

// All reasons of a model for one choice, part by part.

class LearningDomains;
class Workspace;

/// The same for the same seed, but for parts that ended because their share of the budget was over. A part
/// that there is nothing to say of is told as missing. Errors: those of read_reasons_data(); patterns that
/// can't be read; Fault::Cancelled.
[[nodiscard]] Result<ModelReasons> find_model_reasons(Workspace& workspace, const LearningDomains& domains,
                                                      const ReasonsRequest& request,
                                                      const std::stop_token& stop,
                                                      const ProgressSink& progress);

} // namespace sparsight
