#include "evaluation/diagnosis/change_verification.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

class Contest {
public:
    Contest(HybridEvaluator& evaluator, const SuperSchedule& other, std::span<const SuperSchedule> candidates,
            const VerificationOptions& options)
        : evaluator_(evaluator)
        , options_(options) {
        players_.push_back({&other, {}});
        for (const SuperSchedule& candidate : candidates)
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
        const SuperSchedule* schedule;
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
            const auto time = evaluator_.measure_again(*player.schedule);
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

    HybridEvaluator& evaluator_;
    const VerificationOptions& options_;
    std::vector<Player> players_;
    bool is_decided_ = false;
};

} // namespace

Result<std::vector<std::optional<MeasuredLead>>> verify_in_turns(HybridEvaluator& evaluator,
                                                                 const SuperSchedule& other,
                                                                 std::span<const SuperSchedule> candidates,
                                                                 const VerificationOptions& options) {
    return Contest(evaluator, other, candidates, options).run();
}

} // namespace sparsight
