// What the clock says of a case, held against what the simulator says.
#include "gui/failures/case_study.h"

namespace sparsight {

std::optional<Disagreement> CaseStudy::disagreement() const {
    const ShownExplanation* const explanation = shown();
    if (explanation == nullptr || !failure_ || failure_->main().lost_ms() <= 0)
        return std::nullopt;
    if (explanation->is_measured)
        return explanation->disagreement;
    const Disagreement both{1 + failure_->main().lost_share(),
                            explanation->schedule.ms / explanation->against.ms};
    const bool is_unseen = failure_->diagnosis && !failure_->diagnosis->simulation_agrees;
    return is_unseen ? both : disagreement_of(both.measured_factor, both.simulated_factor);
}

QString CaseStudy::disagreement_text() const {
    const auto found = disagreement();
    if (!found)
        return {};
    const bool is_measured = shown()->is_measured || setting_.source == TimeSource::Measured;
    const QString clock = is_measured                               ? tr("Measured")
                          : setting_.source == TimeSource::Recorded ? tr("Recorded")
                                                                    : tr("In the evaluation");
    return disagreement_sentence(*found, clock, titles(),
                                 simulated_ ? simulated_->machine : setting_.machine_name);
}

QString CaseStudy::clock_name() const {
    switch (setting_.source) {
    case TimeSource::Measured:
        return tr("The measurement");
    case TimeSource::Recorded:
        return tr("The recorded times");
    case TimeSource::Simulated:
        return tr("The evaluation");
    }
    return {};
}

} // namespace sparsight
