// Times by a rule of the test.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/diagnosis/hybrids/hybrid_evaluator.h"
#include "evaluation/diagnosis/paired_measurement.h"
#include "study/timing.h"

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

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

// Times by a rule of the test, off by noise that multiplies them: another measurement says more.

class NoisyEvaluator final : public HybridEvaluator {
public:
    using Rule = std::function<double(const SuperSchedule&)>; ///< true milliseconds

    NoisyEvaluator(Rule rule, double noise, std::uint64_t seed)
        : rule_(std::move(rule))
        , noise_(noise)
        , random_(seed) {}

    [[nodiscard]] std::string_view name() const override { return "measured"; }
    [[nodiscard]] std::string program(const SuperSchedule& schedule) const override {
        return to_text(schedule);
    }
    [[nodiscard]] Result<HybridTime> time(const SuperSchedule& schedule) override {
        auto& turns = turns_[program(schedule)];
        if (turns.empty())
            turns.push_back(measure(schedule));
        std::vector<double> values;
        for (const Milliseconds turn : turns)
            values.push_back(turn.count());
        const double median = median_of(turns).count();
        const double spread = turns.size() > 2 ? median_error(values) : 3 * noise_ * median;
        return HybridTime{
            .milliseconds = median, .spread_ms = spread, .turns = static_cast<int>(turns.size())};
    }
    [[nodiscard]] Result<void> prepare(std::span<const SuperSchedule>, const std::stop_token&) override {
        return {};
    }
    [[nodiscard]] bool varies() const override { return true; }
    [[nodiscard]] Result<std::optional<Milliseconds>> measure_again(const SuperSchedule& schedule) override {
        if (auto first = time(schedule); !first)
            return std::unexpected(first.error());
        auto& turns = turns_[program(schedule)];
        turns.push_back(measure(schedule));
        return turns.back();
    }
    [[nodiscard]] std::size_t turns_of(const SuperSchedule& schedule) {
        return turns_[program(schedule)].size();
    }

    /// Each measurement takes so long on `clock`.
    Milliseconds takes{0};
    Milliseconds now{0};
    [[nodiscard]] MillisecondClock clock() {
        return [this] { return now; };
    }
    std::size_t measurements = 0;
    std::function<void()> at_each{};

private:
    Milliseconds measure(const SuperSchedule& schedule) {
        ++measurements;
        now += takes;
        if (at_each)
            at_each();
        return Milliseconds(rule_(schedule) * std::exp(noise_ * random_.normal()));
    }

    Rule rule_;
    double noise_;
    Random random_;
    std::map<std::string, std::vector<Milliseconds>> turns_;
};

} // namespace sparsight::testing
