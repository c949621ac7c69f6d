// Times by a rule of the test.
#pragma once

#include "evaluation/diagnosis/hybrid_evaluator.h"
#include "schedule/text.h"

#include <functional>
#include <set>

namespace sparsight::testing {

class InventedEvaluator final : public HybridEvaluator {
public:
    using Rule = std::function<HybridTime(const SuperSchedule&)>;
    explicit InventedEvaluator(Rule rule)
        : rule_(std::move(rule)) {}

    [[nodiscard]] std::string_view name() const override { return "invented"; }
    /// Schedules are one program where they are one, unless the test says otherwise.
    [[nodiscard]] std::string program(const SuperSchedule& schedule) const override {
        return programs ? programs(schedule) : to_text(schedule);
    }
    [[nodiscard]] Result<HybridTime> time(const SuperSchedule& schedule) override {
        asked.insert(schedule);
        return rule_(schedule);
    }
    [[nodiscard]] Result<void> prepare(std::span<const SuperSchedule>, const std::stop_token&) override {
        return {};
    }
    void set_limit(double milliseconds) override { limit = milliseconds; }

    std::function<std::string(const SuperSchedule&)> programs{};
    std::set<SuperSchedule> asked;
    std::optional<double> limit;

private:
    Rule rule_;
};

} // namespace sparsight::testing
