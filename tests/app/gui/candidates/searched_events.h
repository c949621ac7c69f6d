// What the learner tells of a search, for tests that do not need it.
#pragma once

#include "domains/sparse/schedule/text.h"

#include <QStringList>
#include <fmt/format.h>
#include <string>

namespace sparsight::testing {

/// Fixed CSR for SpMM with another chunk.
inline std::string schedule_text(int chunk, int threads = 1) {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, threads);
    schedule.chunk = chunk;
    return to_text(schedule);
}

inline std::string node_json(int chunk, double x, double y, double score, bool seen) {
    return fmt::format(R"({{"schedule":"{}","x":{},"y":{},"score":{},"seen":{}}})", schedule_text(chunk), x,
                       y, score, seen ? "true" : "false");
}

/// Chunks 4 and 8 were found, fixed CSR stands behind them; the walk went 1 → 2 → 4 and looked at 8, too.
inline QStringList searched_events(const std::string& matrix) {
    const std::string choice = fmt::format(
        R"({{"event":"choice","matrix":"{}","method":"index","pool":2500,"scored":400,"embedding_ms":3.5,)"
        R"("search_ms":0.75,"recall":0.95,"exhaustive_ms":6.5,"candidates":[)"
        R"({{"rank":1,"schedule":"{}","score":-1.5}},{{"rank":2,"schedule":"{}","score":-1.25}},)"
        R"({{"rank":3,"schedule":"{}","score":0.5}}]}})",
        matrix, schedule_text(4), schedule_text(8), schedule_text(32));
    const std::string map = fmt::format(
        R"({{"event":"map","matrix":"{}","rows":2400,"sampled":1,"explained":[0.5,0.25],"nodes":[{},{},{},{},{},{}],)"
        R"("walk":[{{"node":4,"from":4,"layer":1}},{{"node":3,"from":4,"layer":0}},{{"node":0,"from":3,"layer":0}},)"
        R"({{"node":1,"from":3,"layer":0}}]}})",
        matrix, node_json(4, 0, 0, -1.5, true), node_json(8, 1, 0, -1.25, true),
        node_json(32, 3, 2, 0.5, true), node_json(2, 1, 1, -0.5, true), node_json(1, 2, 2, 1, true),
        node_json(64, 4, 4, 2, false));
    return {
        QStringLiteral(R"({"event":"start","job":"search","model":"first","matrices":1,"method":"index"})"),
        QString::fromStdString(choice), QString::fromStdString(map),
        QStringLiteral(R"({"event":"end","model":"first","operator":"spmm","dense":256,"matrices":[],)"
                       R"("failures":[],"seconds":1,"complete":true,"stopped":false})")};
}

/// The same of a model that is blended with the simulator: 8 is left behind 30 that score better, like 4; the
/// network would have chosen it first.
inline QStringList blended_events(const std::string& matrix) {
    QStringList events = searched_events(matrix);
    events[1].replace(QStringLiteral("\"recall\":0.95"),
                      QStringLiteral(R"("recall":0.75,"recall_at":3000,"simulated":3000,"simulating_ms":120,)"
                                     R"("blend":{"network":0.5,"simulator":2})"));
    events[1].replace(
        QStringLiteral("\"score\":-1.5}"),
        QStringLiteral(R"("score":-1.5,"network_score":2,"simulated_ms":0.25,"place":1,"reason":"score"})"));
    events[1].replace(
        QStringLiteral("\"score\":-1.25}"),
        QStringLiteral(
            R"("score":-1.25,"network_score":1,"simulated_ms":0.75,"place":32,"reason":"hedge"})"));
    events[1].replace(QStringLiteral("\"score\":0.5}"),
                      QStringLiteral(R"("score":0.5,"network_score":3,"simulated_ms":1.5})"));
    events[2].replace(QStringLiteral("\"score\":-1.5,"),
                      QStringLiteral("\"score\":2,\"simulated_ms\":0.25,"));
    return events;
}

} // namespace sparsight::testing
