#include "learn/model_search.h"

#include "base/stopwatch.h"
#include "schedule/designed.h"
#include "schedule/hash.h"
#include "search/exhaustive.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

constexpr std::array<std::pair<ChoiceMethod, std::string_view>, 5> method_names{{
    {ChoiceMethod::Index, "index"},
    {ChoiceMethod::Exhaustive, "exhaustive"},
    {ChoiceMethod::Recorded, "recorded"},
    {ChoiceMethod::Evolution, "evolution"},
    {ChoiceMethod::Annealing, "annealing"},
}};

constexpr std::size_t simulated_at_once = 128; // between two such blocks it can be stopped

/// Canonical ones, behind what is there.
void add_new(std::vector<SuperSchedule>& schedules, const std::vector<SuperSchedule>& added) {
    const std::unordered_set<SuperSchedule> known(schedules.begin(), schedules.end());
    std::ranges::copy_if(added, std::back_inserter(schedules),
                         [&](const SuperSchedule& each) { return !known.contains(each); });
}

/// A user who measures the candidates never ends up slower than without a model.
Result<void> add_fixed_csr(MatrixChoice& choice, Operator op, int threads, const PatternScorer& scorer) {
    const SuperSchedule fixed = canonical(fixed_csr(op, threads));
    if (std::ranges::find(choice.candidates, fixed, &ScoredSchedule::schedule) != choice.candidates.end())
        return {};
    const auto score = scorer.score(std::span(&fixed, 1));
    if (!score)
        return std::unexpected(score.error());
    choice.candidates.push_back({fixed, score->front()});
    return {};
}

} // namespace

std::string_view name(ChoiceMethod method) {
    for (const auto& [known, text] : method_names)
        if (known == method)
            return text;
    return "";
}

std::optional<ChoiceMethod> parse_choice_method(std::string_view text) {
    for (const auto& [method, known] : method_names)
        if (known == text)
            return method;
    return std::nullopt;
}

Result<ModelSearch> ModelSearch::prepare(const Checkpoint& checkpoint, const std::string& name,
                                         std::vector<SuperSchedule> pool, const ChoiceSettings& settings,
                                         const std::stop_token& stop, const ProgressSink& progress) {
    ModelSearch search;
    search.settings_ = settings;
    search.op_ = checkpoint.model.op();
    search.pool_ = std::move(pool);
    auto model = make_cost_model(checkpoint, settings.device);
    if (!model)
        return std::unexpected(std::move(model).error());
    search.model_ = *std::move(model);
    if (settings.method == ChoiceMethod::Index && search.model_->embedding_width() > 0) {
        if (auto built = search.build_index(checkpoint, name, stop, progress); !built)
            return std::unexpected(std::move(built).error());
    }
    if (settings.method == ChoiceMethod::Index && !search.head_)
        search.settings_.method = ChoiceMethod::Exhaustive;
    if (auto laid_out = search.lay_out(); !laid_out)
        return std::unexpected(std::move(laid_out).error());
    return search;
}

Result<ModelSearch::Plane> ModelSearch::plane_of(std::vector<SuperSchedule> schedules) const {
    const auto embeddings = model_->embed_schedules(schedules);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    Plane plane{std::move(schedules), PlaneProjection::of(*embeddings, model_->embedding_width()), {}};
    plane.places = plane.projection.project(*embeddings);
    return plane;
}

/// That of the pool is the same for all matrices.
Result<void> ModelSearch::lay_out() {
    if (!settings_.mapped || model_->embedding_width() == 0 || settings_.method == ChoiceMethod::Recorded)
        return {};
    if (head_) {
        Plane plane;
        for (std::uint32_t node = 0; node < index_.nodes.count(); ++node)
            plane.schedules.push_back(index_.schedules[index_.nodes.of(node).front()]);
        plane.projection = PlaneProjection::of(index_.embeddings, index_.width);
        plane.places = plane.projection.project(index_.embeddings);
        plane_ = std::move(plane);
        return {};
    }
    auto plane = plane_of(pool_);
    if (!plane)
        return std::unexpected(std::move(plane).error());
    plane_ = *std::move(plane);
    return {};
}

Result<void> ModelSearch::build_index(const Checkpoint& checkpoint, const std::string& name,
                                      const std::stop_token& stop, const ProgressSink& progress) {
    const auto embeddings = model_->embed_schedules(pool_);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    GraphSettings graph;
    graph.seed = settings_.seed;
    auto index = build_schedule_index(name, pool_, *embeddings, graph, stop, progress);
    if (!index)
        return std::unexpected(std::move(index).error());
    auto head = PredictorHead::of(checkpoint);
    if (!head)
        return std::unexpected(std::move(head).error());
    index_ = *std::move(index);
    head_ = *std::move(head);
    rows_ = head_->project(index_.embeddings, settings_.threads);
    return {};
}

Result<MatrixChoice> ModelSearch::choose(const CsrPattern& pattern, const Extents& extents,
                                         const MachineDescription* machine,
                                         const std::vector<SuperSchedule>& recorded,
                                         const std::stop_token& stop, const ProgressSink& progress) const {
    MatrixChoice choice;
    choice.method = settings_.method;
    const Stopwatch embedding;
    const auto scorer = model_->embed(pattern, machine, settings_.threads);
    if (!scorer)
        return std::unexpected(scorer.error());
    choice.embedding_ms = embedding.milliseconds();
    const std::vector<SuperSchedule> designed = designs(extents);
    const auto searched = [&]() -> Result<Searched> {
        switch (settings_.method) {
        case ChoiceMethod::Index:
            return walk(**scorer, designed, choice, stop, progress);
        case ChoiceMethod::Exhaustive:
            return score_all_of(pool_, **scorer, designed, choice, stop, progress);
        case ChoiceMethod::Recorded:
            return score_all_of(recorded, **scorer, designed, choice, stop, progress);
        case ChoiceMethod::Evolution:
        case ChoiceMethod::Annealing:
            return search_beyond(**scorer, extents, designed, choice, stop, progress);
        }
        return fail(Fault::Internal, "no such method of search");
    }();
    if (!searched)
        return std::unexpected(searched.error());
    if (auto added = add_fixed_csr(choice, op_, settings_.schedule_threads, **scorer); !added)
        return std::unexpected(std::move(added).error());
    if (auto added = add_map(*searched, **scorer, recorded, choice); !added)
        return std::unexpected(std::move(added).error());
    if (auto added = add_parts(**scorer, pattern, choice); !added)
        return std::unexpected(std::move(added).error());
    return choice;
}

Result<void> ModelSearch::add_parts(const PatternScorer& scorer, const CsrPattern& pattern,
                                    MatrixChoice& choice) const {
    choice.blend = model_->description().blend;
    if (!choice.blend)
        return {};
    std::vector<SuperSchedule> schedules;
    for (const ScoredSchedule& each : choice.candidates)
        schedules.push_back(each.schedule);
    auto parts = score_parts(*model_, scorer, pattern, schedules, settings_.threads);
    if (!parts)
        return std::unexpected(std::move(parts).error());
    choice.parts = *std::move(parts);
    if (!choice.map)
        return {};
    schedules.clear();
    for (const SearchMap::Node& node : choice.map->nodes)
        schedules.push_back(node.schedule);
    const auto nodes = score_parts(*model_, scorer, pattern, schedules, settings_.threads);
    if (!nodes)
        return std::unexpected(nodes.error());
    for (std::size_t at = 0; at < nodes->size(); ++at)
        choice.map->nodes[at].simulated_ms = (*nodes)[at].simulated_ms;
    return {};
}

Result<void> ModelSearch::add_map(const Searched& searched, const PatternScorer& scorer,
                                  const std::vector<SuperSchedule>& recorded, MatrixChoice& choice) const {
    if (!settings_.mapped || model_->embedding_width() == 0)
        return {};
    std::optional<Plane> own;
    if (!plane_) {
        auto plane = plane_of(recorded);
        if (!plane)
            return std::unexpected(std::move(plane).error());
        own = *std::move(plane);
    }
    const Plane& plane = own ? *own : *plane_;
    std::vector<SuperSchedule> chosen;
    for (const ScoredSchedule& each : choice.candidates)
        chosen.push_back(each.schedule);
    const auto embeddings = model_->embed_schedules(chosen);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    std::vector<ScoredSchedule> candidates = choice.candidates;
    if (is_blended()) { // on the map all scores are the network's: those of the other nodes are nothing else
        const auto scores = scorer.score_embeddings(*embeddings);
        if (!scores)
            return std::unexpected(scores.error());
        for (std::size_t at = 0; at < candidates.size(); ++at)
            candidates[at].score = (*scores)[at];
    }
    choice.map =
        make_search_map({plane.schedules, plane.places, searched.scores}, candidates,
                        plane.projection.project(*embeddings), searched.walk ? &*searched.walk : nullptr);
    choice.map->explained = plane.projection.explained();
    return {};
}

std::vector<SuperSchedule> ModelSearch::designs(const Extents& extents) const {
    if (!is_blended() || settings_.method == ChoiceMethod::Recorded)
        return {};
    return designed_schedules(op_, extents, settings_.schedule_threads);
}

Result<ModelSearch::Searched> ModelSearch::walk(const PatternScorer& scorer,
                                                const std::vector<SuperSchedule>& designs,
                                                MatrixChoice& choice, const std::stop_token& stop,
                                                const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    const auto predictor = head_->for_matrix(scorer.embedding());
    if (!predictor)
        return std::unexpected(predictor.error());
    const int wanted = static_cast<int>(shortlist());
    IndexSearch found = search_index(index_, rows_, *predictor,
                                     {wanted, std::max(settings_.width, wanted), settings_.mapped});
    choice.search_ms = stopwatch.milliseconds();
    choice.scored = found.walk.scored;
    choice.pool = static_cast<std::int64_t>(index_.schedules.size());
    const Stopwatch exhaustive;
    const auto exact = search_exhaustively(index_, rows_, *predictor, shortlist(), settings_.threads);
    choice.exhaustive_ms = exhaustive.milliseconds();
    choice.recall = recall(found.best, exact);
    choice.recall_at = static_cast<std::int64_t>(exact.size()); // fewer where the pool is small
    if (is_blended()) {
        std::vector<SuperSchedule> shortlisted;
        for (const Ranked& ranked : found.best)
            shortlisted.push_back(index_.schedules[ranked.candidate]);
        add_new(shortlisted, designs);
        if (auto kept = keep_best(shortlisted, scorer, choice, stop, progress); !kept)
            return std::unexpected(std::move(kept).error());
    } else {
        for (const Ranked& ranked : found.best)
            choice.candidates.push_back({index_.schedules[ranked.candidate], ranked.score});
    }
    Searched searched;
    if (settings_.mapped) {
        searched.scores = score_all(*predictor, rows_, settings_.threads);
        searched.walk = std::move(found.walk);
    }
    return searched;
}

Result<ModelSearch::Searched> ModelSearch::score_all_of(const std::vector<SuperSchedule>& schedules,
                                                        const PatternScorer& scorer,
                                                        const std::vector<SuperSchedule>& designs,
                                                        MatrixChoice& choice, const std::stop_token& stop,
                                                        const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    choice.scored = static_cast<std::int64_t>(schedules.size());
    choice.pool = choice.scored;
    if (is_blended()) {
        const auto embeddings = model_->embed_schedules(schedules);
        if (!embeddings)
            return std::unexpected(embeddings.error());
        auto scores = scorer.score_embeddings(*embeddings);
        if (!scores)
            return std::unexpected(scores.error());
        std::vector<SuperSchedule> shortlisted;
        for (const Ranked& ranked : best_of(*scores, shortlist()))
            shortlisted.push_back(schedules[ranked.candidate]);
        add_new(shortlisted, designs);
        choice.search_ms = stopwatch.milliseconds();
        if (auto kept = keep_best(shortlisted, scorer, choice, stop, progress); !kept)
            return std::unexpected(std::move(kept).error());
        return Searched{*std::move(scores), std::nullopt};
    }
    auto scores = scorer.score(schedules);
    if (!scores)
        return std::unexpected(scores.error());
    for (const Ranked& ranked : best_of(*scores, static_cast<std::size_t>(settings_.k)))
        choice.candidates.push_back({schedules[ranked.candidate], ranked.score});
    choice.search_ms = stopwatch.milliseconds();
    return Searched{*std::move(scores), std::nullopt};
}

Result<void> ModelSearch::keep_best(std::span<const SuperSchedule> schedules, const PatternScorer& scorer,
                                    MatrixChoice& choice, const std::stop_token& stop,
                                    const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    std::vector<float> scores;
    while (scores.size() < schedules.size()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while schedules were simulated");
        if (progress)
            progress({"simulating", scores.size(), schedules.size()});
        const auto some = scorer.score(
            schedules.subspan(scores.size(), std::min(simulated_at_once, schedules.size() - scores.size())));
        if (!some)
            return std::unexpected(some.error());
        scores.insert(scores.end(), some->begin(), some->end());
    }
    if (auto kept = keep_portfolio(schedules, scores, scorer, choice); !kept)
        return kept;
    choice.simulated = static_cast<std::int64_t>(schedules.size());
    choice.simulating_ms = stopwatch.milliseconds();
    return {};
}

Result<void> ModelSearch::keep_portfolio(std::span<const SuperSchedule> schedules,
                                         std::span<const float> scores, const PatternScorer& scorer,
                                         MatrixChoice& choice) const {
    const SimulatorBlend& blend = *model_->description().blend;
    std::vector<float> of_simulator;
    if (blend.network > 0 && blend.simulator > 0) { // else the score is that of one of them
        const auto embeddings = model_->embed_schedules(schedules);
        if (!embeddings)
            return std::unexpected(embeddings.error());
        const auto of_network = scorer.score_embeddings(*embeddings);
        if (!of_network)
            return std::unexpected(of_network.error());
        for (std::size_t at = 0; at < scores.size(); ++at)
            of_simulator.push_back(scores[at] - static_cast<float>(blend.network) * (*of_network)[at]);
    }
    for (const ChosenPlace& chosen : choose_hedged_portfolio(schedules, scores, of_simulator, portfolio())) {
        const float score = scores[chosen.place];
        choice.candidates.push_back({schedules[chosen.place], score});
        choice.places.push_back(
            1 + std::ranges::count_if(scores, [score](float other) { return other < score; }));
        choice.reasons.push_back(chosen.by);
    }
    return {};
}

Result<ModelSearch::Searched> ModelSearch::search_beyond(const PatternScorer& scorer, const Extents& extents,
                                                         const std::vector<SuperSchedule>& designs,
                                                         MatrixChoice& choice, const std::stop_token& stop,
                                                         const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    MatrixChoice known;
    auto scored = score_all_of(pool_, scorer, designs, known, stop, progress);
    if (!scored)
        return std::unexpected(std::move(scored).error());
    SearchSettings settings{.method = settings_.method == ChoiceMethod::Evolution ? SearchMethod::Evolution
                                                                                  : SearchMethod::Annealing,
                            .budget = settings_.budget,
                            .k = static_cast<int>(shortlist()),
                            .seed = settings_.seed,
                            .threads = settings_.schedule_threads};
    for (const ScoredSchedule& each : known.candidates)
        settings.starts.push_back(each.schedule);
    auto found = search_schedules(op_, extents, scorer, settings, stop, progress);
    if (!found)
        return std::unexpected(std::move(found).error());
    if (found->stopped)
        return fail(Fault::Cancelled, "stopped while schedules were searched");
    if (is_blended()) {
        std::vector<SuperSchedule> schedules;
        std::vector<float> scores;
        for (ScoredSchedule& each : found->best) {
            schedules.push_back(std::move(each.schedule));
            scores.push_back(each.score);
        }
        if (auto kept = keep_portfolio(schedules, scores, scorer, choice); !kept)
            return std::unexpected(std::move(kept).error());
    } else {
        choice.candidates = std::move(found->best);
    }
    choice.scored = known.scored + found->scored;
    choice.pool = known.pool;
    choice.simulated = known.simulated;
    choice.simulating_ms = known.simulating_ms;
    choice.search_ms = stopwatch.milliseconds();
    return scored;
}

} // namespace sparsight
