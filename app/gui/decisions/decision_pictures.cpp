#include "gui/decisions/decision_pictures.h"

#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_axes = 16;
constexpr double least_bad = 1.05; ///< the ratio with the worst colour, at least
constexpr double most_bad = 10;

struct DecisionTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::DecisionsView)
};

ChartAxis time_axis() {
    ChartAxis axis;
    axis.title = DecisionTexts::tr("time");
    axis.format = ValueFormat::Duration;
    axis.logarithmic = true;
    return axis;
}

/// What the plot leaves out, in one sentence each.
QString left_out(const DecisionSpace& space, std::size_t shown, const Noun& configuration) {
    const auto count = [](std::size_t number) { return static_cast<int>(number); };
    QStringList sentences;
    if (space.times.rows > space.times.timed)
        sentences << DecisionTexts::tr("Left out, as they have no time: %1.")
                         .arg(counted(static_cast<qint64>(space.times.rows - space.times.timed),
                                      configuration));
    if (space.times.constant > 0)
        sentences
            << DecisionTexts::tr("Decisions with one value, left out: %1.").arg(count(space.times.constant));
    if (shown < space.times.scales.size())
        sentences << DecisionTexts::tr("Decisions that tell less of the time, left out: %1.")
                         .arg(count(space.times.scales.size() - shown));
    return sentences.join(u' ');
}

std::optional<std::size_t> row_with(const DecisionSpace& space, const QString& configuration) {
    const auto found = std::ranges::find(space.configurations, configuration);
    if (configuration.isEmpty() || found == space.configurations.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - space.configurations.begin());
}

} // namespace

QString DecisionSpace::value(std::size_t scale, std::size_t place) const {
    const std::string& value = times.scales[scale].values[place];
    return value.empty() ? DecisionTexts::tr("none") : QString::fromStdString(value);
}

std::vector<std::size_t> DecisionSpace::all_rows() const {
    std::vector<std::size_t> rows(times.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

DecisionSpace decision_space(const TimeSet& set) {
    DecisionSpace space;
    std::vector<std::vector<std::string>> values;
    values.reserve(set.times.size());
    for (const ConfigurationTime& time : set.times) {
        auto& row = values.emplace_back();
        for (const QString& value : time.values)
            row.push_back(value.toStdString());
        space.configurations.push_back(QString::fromStdString(time.result.configuration));
        if (time.rank == 0)
            continue;
        space.milliseconds.push_back(time.result.median_ms.value_or(0));
        space.ratios.push_back(time.ratio.value_or(1));
    }
    space.times = decision_times(values, space.milliseconds);
    for (const DecisionScale& scale : space.times.scales)
        space.titles.push_back(set.decisions[scale.decision].name);
    return space;
}

ParallelPicture lines_picture(const DecisionSpace& space, const Noun& configuration) {
    ParallelPicture picture;
    picture.noun = many(configuration);
    picture.title = DecisionTexts::tr("Decisions and times of all %1").arg(picture.noun);
    picture.measure = time_axis();
    const std::vector<std::size_t> shown = telling_scales(space.times, most_axes);
    picture.note = left_out(space, shown.size(), configuration);
    for (const std::size_t scale : shown) {
        ParallelAxis axis{space.titles[scale], {}};
        for (std::size_t place = 0; place < space.times.scales[scale].values.size(); ++place)
            axis.values.push_back(space.value(scale, place));
        picture.axes.push_back(std::move(axis));
    }
    for (std::size_t row = 0; row < space.times.timed; ++row) {
        picture.lines.push_back({space.configurations[row], space.milliseconds[row]});
        for (const std::size_t scale : shown)
            picture.places.push_back(static_cast<std::uint16_t>(space.times.place(row, scale)));
    }
    return picture;
}

namespace {

/// Each cell is an item with a note; more could not be told apart either.
constexpr std::size_t most_cells = 10'000;

bool fits_a_map(const DecisionSpace& space, const DecisionPair& pair) {
    return space.times.scales[pair.across].values.size() * space.times.scales[pair.down].values.size() <=
           most_cells;
}

} // namespace

std::optional<DecisionPair> telling_pair(const DecisionSpace& space) {
    const auto scales = telling_scales(space.times, 2);
    return scales.size() < 2 ? std::nullopt : std::optional(DecisionPair{scales[0], scales[1]});
}

HeatPicture pair_picture(const DecisionSpace& space, KeptRows kept, const DecisionPair& pair,
                         const Noun& configuration) {
    const bool is_brushed = kept.size() < space.times.rows;
    HeatPicture picture;
    picture.title =
        (is_brushed ? DecisionTexts::tr("The fastest %1 within the brushes for each pair of values")
                    : DecisionTexts::tr("The fastest %1 for each pair of values"))
            .arg(one(configuration));
    picture.x_title = space.titles[pair.across];
    picture.y_title = space.titles[pair.down];
    picture.value_title = DecisionTexts::tr("Time over that of the fastest");
    picture.format = ValueFormat::Speedup;
    picture.logarithmic = true;
    picture.infinite_text = DecisionTexts::tr("no time");
    picture.good = 1;
    picture.bad = least_bad;
    const auto entries = [&](std::size_t scale) {
        std::vector<HeatEntry> list;
        for (std::size_t place = 0; place < space.times.scales[scale].values.size(); ++place)
            list.push_back({QString::number(place), space.value(scale, place)});
        return list;
    };
    if (!fits_a_map(space, pair)) {
        picture.title = DecisionTexts::tr("These decisions have too many values to draw each pair of them");
        return picture;
    }
    picture.columns = entries(pair.across);
    picture.rows = entries(pair.down);
    for (const PairedTimes& cell : paired_times(space.times, pair.across, pair.down, kept)) {
        if (cell.tried == 0) {
            picture.values.push_back(std::numeric_limits<double>::quiet_NaN());
            picture.notes.push_back(is_brushed ? DecisionTexts::tr("none within the brushes")
                                               : DecisionTexts::tr("never tried"));
            continue;
        }
        QString note = counted(static_cast<qint64>(cell.tried), configuration);
        if (cell.fastest)
            note += QStringLiteral(" · ") + DecisionTexts::tr("the fastest takes %1: %2")
                                                .arg(runtime_text(space.milliseconds[*cell.fastest]),
                                                     space.configurations[*cell.fastest]);
        picture.notes.push_back(note);
        const double ratio =
            cell.fastest ? space.ratios[*cell.fastest] : std::numeric_limits<double>::infinity();
        picture.values.push_back(ratio);
        if (std::isfinite(ratio))
            picture.bad = std::max(picture.bad, std::min(ratio, most_bad));
    }
    return picture;
}

QString fastest_of(const DecisionSpace& space, KeptRows kept, const DecisionPair& pair, const MapCell& cell) {
    const auto pairs = paired_times(space.times, pair.across, pair.down, kept);
    const std::size_t width = space.times.scales[pair.across].values.size();
    const auto fastest = pairs[cell.row * width + cell.column].fastest;
    return fastest ? space.configurations[*fastest] : QString();
}

std::optional<MapCell> cell_of(const DecisionSpace& space, const DecisionPair& pair,
                               const QString& configuration) {
    const auto row = row_with(space, configuration);
    if (!row || !fits_a_map(space, pair))
        return std::nullopt;
    return MapCell{space.times.place(*row, pair.across), space.times.place(*row, pair.down)};
}

std::vector<ChartSeries> time_distribution(const DecisionSpace& space, KeptRows kept, const QString& selected,
                                           const Noun& configuration) {
    const TimeHistogram counted_times = time_histogram(space.milliseconds);
    if (counted_times.counts.empty())
        return {};
    Histogram histogram{many(configuration), counted_times.edges, {}, ChartColour::Reference};
    for (const std::size_t count : counted_times.counts)
        histogram.counts.push_back(static_cast<double>(count));
    const auto mark = [&](std::size_t row, const QString& name, ChartColour colour) {
        ScatterSeries series;
        series.name = name;
        series.colour = colour;
        ScatterPoint point;
        point.x = space.milliseconds[row];
        point.y = histogram.counts[counted_times.bin_of(point.x)];
        point.label = QStringLiteral("%1: %2").arg(name, space.configurations[row]);
        point.key = space.configurations[row];
        series.points.push_back(std::move(point));
        return series;
    };
    std::vector<ChartSeries> series{mark(0, DecisionTexts::tr("the fastest"), ChartColour::Win)};
    if (const auto row = row_with(space, selected); row && *row < space.milliseconds.size())
        series.emplace_back(mark(*row, DecisionTexts::tr("selected"), ChartColour::Accent));
    if (kept.size() < space.times.rows) {
        Histogram within{DecisionTexts::tr("left by the brushes"), histogram.edges,
                         std::vector<double>(histogram.counts.size(), 0), ChartColour::Accent};
        for (const std::size_t row : kept)
            if (row < space.milliseconds.size())
                ++within.counts[counted_times.bin_of(space.milliseconds[row])];
        series.insert(series.begin(), std::move(within));
    }
    series.insert(series.begin(), std::move(histogram));
    return series;
}

} // namespace sparsight
