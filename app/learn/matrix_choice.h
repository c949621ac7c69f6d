// How a model is to choose schedules for a matrix, and what it has chosen.
#pragma once

#include "learn/score_parts.h"
#include "learn/search_map.h"
#include "model/simulator_blend.h"
#include "search/portfolio.h"
#include "search/schedule_search.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class ChoiceMethod {
    Index,      ///< a walk through a graph over the pool
    Exhaustive, ///< every schedule of the pool is scored
    Recorded,   ///< … of what was recorded of the matrix
    Evolution,  ///< over the whole space, from the best of the pool
    Annealing,  ///< the same
};

/// "index", "exhaustive", "recorded", "evolution", "annealing".
[[nodiscard]] std::string_view name(ChoiceMethod method);
[[nodiscard]] std::optional<ChoiceMethod> parse_choice_method(std::string_view text);

struct ChoiceSettings {
    ChoiceMethod method = ChoiceMethod::Index;
    int k = 20;
    int width = 200; ///< of the walk: ef of the paper
    /// Schedules that evolution and annealing score, with what they score of the pool and of the designs to
    /// begin with, which is no more than half of it.
    std::int64_t budget = 5000;
    std::uint64_t seed = 1;
    int threads = 1;              ///< that compute
    std::string device = "cpu";   ///< that embeds matrices and schedules (model/compute_device.h)
    int schedule_threads = 1;     ///< of every schedule
    bool mapped = false;          ///< the plane and the walk on it are wanted, too
    bool instead_of_walk = false; ///< exhaustive because that is sooner; is told with each choice
    /// Of a model that is blended with the simulator: so many of the network's best are simulated, and the
    /// designs of schedule/designed.h, which no measured matrix need have led to; the k are among them.
    int shortlist = 3000;
};

struct MatrixChoice {
    ChoiceMethod method = ChoiceMethod::Index;
    bool instead_of_walk = false; ///< all were scored, as that is sooner than a walk (search/walk_worth.h)
    std::int64_t pool = 0;        ///< schedules that there were to choose from, before any were made
    std::int64_t scored = 0;
    double embedding_ms = 0;
    double search_ms = 0;
    // Where the simulator has a share in the scores:
    std::optional<std::int64_t> simulated; ///< schedules; of a search beyond the pool those of it alone
    /// Of those the designs that were not among the best of the pool: the network was not asked for them.
    std::optional<std::int64_t> designs;
    std::optional<double> simulating_ms;
    std::optional<SimulatorBlend> blend; ///< their shares in the scores
    std::vector<ScorePart> parts;        ///< of the candidates; none where nothing is blended
    // Of a walk, against scoring the whole pool:
    std::optional<double> recall;          ///< of the best `recall_at` by the score that it walks by
    std::optional<std::int64_t> recall_at; ///< k; of a blended model the shortlist, by the network
    std::optional<double> exhaustive_ms;   ///< that takes so long
    /// Where it was asked for, and the model embeds schedules.
    std::optional<SearchMap> map;
    /// The k best, and fixed CSR behind them where it is none of them.
    std::vector<ScoredSchedule> candidates;
    /// Of a portfolio, of each candidate: 1 and how many of the simulated have better scores.
    std::vector<std::int64_t> places;
    /// As long as `places`: why those are chosen; the second score is the simulator's.
    std::vector<ChosenBy> reasons;
};

} // namespace sparsight
