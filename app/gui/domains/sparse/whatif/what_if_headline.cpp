#include "gui/domains/sparse/whatif/what_if_headline.h"

#include "gui/domains/sparse/comparison/explanation_drawing.h"
#include "store/machines.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <vector>

namespace sparsight {

namespace {

struct HeadlineTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WhatIfPage)
};

} // namespace

QString winner_text(const Study& study, const ShownMachine& machine) {
    return machine.ranked.learned_by.isEmpty() ? winner_text(study, machine.ranked.ranking, machine.title)
                                               : learned_winner_text(study, machine.ranked, machine.title);
}

QString far_off_text(const Study& study, const ShownMachine& machine, bool is_named) {
    if (!machine.chosen || machine.edited.is_changed() || machine.ranked.parts.empty())
        return {};
    const auto known = study.known.find(machine.chosen->fingerprint);
    const MachineDescription& given = machine.edited.given();
    if (known == study.known.end() ||
        known->second.threads != resolve_parameters(given).values[MachineParameter::Threads])
        return {};
    const Ranking& ranking = machine.ranked.ranking;
    const double error = simulation_error(given);
    const bool is_recorded = is_recording(machine.chosen->fingerprint.toStdString());
    const QString place = is_named ? machine.title.toHtmlEscaped() : QString();
    const auto selected = std::ranges::find(study.keys, machine.selected) - study.keys.begin();
    const std::size_t none = study.keys.size();
    std::vector<std::size_t> singles{static_cast<std::size_t>(selected), ranking.winner().value_or(none)};
    const std::vector<std::size_t> timed = comparable_places(ranking, known->second);
    if (timed.size() == 1)
        singles.push_back(timed.front());
    for (const std::size_t single : singles) {
        if (single == none || !std::isfinite(ranking.milliseconds[single]))
            continue;
        const QString name = QStringLiteral("<b>%1</b>").arg(study.labels[single].toHtmlEscaped());
        const QString text =
            far_off_text(ranking.milliseconds[single], error, known->second.times[single], is_recorded,
                         place.isEmpty() ? name : HeadlineTexts::tr("%1 on %2").arg(name, place));
        if (!text.isEmpty())
            return text;
    }
    return far_off_in_median_text(ranking, known->second, error, is_recorded, place);
}

QString learned_reason(const QString& model, std::span<const ShownMachine> machines) {
    QStringList sentences;
    for (const ShownMachine& machine : machines) {
        if (machine.learned.is_busy())
            sentences << HeadlineTexts::tr("Asking %1 about %2.").arg(model, machine.title);
        else if (!machine.learned.problem().isEmpty())
            sentences << HeadlineTexts::tr("%1 can’t tell: %2.").arg(model, machine.learned.problem());
        else if (machine.learned.ranking() == nullptr)
            sentences << HeadlineTexts::tr("%1 knows nothing of %2, so its times are simulated.")
                             .arg(model, machine.title);
        else if (!machine.ranked.has_times)
            sentences
                << HeadlineTexts::tr("%1 only orders schedules: a longer bar is a worse score.").arg(model);
        else
            sentences << (HeadlineTexts::tr(
                              "Learned, not measured: simulated times with the correction that %1 learned.")
                              .arg(model) +
                          (machine.ranked.states_intervals()
                               ? u' ' + HeadlineTexts::tr(
                                            "A whisker is the 95 % interval that the model states.")
                               : QString()));
    }
    sentences.removeDuplicates();
    return sentences.join(u' ') + u' ' + HeadlineTexts::tr("The map is simulated.");
}

} // namespace sparsight
