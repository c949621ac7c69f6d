#include "evaluation/diagnosis/paired_measurement.h"

#include "study/measurement.h"
#include "study/student.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

std::vector<Milliseconds> as_times(std::span<const double> values) {
    std::vector<Milliseconds> times;
    times.reserve(values.size());
    for (const double value : values)
        times.emplace_back(value);
    return times;
}

double median(std::span<const double> values) {
    return median_of(as_times(values)).count();
}

} // namespace

double median_error(std::span<const double> values) {
    if (values.size() < 2)
        return std::numeric_limits<double>::infinity();
    const double of_one = spread_of(as_times(values)).count();
    return student_factor(values.size() - 1) * 1.2533 * of_one /
           std::sqrt(static_cast<double>(values.size()));
}

double shorter_by(double milliseconds, double spread_ms) {
    return milliseconds + spread_ms > 0 ? milliseconds * spread_ms / (milliseconds + spread_ms) : 0;
}

bool differ_beyond_errors(double one_ms, double one_spread_ms, double other_ms, double other_spread_ms) {
    if (one_ms < other_ms)
        return differ_beyond_errors(other_ms, other_spread_ms, one_ms, one_spread_ms);
    return one_ms - other_ms > std::hypot(shorter_by(one_ms, one_spread_ms), other_spread_ms);
}

MeasuredLead lead_in_turns(std::span<const double> one_ms, std::span<const double> other_ms) {
    const std::size_t turns = std::min(one_ms.size(), other_ms.size());
    std::vector<double> logs;
    for (std::size_t turn = 0; turn < turns; ++turn)
        logs.push_back(std::log(one_ms[turn] / other_ms[turn]));
    if (logs.empty())
        return {};
    const double middle = median(logs);
    const double error = median_error(logs);
    const auto lost = std::ranges::count_if(logs, [](double each) { return each >= 0; });
    constexpr std::size_t least_turns = 3;
    return {.ratio = std::exp(middle),
            .error = std::expm1(error),
            .turns = static_cast<int>(turns),
            .wins = turns >= least_turns && middle + error < 0 && lost <= 1};
}

namespace {

class Contest {
public:
    Contest(Clock& clock, const Configuration& other, std::span<const Configuration> candidates,
            const VerificationOptions& options)
        : clock_(clock)
        , options_(options) {
        players_.push_back({&other, {}});
        for (const Configuration& candidate : candidates)
            players_.push_back({&candidate, {}});
    }

    Result<std::vector<std::optional<MeasuredLead>>> run() {
        for (int turn = 0; turn < options_.most_turns; ++turn) {
            if (turn >= options_.least_turns && (options_.is_over() || is_decided_))
                break;
            if (auto measured = measure_turn(turn % 2 == 1); !measured)
                return std::unexpected(std::move(measured.error()));
            if (turn + 1 == options_.least_turns)
                is_decided_ = are_all_decided();
        }
        return leads();
    }

private:
    struct Player {
        const Configuration* configuration;
        std::vector<double> turns;
        bool is_out = false; ///< it could not be measured in some turn
    };

    Result<void> measure_turn(bool is_backwards) {
        for (std::size_t place = 0; place < players_.size(); ++place) {
            Player& player = players_[is_backwards ? players_.size() - 1 - place : place];
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if (player.is_out)
                continue;
            if (options_.tell)
                options_.tell();
            const auto time = clock_.measure_again(*player.configuration);
            if (!time)
                return std::unexpected(time.error());
            player.is_out = !*time;
            if (*time)
                player.turns.push_back((*time)->count());
        }
        return {};
    }

    [[nodiscard]] std::vector<std::optional<MeasuredLead>> leads() const {
        std::vector<std::optional<MeasuredLead>> leads;
        const Player& other = players_.front();
        for (const Player& player : std::span(players_).subspan(1))
            leads.push_back(player.is_out || other.is_out
                                ? std::nullopt
                                : std::optional(lead_in_turns(player.turns, other.turns)));
        return leads;
    }

    /// One wins, or none is near enough to win with more turns.
    [[nodiscard]] bool are_all_decided() const {
        const auto found = leads();
        const auto wins = [](const auto& lead) { return lead && lead->wins; };
        const auto may_win = [](const auto& lead) { return lead && lead->ratio < 1; };
        return std::ranges::any_of(found, wins) || std::ranges::none_of(found, may_win);
    }

    Clock& clock_;
    const VerificationOptions& options_;
    std::vector<Player> players_;
    bool is_decided_ = false;
};

} // namespace

Result<std::vector<std::optional<MeasuredLead>>> verify_in_turns(Clock& clock, const Configuration& other,
                                                                 std::span<const Configuration> candidates,
                                                                 const VerificationOptions& options) {
    return Contest(clock, other, candidates, options).run();
}

} // namespace sparsight
