#include "gui/tuners/search_progress.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace sparsight {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SearchProgress)
};

struct Tuner {
    QString rule;
    QString title;
    ChartColour colour;
};

/// In the order of the legend.
std::array<Tuner, 4> tuners() {
    return {Tuner{QStringLiteral("corrected"), Texts::tr("transfer, corrected by each measurement"),
                  ChartColour::Series1},
            Tuner{QStringLiteral("sources"), Texts::tr("the best of each other machine in turn"),
                  ChartColour::Series2},
            Tuner{QStringLiteral("scratch"), Texts::tr("boosted trees from scratch, planned for each number"),
                  ChartColour::Series3},
            Tuner{QStringLiteral("random"), Texts::tr("random search, mean of all draws"),
                  ChartColour::Reference}};
}

} // namespace

double SearchProgress::mean(const Draws& draws) {
    double sum = 0;
    for (const auto& [seed, regret] : draws)
        sum += regret;
    return sum / static_cast<double>(draws.size());
}

SearchProgress SearchProgress::of(const QStringList& event_lines) {
    SearchProgress progress;
    for (const QString& line : event_lines)
        progress.add(QJsonDocument::fromJson(line.toUtf8()).object());
    return progress;
}

bool SearchProgress::add(const QJsonObject& event) {
    const QString name = event.value(QStringLiteral("event")).toString();
    if (name == QLatin1String("point"))
        return add_point(event);
    bool has_more = false;
    if (name == QLatin1String("start"))
        for (const QJsonValue& known : event.value(QStringLiteral("known")).toArray())
            has_more |= add_point(known.toObject());
    return has_more;
}

bool SearchProgress::add_point(const QJsonObject& point) {
    const auto measurements = point.value(QStringLiteral("measurements")).toInteger();
    auto& of_rule = regrets_[point.value(QStringLiteral("rule")).toString()];
    return of_rule[static_cast<std::size_t>(measurements)]
        .emplace(point.value(QStringLiteral("seed")).toInteger(),
                 point.value(QStringLiteral("regret")).toDouble())
        .second;
}

std::optional<double> SearchProgress::regret(const QString& rule, std::size_t measurements) const {
    const auto of_rule = regrets_.find(rule);
    if (of_rule == regrets_.end() || !of_rule->second.contains(measurements))
        return std::nullopt;
    return mean(of_rule->second.at(measurements));
}

std::vector<LineSeries> SearchProgress::lines() const {
    std::vector<LineSeries> lines;
    for (const Tuner& tuner : tuners()) {
        const auto found = regrets_.find(tuner.rule);
        if (found == regrets_.end())
            continue;
        LineSeries line;
        line.name = tuner.title;
        line.colour = tuner.colour;
        line.marked = true;
        line.dashed = tuner.colour == ChartColour::Reference;
        for (const auto& [measurements, draws] : found->second) {
            line.x.push_back(static_cast<double>(measurements));
            line.y.push_back(1 + mean(draws));
            const auto regrets = draws | std::views::values;
            line.low.push_back(1 + std::ranges::min(regrets));
            line.high.push_back(1 + std::ranges::max(regrets));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::optional<double> SearchProgress::unmeasured() const {
    const auto regret_of_copy = regret(QStringLiteral("copy"), 0);
    return regret_of_copy ? std::optional(1 + *regret_of_copy) : std::nullopt;
}

QString SearchProgress::sentence() const {
    constexpr std::size_t few = 10;
    const auto transfer = regret(QStringLiteral("corrected"), few);
    const auto random = regret(QStringLiteral("random"), few);
    if (!transfer || !random)
        return {};
    const auto over = [](double regret_of_it) { return speedup_text(1 + regret_of_it); };
    QString text =
        Texts::tr("Transfer takes %2 of the fastest time after %1 measurements, and random search %3.")
            .arg(count_text(few), over(*transfer), over(*random));
    const auto& draws = regrets_.at(QStringLiteral("random"));
    const auto as_good =
        std::ranges::find_if(draws, [&](const auto& each) { return mean(each.second) <= *transfer; });
    if (*transfer >= *random)
        return text;
    return text + u' ' +
           (as_good == draws.end() ? Texts::tr("Random search is not that good after %1.")
                                         .arg(count_text(static_cast<qint64>(draws.rbegin()->first)))
                                   : Texts::tr("Random search needs up to %1 for the same.")
                                         .arg(count_text(static_cast<qint64>(as_good->first))));
}

} // namespace sparsight
