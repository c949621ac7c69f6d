// How long each part of a model's reasons may take.
#pragma once

#include "base/stopwatch.h"
#include "learn/reasons_request.h"

#include <algorithm>
#include <functional>

namespace sparsight {

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

} // namespace sparsight
