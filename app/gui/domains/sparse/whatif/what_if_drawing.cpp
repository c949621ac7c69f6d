#include "gui/domains/sparse/whatif/what_if_drawing.h"

#include "evaluation/time_differences.h"
#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/page/machine_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

using P = MachineParameter;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WhatIf)
};

constexpr std::array sliders{P::Cores,   P::Lanes,   P::SocketBandwidth, P::CoreBandwidth, P::MemoryLatency,
                             P::L1Bytes, P::L2Bytes, P::L3Bytes,         P::L3Caches,      P::ChunkCost};

} // namespace

std::span<const MachineParameter> slider_parameters() {
    return sliders;
}

ChartAxis parameter_axis(MachineParameter parameter) {
    const ParameterWords words = parameter_words(parameter);
    const bool is_bytes = parameter_info(parameter).unit == "B";
    ChartAxis axis;
    axis.title = words.name;
    axis.logarithmic = true;
    axis.format = is_bytes ? ValueFormat::Bytes : ValueFormat::Number;
    if (!is_bytes)
        axis.unit = words.unit;
    return axis;
}

StackedTerm scaled_term() {
    return {Words::tr("time × constant factor"),
            Words::tr("what the schedule took, times latency / (cores · bandwidth) of the machine"),
            ChartColour::Reference, false};
}

StackedTerm learned_term(const QString& model) {
    return {Words::tr("learned by %1").arg(model), Words::tr("what the model %1 expects").arg(model),
            ChartColour::Series2, false};
}

QString paper_reason() {
    return Words::tr("Every time is multiplied by the same latency / (cores · bandwidth). All bars change "
                     "together, so no slider can change who wins.");
}

namespace {

struct Drawing {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WhatIf)
};

std::vector<double> parts_of(const MachineRanking& ranked, std::size_t schedule) {
    if (ranked.parts.empty())
        return {ranked.ranking.milliseconds[schedule]};
    const auto& parts = ranked.parts[schedule].parts;
    return {parts.begin(), parts.end()};
}

/// More digits would claim a precision that no simulation has.
QString lead_text(double lead) {
    return with_unit(significant(100 * lead, 2), QStringLiteral("%"));
}

/// "A, B and C"
QString enumeration(const QStringList& names) {
    if (names.size() < 2)
        return names.join(QString());
    return Drawing::tr("%1 and %2")
        .arg(names.first(names.size() - 1).join(QStringLiteral(", ")), names.last());
}

/// The names of the first schedules, as many as are easily read. Several are quoted, as a name has commas.
QString names_of(const Study& study, std::span<const std::size_t> schedules) {
    constexpr std::size_t most = 3;
    const std::size_t told = schedules.size() > most ? most - 1 : schedules.size();
    const QString form = schedules.size() > 1 ? Drawing::tr("“%1”") : QStringLiteral("%1");
    QStringList names;
    for (const std::size_t schedule : schedules.first(told))
        names << form.arg(QStringLiteral("<b>%1</b>").arg(study.labels[schedule].toHtmlEscaped()));
    if (told < schedules.size())
        names << Drawing::tr("%1 others").arg(schedules.size() - told);
    return enumeration(names);
}

} // namespace

MachineRanking rank_on(const MachineDescription& machine, const Study& study, WhatIfFormula formula,
                       const PaperBasis& basis) {
    const MachineParameters parameters = resolve_parameters(machine).values;
    if (formula == WhatIfFormula::Paper)
        return {rank(scale_by_paper(parameters, basis.milliseconds)), {}};
    MachineRanking ranked;
    ranked.parts = simulate(parameters, study.profiles);
    ranked.ranking = rank(ranked.parts);
    return ranked;
}

MachineRanking ranking_of(const LearnedRanking& learned) {
    MachineRanking ranked{
        learned.ranking, {}, QString::fromStdString(learned.told.model), learned.told.tells_times};
    for (const PredictedTime& time : learned.times())
        ranked.intervals.emplace_back(time.low_ms, time.high_ms);
    return ranked;
}

bool MachineRanking::states_intervals() const {
    return std::ranges::any_of(intervals, [](const auto& ends) { return ends.first && ends.second; });
}

void mark_winners(const WinnerMap& map, const Study& study, const std::set<QString>& machines,
                  WinnerMarks& marks) {
    std::set<QString> taken = machines;
    for (const auto& [key, mark] : marks)
        taken.insert(mark.letter);
    std::size_t next = 0;
    for (const WinnerMap::Share& winner : map.winners()) {
        const QString& key = study.keys[winner.schedule];
        if (marks.contains(key))
            continue;
        while (taken.contains(owner_letter(next)))
            ++next;
        const QString letter = owner_letter(next++);
        marks.emplace(key, WinnerMark{letter, marks.size()});
    }
}

StackedPicture ranking_picture(const Study& study, const MachineRanking& ranked,
                               const std::vector<std::optional<double>>& recorded_ms,
                               const QString& marker_name, const WinnerMarks& marks) {
    StackedPicture picture;
    const bool is_learned = !ranked.learned_by.isEmpty();
    const bool is_scaled = ranked.parts.empty() && !is_learned;
    picture.axis.title = !ranked.has_times ? Drawing::tr("score relative to the first choice")
                         : is_learned      ? Drawing::tr("time as learned")
                         : is_scaled       ? Drawing::tr("time by the paper's formula")
                                           : Drawing::tr("simulated time");
    picture.axis.format = ranked.has_times ? ValueFormat::Duration : ValueFormat::Number;
    picture.marker_name = marker_name;
    picture.terms = is_learned  ? std::vector{learned_term(ranked.learned_by)}
                    : is_scaled ? std::vector{scaled_term()}
                                : time_terms();
    for (const std::size_t schedule : ranked.ranking.order) {
        if (!std::isfinite(ranked.ranking.milliseconds[schedule]))
            continue;
        StackedBar bar;
        bar.key = study.keys[schedule];
        bar.label = study.labels[schedule];
        bar.note = study.texts[schedule];
        bar.parts = parts_of(ranked, schedule);
        // The paper's formula and scores have units of their own, which can't be compared with measurements.
        if (!is_scaled && ranked.has_times)
            bar.marker = recorded_ms[schedule];
        if (schedule < ranked.intervals.size())
            std::tie(bar.low, bar.high) = ranked.intervals[schedule];
        if (const auto mark = marks.find(bar.key); mark != marks.end()) {
            bar.badge = mark->second.letter;
            bar.badge_colour = mark->second.colour;
        }
        picture.bars.push_back(std::move(bar));
    }
    return picture;
}

RegionPicture map_picture(const Study& study, const WinnerMap& map, const WinnerMarks& marks) {
    RegionPicture picture;
    picture.x = parameter_axis(map.x.parameter);
    picture.y = parameter_axis(map.y.parameter);
    picture.x_values = map.x.values;
    picture.y_values = map.y.values;
    std::map<std::size_t, std::size_t> places;
    for (const WinnerMap::Share& winner : map.winners()) {
        const QString& key = study.keys[winner.schedule];
        const auto mark = marks.find(key);
        places[winner.schedule] = picture.owners.size();
        const WinnerMark shown = mark == marks.end() ? WinnerMark{} : mark->second;
        picture.owners.push_back({key, study.labels[winner.schedule], shown.letter, shown.colour});
    }
    for (const WinnerCell& cell : map.cells) {
        picture.cells.push_back(places[cell.winner]);
        const QString time = duration_text(cell.milliseconds);
        picture.notes.push_back(
            is_equally_fast(cell.lead)
                ? Drawing::tr("%1, the next is equally fast").arg(time)
                : Drawing::tr("%1, %2 ahead of the next").arg(time, lead_text(cell.lead)));
    }
    return picture;
}

QString winner_text(const Study& study, const Ranking& ranking, const QString& machine) {
    const auto first = equally_fast(ranking.order, ranking.milliseconds);
    const QString place = machine.toHtmlEscaped();
    if (first.empty())
        return Drawing::tr("Nothing has a time on %1.").arg(place);
    const QString names = names_of(study, first);
    const bool is_one = first.size() == 1;
    const std::size_t next = first.size();
    const bool has_next =
        next < ranking.order.size() && std::isfinite(ranking.milliseconds[ranking.order[next]]);
    if (!has_next)
        return is_one ? Drawing::tr("%1 is alone on %2.").arg(names, place)
                      : Drawing::tr("%1 are equally fast on %2.").arg(names, place);
    const QString ahead = lead_text(
        ranking.milliseconds[ranking.order[next]] / ranking.milliseconds[ranking.order.front()] - 1);
    const QString behind = study.labels[ranking.order[next]].toHtmlEscaped();
    return is_one
               ? Drawing::tr("%1 wins on %2, %3 ahead of %4.").arg(names, place, ahead, behind)
               : Drawing::tr("%1 are equally fast on %2, %3 ahead of %4.").arg(names, place, ahead, behind);
}

namespace {

/// A winner of learned times is one only as far as their intervals say so. With a space before it.
QString overlap_text(const MachineRanking& learned) {
    const auto& order = learned.ranking.order;
    if (order.size() < 2 || learned.intervals.size() < learned.ranking.milliseconds.size())
        return {};
    const auto& first = learned.intervals[order.front()].second;
    if (!first)
        return {};
    const auto overlapping = std::ranges::count_if(order.begin() + 1, order.end(), [&](std::size_t place) {
        const auto& low = learned.intervals[place].first;
        return low && *low < *first;
    });
    if (overlapping == 0)
        return {};
    return u' ' +
           (overlapping == 1
                ? Drawing::tr("The interval of 1 other schedule overlaps, so the order is uncertain.")
                : Drawing::tr("The intervals of %1 other schedules overlap, so the order is uncertain.")
                      .arg(count_text(overlapping)));
}

} // namespace

QString learned_winner_text(const Study& study, const MachineRanking& learned, const QString& machine) {
    const QString model = learned.learned_by.toHtmlEscaped();
    if (learned.has_times)
        return Drawing::tr("Learned by %1: %2").arg(model, winner_text(study, learned.ranking, machine)) +
               overlap_text(learned);
    const auto winner = learned.ranking.winner();
    if (!winner)
        return Drawing::tr("%1 has no score here.").arg(model);
    return Drawing::tr("<b>%1</b> is the first choice of %2 on %3.")
        .arg(study.labels[*winner].toHtmlEscaped(), model, machine.toHtmlEscaped());
}

std::vector<std::size_t> comparable_places(const Ranking& ranking, const ClockTimes& known) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < known.times.size(); ++place) {
        const ClockTime& time = known.times[place];
        const double simulated = ranking.milliseconds[place];
        const double known_ms = time.milliseconds.value_or(0);
        if (known_ms > 0 && std::isfinite(simulated) && !(time.is_at_least && simulated >= known_ms))
            places.push_back(place);
    }
    return places;
}

QString far_off_in_median_text(const Ranking& ranking, const ClockTimes& known, double simulation_error,
                               bool is_recorded, const QString& machine) {
    std::vector<SimulatedAndKnown> times;
    for (const std::size_t place : comparable_places(ranking, known))
        times.push_back(
            {ranking.milliseconds[place], *known.times[place].milliseconds, known.times[place].spread_ms});
    const auto factor = far_off_in_median(times, simulation_error);
    if (!factor)
        return {};
    const QString simulation =
        machine.isEmpty() ? Drawing::tr("The simulation") : Drawing::tr("The simulation of %1").arg(machine);
    return (is_recorded
                ? Drawing::tr("%1 is far off: its times differ from the recorded ones by a factor of %2 "
                              "(median of %3). Read the parts below with care.")
                : Drawing::tr("%1 is far off: its times differ from the measured ones by a factor of %2 "
                              "(median of %3). Read the parts below with care."))
        .arg(simulation, significant(*factor), schedules_text(std::ssize(times)));
}

} // namespace sparsight
