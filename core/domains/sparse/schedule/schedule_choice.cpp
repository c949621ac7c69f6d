#include "domains/sparse/schedule/schedule_choice.h"

#include "base/digest.h"
#include "domains/sparse/schedule/sampler.h"

#include <unordered_set>

namespace sparsight {

std::string_view name(Sampler sampler) {
    return sampler == Sampler::Waco ? "waco" : "uniform";
}

std::optional<Sampler> parse_sampler(std::string_view text) {
    for (const Sampler sampler : {Sampler::Waco, Sampler::Uniform})
        if (text == name(sampler))
            return sampler;
    return std::nullopt;
}

std::vector<SuperSchedule> draw_schedules(Sampler sampler, Operator op, const Extents& extents, int count,
                                          int threads, Random& random) {
    return sampler == Sampler::Waco ? sample_waco(op, extents, count, threads, random)
                                    : sample_uniform(op, extents, count, threads, random);
}

namespace {

std::vector<SuperSchedule> choose(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                  const Extents& extents, int threads) {
    if (const auto* listed = std::get_if<ListedSchedules>(&choice))
        return listed->schedules;
    const auto& sampled = std::get<SampledSchedules>(choice);
    Random random = Random(sampled.seed).fork(digest_of(matrix));
    return draw_schedules(sampled.sampler, op, extents, sampled.count, threads, random);
}

} // namespace

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
