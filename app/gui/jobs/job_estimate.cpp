#include "gui/jobs/job_estimate.h"

#include "gui/jobs/job_texts.h"
#include "widgets/look/number_text.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double shortest_asked = 10 * 60; ///< seconds

/// Two significant digits: no estimate knows more.
double rounded(double seconds) {
    const double step = std::pow(10.0, std::floor(std::log10(std::max(seconds, 1.0))) - 1);
    return std::max(1.0, std::round(seconds / step) * step);
}

/// "25 s", "3 min", "1 h 05 min": no estimate knows more.
QString about_text(double seconds) {
    if (seconds < 55)
        return with_whole_numbers(
            JobTexts::tr("%1 s").arg(seconds < 10 ? std::lround(seconds) : 5 * std::lround(seconds / 5)));
    if (seconds < 3570)
        return with_whole_numbers(JobTexts::tr("%1 min").arg(std::lround(seconds / 60)));
    return duration_text(300 * std::round(seconds / 300) * 1000);
}

const Job* newest_like(const JobDescription& job, const std::vector<Job>& earlier) {
    const Job* found = nullptr;
    const auto rank = [&job](const Job& each) {
        return std::pair(each.workspace == job.workspace, each.ended);
    };
    for (const Job& each : earlier)
        if (each.kind == job.kind && each.seconds_a_unit > 0 &&
            (found == nullptr || rank(each) > rank(*found)))
            found = &each;
    return found;
}

} // namespace

std::optional<JobEstimate> estimate_of(const JobDescription& job, const std::vector<Job>& earlier) {
    const Job* const like = newest_like(job, earlier);
    const double rate = like != nullptr ? like->seconds_a_unit : job.kind.guessed_seconds_a_unit;
    if (job.work <= 0 || rate <= 0)
        return std::nullopt;
    double seconds = job.work * rate;
    if (job.budget)
        seconds = std::min(seconds, static_cast<double>(job.budget->count()));
    return JobEstimate{rounded(seconds),
                       like != nullptr ? QStringLiteral("“%1”").arg(like->title) : QString()};
}

bool asks_first(const JobEstimate& estimate) {
    return estimate.seconds >= shortest_asked;
}

QString estimate_text(const JobEstimate& estimate) {
    const QString time = about_text(estimate.seconds);
    return estimate.from.isEmpty()
               ? JobTexts::tr("About %1, a guess: nothing like it has run here yet.").arg(time)
               : JobTexts::tr("About %1, estimated from %2.").arg(time, estimate.from);
}

} // namespace sparsight
