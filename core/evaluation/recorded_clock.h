// A clock that looks times up among those that a workspace has of one workload.
#pragma once

#include "evaluation/known_times.h"
#include "study/clock.h"
#include "study/domain.h"

#include <memory>
#include <string>
#include <string_view>

namespace sparsight {

/// Every configuration is a program of its own. One that was never tried, or failed, has no time, and the
/// reason. The times must live as long.
class KnownTimesClock final : public Clock {
public:
    KnownTimesClock(const KnownTimes& times, std::shared_ptr<const ConfigurationCodec> codec)
        : times_(times)
        , codec_(std::move(codec)) {}

    [[nodiscard]] std::string_view name() const override { return "recorded"; }
    [[nodiscard]] std::string program(const Configuration& configuration) const override {
        return codec_->text(configuration, 1);
    }
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override {
        const ResultRecord* const row = times_.find(configuration);
        if (row == nullptr)
            return ClockTime{.milliseconds = {}, .turns = 0, .reason = "no time of it is known"};
        if (!has_time(row->status) || !row->median_ms)
            return ClockTime{.milliseconds = {}, .turns = 0, .reason = row->reason};
        return ClockTime{.milliseconds = row->median_ms,
                         .spread_ms = row->spread_ms.value_or(0),
                         .turns = 0,
                         .is_at_least = row->status == MeasurementStatus::GaveUp};
    }

private:
    const KnownTimes& times_;
    std::shared_ptr<const ConfigurationCodec> codec_;
};

} // namespace sparsight
