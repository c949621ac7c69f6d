#include "gui/candidates/walk_drawing.h"

#include "gui/page/short_form.h"
#include "schedule/text.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

namespace {

struct WalkTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CandidatesPage)
};

} // namespace

WalkPicture walk_drawing(const CandidateSearch& search) {
    WalkPicture picture;
    if (!search.map)
        return picture;
    for (const SearchedMap::Node& node : search.map->nodes) {
        WalkNode drawn;
        drawn.x = node.x;
        drawn.y = node.y;
        drawn.score = node.score;
        drawn.seen = node.seen;
        drawn.key = node.schedule;
        const auto schedule = parse_schedule(search.asked.op, node.schedule.toStdString());
        drawn.label = schedule ? short_form(*schedule) : node.schedule;
        if (schedule && is_fixed_csr(*schedule)) {
            drawn.reference = true;
            drawn.label = WalkTexts::tr("fixed CSR");
            picture.reference_name = drawn.label;
        }
        picture.nodes.push_back(std::move(drawn));
    }
    // The candidates come first, in their order. Fixed CSR behind them was added, and not found.
    const std::size_t found = std::min(search.candidates.size(), picture.nodes.size());
    for (std::size_t i = 0; i < found; ++i)
        if (search.candidates[i].rank <= search.asked.k)
            picture.nodes[i].rank = search.candidates[i].rank;
    for (const SearchedMap::Step& step : search.map->walk)
        picture.steps.push_back({step.node, step.from, step.layer});
    picture.explained = search.map->explained;
    picture.title = picture.steps.empty() ? WalkTexts::tr("Schedules as the model sees them")
                                          : WalkTexts::tr("The walk among schedules as the model sees them");
    return picture;
}

} // namespace sparsight
