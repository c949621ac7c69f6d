#include "workflow/learning/search/model_search.h"

#include "search/configuration_search.h"

#include <array>
#include <fmt/format.h>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace sparsight {

EmbeddedPool::EmbeddedPool(ConfigurationIndex index, PredictorHead head, const PoolEmbedding& embedding)
    : embedding_(embedding)
    , index_(std::move(index))
    , head_(std::move(head))
    , rows_(head_.project(index_.embeddings, embedding.threads)) {}

Result<EmbeddedPool> EmbeddedPool::make(const CostModel& model, const Checkpoint& checkpoint,
                                        const std::string& name, std::span<const Configuration> pool,
                                        const PoolEmbedding& embedding, const std::stop_token& stop,
                                        const ProgressSink& progress) {
    const auto embeddings = model.embed_configurations(pool);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    GraphSettings graph;
    graph.seed = embedding.seed;
    auto index = embedding.is_walked
                     ? build_configuration_index(name, pool, *embeddings, graph, stop, progress)
                     : gather_configurations(name, pool, *embeddings);
    if (!index)
        return std::unexpected(std::move(index).error());
    auto head = PredictorHead::of(checkpoint);
    if (!head)
        return std::unexpected(std::move(head).error());
    return EmbeddedPool(*std::move(index), *std::move(head), embedding);
}

Result<PoolFindings> EmbeddedPool::search(const WorkloadScorer& scorer, const PoolSearch& settings) const {
    const Stopwatch stopwatch;
    const auto predictor = head_.for_workload(scorer.embedding());
    if (!predictor)
        return std::unexpected(predictor.error());
    PoolFindings found;
    if (embedding_.is_walked) {
        const int wanted = static_cast<int>(settings.k);
        IndexSearch walked = search_index(index_, rows_, *predictor,
                                          {wanted, std::max(settings.width, wanted), settings.is_mapped});
        found.search_ms = stopwatch.milliseconds();
        const Stopwatch exhaustive;
        const auto exact = search_exhaustively(index_, rows_, *predictor, settings.k, embedding_.threads);
        found.exhaustive_ms = exhaustive.milliseconds();
        found.recall = recall(walked.best, exact);
        found.recall_at = static_cast<std::int64_t>(exact.size()); // fewer where the pool is small
        found.best = std::move(walked.best);
        found.scored = walked.walk.scored;
        if (settings.is_mapped)
            found.walk = std::move(walked.walk);
    } else {
        found.best = search_exhaustively(index_, rows_, *predictor, settings.k, embedding_.threads);
        found.scored = static_cast<std::int64_t>(index_.configurations.size());
        found.search_ms = stopwatch.milliseconds();
    }
    if (settings.is_mapped)
        found.node_scores = score_all(*predictor, rows_, embedding_.threads);
    return found;
}

namespace {

/// Behind what is there.
void add_new(std::vector<Configuration>& configurations, std::span<const Configuration> added) {
    const std::unordered_set<Configuration> known(configurations.begin(), configurations.end());
    std::ranges::copy_if(added, std::back_inserter(configurations),
                         [&](const Configuration& each) { return !known.contains(each); });
}

/// The first of what a search beyond the pool begins with, at least one: of the pool the best collected.
std::span<const Configuration> begun_with(std::span<const Configuration> configurations, std::int64_t most) {
    return configurations.first(
        std::min(configurations.size(), static_cast<std::size_t>(std::max<std::int64_t>(most, 1))));
}

/// A user who measures the candidates never ends up slower than without a model.
Result<void> add_baseline(WorkloadChoice& choice, const ConfigurationSpace& space,
                          const WorkloadScorer& scorer) {
    const auto baseline = space.baseline();
    if (!baseline || std::ranges::find(choice.candidates, *baseline, &ScoredConfiguration::configuration) !=
                         choice.candidates.end())
        return {};
    const auto score = scorer.score(std::array{*baseline});
    if (!score)
        return std::unexpected(score.error());
    choice.candidates.push_back({*baseline, score->front()});
    return {};
}

} // namespace

Result<ModelSearch> ModelSearch::prepare(const Checkpoint& checkpoint, const ModelDomain& domain,
                                         const std::string& name, std::vector<Configuration> pool,
                                         const ChoiceSettings& settings, const std::stop_token& stop,
                                         const ProgressSink& progress) {
    ModelSearch search;
    search.settings_ = settings;
    search.pool_ = std::move(pool);
    auto model = make_cost_model(checkpoint, domain, settings.device);
    if (!model)
        return std::unexpected(std::move(model).error());
    search.model_ = *std::move(model);
    if (search.model_->embedding_width() == 0 && settings.method == ChoiceMethod::Index)
        search.settings_.method = ChoiceMethod::Exhaustive;
    if (search.model_->embedding_width() > 0 && search.is_pool_searched()) {
        auto embedded = EmbeddedPool::make(
            *search.model_, checkpoint, name, search.pool_,
            {settings.method == ChoiceMethod::Index, settings.seed, settings.threads}, stop, progress);
        if (!embedded)
            return std::unexpected(std::move(embedded).error());
        search.embedded_ = *std::move(embedded);
    }
    if (auto laid_out = search.lay_out(); !laid_out)
        return std::unexpected(std::move(laid_out).error());
    return search;
}

/// That of the pool is the same for all workloads.
Result<void> ModelSearch::lay_out() {
    if (!settings_.mapped || model_->embedding_width() == 0 || settings_.method == ChoiceMethod::Recorded)
        return {};
    if (embedded_) {
        plane_ = plane_of(embedded_->index());
        return {};
    }
    auto plane = plane_of(*model_, pool_);
    if (!plane)
        return std::unexpected(std::move(plane).error());
    plane_ = *std::move(plane);
    return {};
}

Result<WorkloadChoice> ModelSearch::choose(const SearchedData& workload, const std::stop_token& stop,
                                           const ProgressSink& progress) const {
    const ConfigurationSpace& space = workload.space;
    WorkloadChoice choice;
    choice.method = settings_.method;
    choice.threads = settings_.run_threads;
    choice.instead_of_walk = settings_.instead_of_walk;
    const Stopwatch embedding;
    const auto scorer = model_->embed(workload.payload, workload.machine, settings_.threads);
    if (!scorer)
        return std::unexpected(scorer.error());
    choice.embedding_ms = embedding.milliseconds();
    const std::vector<Configuration> designed = designs(space);
    const auto searched = [&]() -> Result<Searched> {
        switch (settings_.method) {
        case ChoiceMethod::Index:
        case ChoiceMethod::Exhaustive:
            return embedded_ ? search_pool(space, **scorer, designed, choice, stop, progress)
                             : score_all_of(space, pool_, **scorer, designed, choice, stop, progress);
        case ChoiceMethod::Recorded:
            return score_all_of(space, workload.recorded, **scorer, designed, choice, stop, progress);
        case ChoiceMethod::Evolution:
        case ChoiceMethod::Annealing:
            return search_beyond(space, **scorer, designed, choice, stop, progress);
        }
        return fail(Fault::Internal, "no such method of search");
    }();
    if (!searched)
        return std::unexpected(searched.error());
    if (auto added = add_baseline(choice, space, **scorer); !added)
        return std::unexpected(std::move(added).error());
    if (auto added = add_map(*searched, **scorer, workload.recorded, choice); !added)
        return std::unexpected(std::move(added).error());
    if (auto added = add_score_parts(*model_, **scorer, choice); !added)
        return std::unexpected(std::move(added).error());
    return choice;
}

Result<void> ModelSearch::add_map(const Searched& searched, const WorkloadScorer& scorer,
                                  std::span<const Configuration> recorded, WorkloadChoice& choice) const {
    if (!settings_.mapped || model_->embedding_width() == 0)
        return {};
    std::optional<SearchPlane> own;
    if (!plane_) {
        auto plane = plane_of(*model_, {recorded.begin(), recorded.end()});
        if (!plane)
            return std::unexpected(std::move(plane).error());
        own = *std::move(plane);
    }
    const SearchPlane& plane = own ? *own : *plane_;
    const auto embeddings = model_->embed_configurations(configurations_of(choice.candidates));
    if (!embeddings)
        return std::unexpected(embeddings.error());
    std::vector<ScoredConfiguration> candidates = choice.candidates;
    if (is_blended()) { // on the map all scores are the network's: those of the other nodes are nothing else
        const auto scores = scorer.score_embeddings(*embeddings);
        if (!scores)
            return std::unexpected(scores.error());
        for (std::size_t at = 0; at < candidates.size(); ++at)
            candidates[at].score = (*scores)[at];
    }
    choice.map =
        make_search_map({plane.configurations, plane.places, searched.scores}, candidates,
                        plane.projection.project(*embeddings), searched.walk ? &*searched.walk : nullptr);
    choice.map->explained = plane.projection.explained();
    return {};
}

std::vector<Configuration> ModelSearch::designs(const ConfigurationSpace& space) const {
    if (!is_blended() || settings_.method == ChoiceMethod::Recorded)
        return {};
    return space.designs();
}

Result<ModelSearch::Searched> ModelSearch::search_pool(const ConfigurationSpace& space,
                                                       const WorkloadScorer& scorer,
                                                       std::span<const Configuration> designs,
                                                       WorkloadChoice& choice, const std::stop_token& stop,
                                                       const ProgressSink& progress) const {
    auto found = embedded_->search(scorer, {shortlist(), settings_.width, settings_.mapped});
    if (!found)
        return std::unexpected(std::move(found).error());
    const std::vector<Configuration>& pool = embedded_->configurations();
    choice.search_ms = found->search_ms;
    choice.scored = found->scored;
    choice.pool = static_cast<std::int64_t>(pool.size());
    choice.recall = found->recall;
    choice.recall_at = found->recall_at;
    choice.exhaustive_ms = found->exhaustive_ms;
    if (is_blended()) {
        std::vector<Configuration> shortlisted;
        for (const Ranked& ranked : found->best)
            shortlisted.push_back(pool[ranked.candidate]);
        const std::size_t of_the_pool = shortlisted.size();
        add_new(shortlisted, designs);
        choice.designs = static_cast<std::int64_t>(shortlisted.size() - of_the_pool);
        if (auto chosen =
                BlendedChoice(*model_, scorer, space, settings_).choose(shortlisted, choice, stop, progress);
            !chosen)
            return std::unexpected(std::move(chosen).error());
    } else {
        for (const Ranked& ranked : found->best)
            choice.candidates.push_back({pool[ranked.candidate], ranked.score});
    }
    return Searched{std::move(found->node_scores), std::move(found->walk)};
}

Result<ModelSearch::Searched> ModelSearch::score_all_of(const ConfigurationSpace& space,
                                                        std::span<const Configuration> configurations,
                                                        const WorkloadScorer& scorer,
                                                        std::span<const Configuration> designs,
                                                        WorkloadChoice& choice, const std::stop_token& stop,
                                                        const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    choice.scored = static_cast<std::int64_t>(configurations.size());
    choice.pool = choice.scored;
    if (is_blended()) {
        const auto embeddings = model_->embed_configurations(configurations);
        if (!embeddings)
            return std::unexpected(embeddings.error());
        auto scores = scorer.score_embeddings(*embeddings);
        if (!scores)
            return std::unexpected(scores.error());
        std::vector<Configuration> shortlisted;
        for (const Ranked& ranked : best_of(*scores, shortlist()))
            shortlisted.push_back(configurations[ranked.candidate]);
        const std::size_t of_the_pool = shortlisted.size();
        add_new(shortlisted, designs);
        choice.designs = static_cast<std::int64_t>(shortlisted.size() - of_the_pool);
        choice.search_ms = stopwatch.milliseconds();
        if (auto chosen =
                BlendedChoice(*model_, scorer, space, settings_).choose(shortlisted, choice, stop, progress);
            !chosen)
            return std::unexpected(std::move(chosen).error());
        return Searched{*std::move(scores), std::nullopt};
    }
    auto scores = scorer.score(configurations);
    if (!scores)
        return std::unexpected(scores.error());
    const auto k = static_cast<std::size_t>(settings_.k);
    // An adapted gray box. Recorded configurations are few variants, and starting points are no choices.
    if (is_pool_searched() && model_->description().doubt) {
        for (const std::uint32_t place :
             choose_portfolio(space, configurations, *scores, gray_box_portfolio(k, settings_.seed)))
            choice.candidates.push_back({configurations[place], (*scores)[place]});
    } else {
        for (const Ranked& ranked : best_of(*scores, k))
            choice.candidates.push_back({configurations[ranked.candidate], ranked.score});
    }
    choice.search_ms = stopwatch.milliseconds();
    return Searched{*std::move(scores), std::nullopt};
}

Result<ModelSearch::Searched> ModelSearch::search_beyond(const ConfigurationSpace& space,
                                                         const WorkloadScorer& scorer,
                                                         std::span<const Configuration> designs,
                                                         WorkloadChoice& choice, const std::stop_token& stop,
                                                         const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    WorkloadChoice known;
    const auto designed = begun_with(designs, settings_.budget / 4);
    const auto begun = begun_with(pool_, settings_.budget / 2 - static_cast<std::int64_t>(designed.size()));
    auto scored = score_all_of(space, begun, scorer, designed, known, stop, progress);
    if (!scored)
        return std::unexpected(std::move(scored).error());
    const auto spent = static_cast<std::int64_t>(begun.size() + designed.size());
    const std::string label = "searching " + settings_.configurations; // outlives the search
    SearchSettings settings{.method = settings_.method == ChoiceMethod::Evolution ? SearchMethod::Evolution
                                                                                  : SearchMethod::Annealing,
                            .budget = std::max<std::int64_t>(settings_.budget - spent, 1),
                            .k = static_cast<int>(shortlist()),
                            .seed = settings_.seed,
                            .progress_label = label};
    settings.starts = configurations_of(known.candidates);
    auto found = search_configurations(space, scorer, settings, stop, progress);
    if (!found)
        return std::unexpected(std::move(found).error());
    if (found->stopped)
        return fail(Fault::Cancelled,
                    fmt::format("stopped while {} were searched", settings_.configurations));
    if (is_blended()) {
        std::vector<float> scores;
        scores.reserve(found->best.size());
        for (const ScoredConfiguration& each : found->best)
            scores.push_back(each.score);
        if (auto kept = BlendedChoice(*model_, scorer, space, settings_)
                            .keep_portfolio(configurations_of(found->best), scores, choice);
            !kept)
            return std::unexpected(std::move(kept).error());
    } else {
        choice.candidates = std::move(found->best);
    }
    choice.scored = spent + found->scored;
    choice.pool = static_cast<std::int64_t>(pool_.size());
    choice.simulated = known.simulated;
    choice.designs = known.designs;
    choice.simulating_ms = known.simulating_ms;
    choice.search_ms = stopwatch.milliseconds();
    return scored;
}

} // namespace sparsight
