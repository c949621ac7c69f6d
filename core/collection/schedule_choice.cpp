#include "collection/schedule_choice.h"

#include "base/digest.h"
#include "schedule/hash.h"
#include "schedule/sampler.h"

#include <unordered_set>

namespace sparsight {

namespace {

std::vector<SuperSchedule> choose(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                  const Extents& extents, int threads) {
    if (const auto* listed = std::get_if<ListedSchedules>(&choice))
        return listed->schedules;
    if (const auto* by_matrix = std::get_if<SchedulesByMatrix>(&choice)) {
        const auto own = by_matrix->schedules.find(matrix);
        return own == by_matrix->schedules.end() ? std::vector<SuperSchedule>{} : own->second;
    }
    const auto* sampled = std::get_if<SampledSchedules>(&choice);
    if (sampled == nullptr)
        return {};
    Random random = random_of_matrix(sampled->seed, matrix);
    return sampled->sampler == Sampler::Waco ? sample_waco(op, extents, sampled->count, threads, random)
                                             : sample_uniform(op, extents, sampled->count, threads, random);
}

} // namespace

std::string_view name(Sampler sampler) {
    return sampler == Sampler::Waco ? "waco" : "uniform";
}

std::optional<Sampler> parse_sampler(std::string_view text) {
    for (const Sampler sampler : {Sampler::Waco, Sampler::Uniform})
        if (text == name(sampler))
            return sampler;
    return std::nullopt;
}

Random random_of_matrix(std::uint64_t seed, std::string_view matrix) {
    return Random(seed).fork(digest_of(matrix));
}

std::vector<SuperSchedule> schedules_for(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                         const Extents& extents, int threads) {
    std::vector<SuperSchedule> schedules{fixed_csr(op, threads)};
    std::unordered_set<SuperSchedule> known{canonical(schedules.front())};
    for (SuperSchedule& schedule : choose(choice, op, matrix, extents, threads)) {
        schedule.threads = threads;
        if (known.insert(canonical(schedule)).second)
            schedules.push_back(schedule);
    }
    return schedules;
}

} // namespace sparsight
