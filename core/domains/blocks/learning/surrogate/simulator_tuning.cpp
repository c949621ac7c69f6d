#include "domains/blocks/learning/surrogate/simulator_tuning.h"

#include "base/digest.h"
#include "domains/blocks/learning/surrogate/tuning_state.h"
#include "domains/blocks/simulator/table_file.h"
#include "domains/blocks/tuning/block_errors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::pair<TuningMethod, std::string_view>, 3> method_names{
    {{TuningMethod::Surrogate, "surrogate"},
     {TuningMethod::Local, "local"},
     {TuningMethod::Search, "search"}}};

/// Of all that the result depends on.
std::string identity_of(const TuningRequest& request, const TuningBlocks& blocks,
                        const SimulatorTable& start) {
    Digest digest;
    for (const TuningBlock& block : blocks.blocks) {
        digest.add(std::string_view(to_hex(block.code)));
        digest.add(std::string_view(fmt::format("{} {}", block.cycles, static_cast<int>(block.part))));
    }
    digest.add(std::string_view(table_bytes(start)));
    const SurrogateOptions& surrogate = request.surrogate;
    digest.add(std::string_view(fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {}", surrogate.rounds, surrogate.simulations, surrogate.passes,
        surrogate.batch, surrogate.surrogate_rate, surrogate.table_rate, surrogate.table_passes,
        surrogate.reach, surrogate.width, surrogate.most_instructions, surrogate.seed)));
    digest.add(std::string_view(
        fmt::format("{} {} {} {} {} {} {}", request.search.blocks_a_trial, request.search.fewest_groups,
                    request.search.standard_errors, request.sweeps, request.verdicts.blocks_a_parameter,
                    request.verdicts.fewest_groups, request.verdicts.standard_errors)));
    return fmt::format("{} {} {:016x}", start.machine, name(request.method), digest.value());
}

/// One tuning from its state to its end.
class Tuning {
public:
    Tuning(const TuningRequest& request, BlockSimulator& simulator, const DecodeBlocks& decode,
           Observer& observer, const std::stop_token& stop)
        : request_(request)
        , simulator_(simulator)
        , decode_(decode)
        , observer_(observer)
        , stop_(stop)
        , start_(request.start.value_or(simulator.original())) {}

    Result<TuningOutcome> run() {
        auto outcome = run_to_the_end();
        if (!outcome && outcome.error().fault == Fault::Cancelled &&
            !outcome_.table.learned.classes.empty()) {
            outcome_.is_stopped = true;
            if (!is_begun_)
                return std::move(outcome_);
            if (auto saved = save(); !saved)
                return std::unexpected(std::move(saved).error());
            outcome_.table.learned = state_.best;
            outcome_.validation_before = state_.first_error;
            outcome_.validation_after = state_.best_error;
            return std::move(outcome_);
        }
        return outcome;
    }

private:
    Result<TuningOutcome> run_to_the_end() {
        auto blocks = read_tuning_blocks(request_.blocks, simulator_, observer_, stop_);
        if (!blocks)
            return std::unexpected(std::move(blocks).error());
        blocks_ = *std::move(blocks);
        by_class_ =
            blocks_by_class(blocks_.blocks, simulator_.original().classes.size(), TuningPart::Training);
        classes_ = searchable_classes(blocks_, by_class_.size(), request_.search);
        training_ = blocks_.of(TuningPart::Training);
        outcome_.training_blocks = training_.size();
        outcome_.validation_blocks = blocks_.of(TuningPart::Validation).size();
        outcome_.apart = blocks_.apart;
        outcome_.unknown = blocks_.unknown;
        outcome_.table = {simulator_.original(), start_, {}};
        for (const auto& step : {&Tuning::begin, &Tuning::learn, &Tuning::judge, &Tuning::compare})
            if (auto done = (this->*step)(); !done)
                return std::unexpected(std::move(done).error());
        std::error_code ignored;
        std::filesystem::remove(request_.state, ignored);
        return std::move(outcome_);
    }

    /// Of the file, or new.
    Result<void> begin() {
        identity_ = identity_of(request_, blocks_, start_);
        std::vector<NamedShape> shapes;
        if (request_.method != TuningMethod::Search) {
            SurrogateOptions options = request_.surrogate;
            options.sampling = request_.method == TuningMethod::Surrogate ? TableSampling::Published
                                                                          : TableSampling::AroundTable;
            auto made = SurrogateLearning::make(blocks_, simulator_, decode_, options);
            if (!made)
                return std::unexpected(std::move(made).error());
            surrogate_ = *std::move(made);
            shapes = shapes_of(surrogate_->surrogate().parameters());
        }
        auto stored = load_tuning(request_.state, identity_, simulator_.original(), shapes);
        if (!stored)
            return std::unexpected(std::move(stored).error());
        outcome_.is_resumed = stored->has_value();
        if (*stored) {
            state_ = **std::move(stored);
        } else {
            state_.table = start_;
            state_.best = start_;
            const auto error = validation_error(start_);
            if (!error)
                return std::unexpected(error.error());
            state_.best_error = *error;
            state_.first_error = *error;
            if (surrogate_)
                state_.surrogate = surrogate_->initial_state();
        }
        is_begun_ = true;
        observer_.start({{"machine", start_.machine},
                         {"method", name(request_.method)},
                         {"training_blocks", training_.size()},
                         {"classes", classes_.size()},
                         {"resumed_at", state_.steps}});
        return {};
    }

    Result<double> validation_error(const SimulatorTable& table) {
        const auto places = blocks_.of(TuningPart::Validation);
        const auto cycles = simulate_blocks(simulator_, table, blocks_.blocks, places, stop_);
        if (!cycles)
            return std::unexpected(cycles.error());
        double sum = 0;
        for (std::size_t at = 0; at < places.size(); ++at)
            sum += block_error((*cycles)[at], blocks_.blocks[places[at]]);
        return sum / static_cast<double>(places.size());
    }

    Result<void> save() {
        last_save_ = Stopwatch();
        return save_tuning(request_.state, state_, simulator_.original(), identity_);
    }
    /// After work of a moment: a kill costs a second.
    Result<void> save_now_and_then() { return last_save_.seconds() < 1 ? Result<void>() : save(); }

    /// What changes with the processor changes all blocks, so more of them are asked.
    static constexpr std::size_t processor_share = 5;

    /// Whether the table is the best one so far.
    Result<bool> consider(const SimulatorTable& table, double& error) {
        const auto found = validation_error(table);
        if (!found)
            return std::unexpected(found.error());
        error = *found;
        if (*found >= state_.best_error)
            return false;
        state_.best_error = *found;
        state_.best = table;
        return true;
    }

    Result<void> learn() {
        if (state_.is_learned)
            return {};
        observer_.resume(state_.steps);
        auto done = surrogate_ ? learn_by_surrogate() : learn_by_search();
        if (!done)
            return done;
        state_.is_learned = true;
        return save();
    }

    Result<void> learn_by_surrogate() {
        while (state_.surrogate.rounds < request_.surrogate.rounds) {
            const auto total = static_cast<std::uint64_t>(request_.surrogate.rounds);
            observer_.progress(
                {.stage = "learning through the surrogate", .done = state_.steps, .total = total});
            TuningState before = state_;
            const auto round = surrogate_->run_round(state_.surrogate, state_.best, stop_);
            if (!round)
                return std::unexpected(round.error());
            Json facts{{"round", state_.surrogate.rounds},
                       {"surrogate_error", round->surrogate_error},
                       {"training_error_by_surrogate", nullptr},
                       {"validation_error", nullptr},
                       {"is_best", false}};
            if (round->proposal) {
                double error = 0;
                const auto is_best = consider(*round->proposal, error);
                if (!is_best) {
                    state_ = std::move(before); // the round is done again
                    return std::unexpected(is_best.error());
                }
                facts["training_error_by_surrogate"] = round->training_error;
                facts["validation_error"] = error;
                facts["is_best"] = *is_best;
            }
            ++state_.steps;
            if (auto saved = save(); !saved)
                return saved;
            observer_.event("round", facts);
            observer_.remark(fmt::format(
                "Round {}: the surrogate is off by {:.1f} %{}.", state_.surrogate.rounds,
                100 * round->surrogate_error,
                round->proposal ? fmt::format("; learned parameters have {:.2f} % on validation blocks",
                                              100 * facts["validation_error"].get<double>())
                                : std::string()));
        }
        return {};
    }

    Result<void> learn_by_search() {
        const std::size_t a_sweep = classes_.size() + 1; // the processor first
        const std::size_t total = static_cast<std::size_t>(request_.sweeps) * a_sweep;
        while (state_.steps < total) {
            const std::size_t at = state_.steps % a_sweep;
            observer_.progress({.stage = "trying parameters", .done = state_.steps, .total = total});
            TableSearch search{.table = state_.table, .changes = 0, .simulations = 0};
            const std::size_t place = at == 0 ? ParameterPlace::of_processor : classes_[at - 1];
            TableSearchOptions options = request_.search;
            if (at == 0)
                options.blocks_a_trial *= processor_share;
            if (auto done = search_class(search, place, blocks_, at == 0 ? training_ : by_class_[place],
                                         simulator_, options, stop_);
                !done)
                return done;
            TuningState next = state_;
            next.table = std::move(search.table);
            next.changes += search.changes;
            ++next.steps;
            std::swap(state_, next);
            if (at + 1 == a_sweep) {
                double error = 0;
                const auto is_best = consider(state_.table, error);
                if (!is_best) {
                    state_ = std::move(next);
                    return std::unexpected(is_best.error());
                }
                const std::size_t sweep = state_.steps / a_sweep;
                observer_.event("sweep", {{"sweep", sweep},
                                          {"changes", state_.changes},
                                          {"validation_error", error},
                                          {"is_best", *is_best}});
                observer_.remark(fmt::format("Sweep {}: {} changes, {:.2f} % on validation blocks.", sweep,
                                             state_.changes, 100 * error));
                if (state_.changes == 0 || !*is_best)
                    return {};
                state_.changes = 0;
            }
            if (auto saved = save_now_and_then(); !saved)
                return saved;
        }
        return {};
    }

    Result<void> judge() {
        observer_.resume(state_.classes_judged);
        std::vector<std::size_t> places{ParameterPlace::of_processor};
        for (std::size_t each = 0; each < by_class_.size(); ++each)
            if (!by_class_[each].empty())
                places.push_back(each);
        while (state_.classes_judged < places.size()) {
            observer_.progress(
                {.stage = "judging parameters", .done = state_.classes_judged, .total = places.size()});
            const std::size_t place = places[state_.classes_judged];
            const bool is_processor = place == ParameterPlace::of_processor;
            VerdictOptions options = request_.verdicts;
            if (is_processor)
                options.blocks_a_parameter *= processor_share;
            auto judged =
                judge_parameters(state_.best, place, blocks_, is_processor ? training_ : by_class_[place],
                                 simulator_, options, stop_);
            if (!judged)
                return std::unexpected(std::move(judged).error());
            std::ranges::copy(*judged, std::back_inserter(state_.judged));
            ++state_.classes_judged;
            if (auto saved = save_now_and_then(); !saved)
                return saved;
        }
        return {};
    }

    Result<void> compare() {
        const auto places = blocks_.of(TuningPart::HeldOut);
        observer_.show({.stage = "testing on held-out blocks"});
        const auto before = simulate_blocks(simulator_, simulator_.original(), blocks_.blocks, places, stop_);
        const auto after = simulate_blocks(simulator_, state_.best, blocks_.blocks, places, stop_);
        if (!before || !after)
            return std::unexpected(before ? after.error() : before.error());
        outcome_.held_out = compare_tables(*before, *after, blocks_.blocks, places);
        outcome_.table.learned = state_.best;
        outcome_.table.parameters = state_.judged;
        outcome_.validation_before = state_.first_error;
        outcome_.validation_after = state_.best_error;
        return {};
    }

    const TuningRequest& request_;
    BlockSimulator& simulator_;
    const DecodeBlocks& decode_;
    Observer& observer_;
    const std::stop_token& stop_;
    SimulatorTable start_;
    std::string identity_;
    TuningBlocks blocks_;
    std::vector<std::size_t> training_;
    std::vector<std::vector<std::size_t>> by_class_;
    std::vector<std::size_t> classes_;
    std::unique_ptr<SurrogateLearning> surrogate_;
    TuningState state_;
    bool is_begun_ = false; ///< the state has a meaning
    Stopwatch last_save_;
    TuningOutcome outcome_;
};

} // namespace

std::string_view name(TuningMethod method) {
    return std::ranges::find(method_names, method, &decltype(method_names)::value_type::first)->second;
}

std::optional<TuningMethod> parse_tuning_method(std::string_view text) {
    const auto found = std::ranges::find(method_names, text, &decltype(method_names)::value_type::second);
    return found == method_names.end() ? std::nullopt : std::optional(found->first);
}

Result<TuningOutcome> tune_simulator(const TuningRequest& request, BlockSimulator& simulator,
                                     const DecodeBlocks& decode, Observer& observer,
                                     const std::stop_token& stop) {
    return Tuning(request, simulator, decode, observer, stop).run();
}

} // namespace sparsight
