#include "widgets/chart/walk_picture.h"

#include "widgets/look/number_text.h"
#include "widgets/table/delimited_text.h"
#include "widgets/table/raw_value.h"

#include <QCoreApplication>
#include <algorithm>
#include <unordered_map>

namespace sparsight {

std::vector<std::size_t> path_to(const WalkPicture& picture, std::size_t node) {
    // A node that was passed in several layers was led to once.
    std::unordered_map<std::size_t, std::size_t> from;
    for (const WalkStep& step : picture.steps)
        from.try_emplace(step.node, step.from);
    std::vector<std::size_t> path;
    for (auto step = from.find(node); step != from.end() && path.size() <= picture.steps.size();
         step = from.find(step->second)) {
        path.push_back(step->first);
        if (step->second == step->first) {
            std::ranges::reverse(path);
            return path;
        }
    }
    return {};
}

std::vector<std::size_t> path_to_best(const WalkPicture& picture) {
    const auto best = std::ranges::find(picture.nodes, 1, &WalkNode::rank);
    return best == picture.nodes.end()
               ? std::vector<std::size_t>{}
               : path_to(picture, static_cast<std::size_t>(best - picture.nodes.begin()));
}

QString score_name(const WalkPicture& picture) {
    return picture.score_name.isEmpty()
               ? QCoreApplication::translate("sparsight::WalkPlot", "predicted score")
               : picture.score_name;
}

QString score_text(const WalkPicture& picture, double score) {
    return picture.scores_are_times ? duration_text(score) : significant(score);
}

QString walk_csv(const WalkPicture& picture) {
    std::unordered_map<std::size_t, std::size_t> order;
    for (std::size_t i = 0; i < picture.steps.size(); ++i)
        order.try_emplace(picture.steps[i].node, i);
    QList<QStringList> lines{{QStringLiteral("name"), QStringLiteral("x"), QStringLiteral("y"),
                              QStringLiteral("score"), QStringLiteral("rank"), QStringLiteral("seen"),
                              QStringLiteral("step"), QStringLiteral("from"), QStringLiteral("layer")}};
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        const WalkNode& node = picture.nodes[i];
        QStringList line{node.key.toString(),
                         exported_number(node.x),
                         exported_number(node.y),
                         exported_number(node.score),
                         node.rank > 0 ? QString::number(node.rank) : QString(),
                         node.seen ? QStringLiteral("1") : QStringLiteral("0")};
        if (const auto at = order.find(i); at != order.end()) {
            const WalkStep& step = picture.steps[at->second];
            line << QString::number(at->second + 1)
                 << (step.from == i ? QString() : picture.nodes[step.from].key.toString())
                 << QString::number(step.layer);
        } else {
            line << QString() << QString() << QString();
        }
        lines << line;
    }
    return csv_text(lines);
}

} // namespace sparsight
