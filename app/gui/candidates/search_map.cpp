#include "gui/candidates/search_map.h"

#include "gui/page/domain_words.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

struct WalkTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CandidatesPage)
};

/// The score that the colours show; a blended score has the weights that the search used.
double shown_score(const SearchedMap::Node& node, const std::optional<BlendShares>& blend,
                   MapColours colours) {
    if (!blend || colours == MapColours::Network)
        return node.score;
    if (!node.simulated_ms) // there is nothing to say about one that would not run
        return std::numeric_limits<double>::quiet_NaN();
    return colours == MapColours::Simulated
               ? *node.simulated_ms
               : blend->network * node.score + blend->simulator * std::log(*node.simulated_ms);
}

QString name_of(MapColours colours) {
    switch (colours) {
    case MapColours::Network:
        return WalkTexts::tr("network’s score");
    case MapColours::Simulated:
        return WalkTexts::tr("time simulated by the model");
    case MapColours::Score:
        break;
    }
    return WalkTexts::tr("blended score");
}

QString title_of(bool is_blended, bool is_walk, const Noun& configuration) {
    if (is_walk)
        return is_blended
                   ? WalkTexts::tr("The walk, by the network’s score alone")
                   : WalkTexts::tr("The walk among %1 as the model sees them").arg(many(configuration));
    return is_blended ? WalkTexts::tr("%1 as the network sees them").arg(title_of_many(configuration))
                      : WalkTexts::tr("%1 as the model sees them").arg(title_of_many(configuration));
}

/// A candidate is named as the table names it, each other node among the candidates, so that its name is none
/// of theirs.
std::function<QString(std::size_t)> names_when_asked(const CandidateSearch& search,
                                                     const NameConfigurations& name) {
    QStringList texts;
    for (const SearchedMap::Node& node : search.map->nodes)
        texts << node.configuration;
    if (!name)
        return [texts](std::size_t node) { return texts[static_cast<qsizetype>(node)]; };
    QStringList candidates;
    for (const FoundCandidate& candidate : search.candidates)
        candidates << candidate.configuration;
    return [texts, candidates, name, setting = search.setting](std::size_t node) {
        const QString& text = texts[static_cast<qsizetype>(node)];
        const qsizetype place = candidates.indexOf(text);
        const auto names = name(setting, place < 0 ? candidates + QStringList(text) : candidates);
        return place < 0 ? names.back().short_form : names[static_cast<std::size_t>(place)].short_form;
    };
}

} // namespace

WalkPicture walk_drawing(const CandidateSearch& search, const Domain& domain, const NameConfigurations& name,
                         MapColours colours) {
    WalkPicture picture;
    if (!search.map)
        return picture;
    const auto& baseline = domain.words().baseline;
    picture.name = names_when_asked(search, name);
    for (const SearchedMap::Node& node : search.map->nodes) {
        WalkNode drawn;
        drawn.x = node.x;
        drawn.y = node.y;
        drawn.score = shown_score(node, search.blend, colours);
        drawn.seen = node.seen;
        drawn.key = node.configuration;
        const auto written = domain.written(search.setting, node.configuration.toStdString());
        if (baseline && written && written->is_baseline) {
            drawn.reference = true;
            drawn.label = one(*baseline);
            picture.reference_name = drawn.label;
        }
        picture.nodes.push_back(std::move(drawn));
    }
    // The candidates come first, in their order. The baseline after them was added by the map, not found by
    // the search.
    const std::size_t found = std::min(search.candidates.size(), picture.nodes.size());
    for (std::size_t i = 0; i < found; ++i)
        if (search.candidates[i].rank <= search.asked.k)
            picture.nodes[i].rank = search.candidates[i].rank;
    for (const SearchedMap::Step& step : search.map->walk)
        picture.steps.push_back({step.node, step.from, step.layer});
    picture.explained = search.map->explained;
    picture.title = title_of(search.blend.has_value(), !picture.steps.empty(), domain.words().configuration);
    if (search.blend) {
        picture.score_name = name_of(colours);
        picture.scores_are_times = colours == MapColours::Simulated;
    }
    return picture;
}

MapColourChoice::MapColourChoice(QWidget* parent)
    : QWidget(parent)
    , box_(new QComboBox(this)) {
    box_->setObjectName(QStringLiteral("map-colours"));
    const auto add = [this](MapColours colours, const QString& name, const QString& meaning) {
        box_->addItem(name, static_cast<int>(colours));
        box_->setItemData(box_->count() - 1, meaning, Qt::ToolTipRole);
    };
    add(MapColours::Score, tr("blended score"), tr("Score by which those of the table are chosen"));
    add(MapColours::Network, tr("network’s score"),
        tr("Score that the walk follows, towards ever better ones"));
    add(MapColours::Simulated, tr("time simulated by the model"),
        tr("Time by the model’s own simulator, which its fine-tuning calibrated; nothing was run"));
    auto* label = new QLabel(tr("Co&lours"), this);
    label->setBuddy(box_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    row->addWidget(label);
    row->addWidget(box_);
    const auto show_meaning = [this] { box_->setToolTip(box_->currentData(Qt::ToolTipRole).toString()); };
    show_meaning();
    connect(box_, &QComboBox::currentIndexChanged, this, [this, show_meaning] {
        show_meaning();
        Q_EMIT changed();
    });
}

MapColours MapColourChoice::colours() const {
    return static_cast<MapColours>(box_->currentData().toInt());
}

} // namespace sparsight
