#include "domains/sparse/kernel/measurement/timing_rules.h"

#include <algorithm>

namespace sparsight {

namespace {

// How much slower than the best: given up after its first run, likely to win, known well enough after three.
constexpr double give_up_factor = 10;
/// A first run is cold, and the best's runs were warm: below this, ten times the best says nothing.
constexpr Milliseconds least_give_up{5};
constexpr double contender_factor = 1.1;
constexpr double hopeless_factor = 1.5;

TimingRules adaptive_rules(bool is_baseline, std::optional<Milliseconds> best, Milliseconds longest_run) {
    TimingRules rules;
    rules.least_repeats = is_baseline ? 11 : 5;
    rules.most_repeats = 200;
    rules.least_time = Milliseconds(is_baseline ? 20 : 4);
    rules.budget = Milliseconds(is_baseline ? 400 : 80);
    rules.precision = 0.01;
    if (is_baseline)
        return rules;
    rules.give_up_above = longest_run;
    rules.chances = 2;
    if (best) {
        rules.give_up_above =
            std::min(std::max(*best * give_up_factor, least_give_up), std::max(longest_run, *best * 2));
        rules.contender_below = *best * contender_factor;
        rules.hopeless_above = *best * hopeless_factor;
    }
    return rules;
}

/// WACO's execution manager: fixed CSR 10 + 50 runs, a schedule 5 + 30; SpMM gives up above 100 ms.
TimingRules waco_rules(Operator op, bool is_baseline) {
    TimingRules rules;
    rules.warm_ups = is_baseline ? 10 : 5;
    rules.least_repeats = is_baseline ? 50 : 30;
    rules.most_repeats = rules.least_repeats;
    if (op == Operator::SpMM && !is_baseline)
        rules.give_up_above = Milliseconds(100);
    return rules;
}

} // namespace

TimingRules timing_rules(Protocol protocol, Operator op, bool is_baseline, std::optional<Milliseconds> best,
                         Milliseconds longest_run) {
    return protocol == Protocol::Waco ? waco_rules(op, is_baseline)
                                      : adaptive_rules(is_baseline, best, longest_run);
}

} // namespace sparsight
