// Times by a rule of the test.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/diagnosis/paired_measurement.h"
#include "study/clock.h"
#include "study/measurement.h"

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sparsight::testing {

/// As rules see them; those of these tests have 4 threads.
[[nodiscard]] inline SuperSchedule unpacked(const Configuration& configuration) {
    return schedule_of(configuration, 4);
}

class InventedClock final : public Clock {
public:
    using Rule = std::function<ClockTime(const SuperSchedule&)>;
    explicit InventedClock(Rule rule)
        : rule_(std::move(rule)) {}

    [[nodiscard]] std::string_view name() const override { return "invented"; }
    /// Schedules are one program where they are one, unless the test says otherwise.
    [[nodiscard]] std::string program(const Configuration& configuration) const override {
        const SuperSchedule schedule = unpacked(configuration);
        return programs ? programs(schedule) : to_text(schedule);
    }
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override {
        asked.insert(configuration);
        return rule_(unpacked(configuration));
    }
    void set_limit(double milliseconds) override { limit = milliseconds; }

    std::function<std::string(const SuperSchedule&)> programs{};
    std::set<Configuration> asked;
    std::optional<double> limit;

private:
    Rule rule_;
};

// Times by a rule of the test, off by noise that multiplies them: another measurement says more.

class NoisyClock final : public Clock {
public:
    using Rule = std::function<double(const SuperSchedule&)>; ///< true milliseconds

    NoisyClock(Rule rule, double noise, std::uint64_t seed)
        : rule_(std::move(rule))
        , noise_(noise)
        , random_(seed) {}

    [[nodiscard]] std::string_view name() const override { return "measured"; }
    [[nodiscard]] std::string program(const Configuration& configuration) const override {
        return to_text(unpacked(configuration));
    }
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override {
        auto& turns = turns_[program(configuration)];
        if (turns.empty())
            turns.push_back(measure(unpacked(configuration)));
        std::vector<double> values;
        for (const Milliseconds turn : turns)
            values.push_back(turn.count());
        const double median = median_of(turns).count();
        const double spread = turns.size() > 2 ? median_error(values) : 3 * noise_ * median;
        return ClockTime{
            .milliseconds = median, .spread_ms = spread, .turns = static_cast<int>(turns.size())};
    }
    [[nodiscard]] bool varies() const override { return true; }
    [[nodiscard]] Result<std::optional<Milliseconds>>
    measure_again(const Configuration& configuration) override {
        if (auto first = time(configuration); !first)
            return std::unexpected(first.error());
        auto& turns = turns_[program(configuration)];
        turns.push_back(measure(unpacked(configuration)));
        return turns.back();
    }
    [[nodiscard]] std::size_t turns_of(const SuperSchedule& schedule) {
        return turns_[program(configuration_of(schedule))].size();
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
