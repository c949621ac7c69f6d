#include "gui/whatif/winner_mapping.h"

#include "base/parallel.h"

#include <algorithm>

namespace sparsight {

namespace {

Result<WinnerMap> answer(const MapQuestion& question, const std::stop_token& stop) {
    MapAxis x = map_axis(question.machine, question.x, WinnerMapping::steps);
    MapAxis y = map_axis(question.machine, question.y, WinnerMapping::steps);
    if (question.formula == WhatIfFormula::Paper)
        return paper_winner_map(question.machine, std::move(x), std::move(y), question.basis.milliseconds,
                                stop);
    const int threads = std::max(1, available_threads() - 1); // one is the window's
    return winner_map(question.machine, std::move(x), std::move(y), question.study->profiles, threads, stop);
}

} // namespace

void WinnerMapping::ask(MapQuestion question) {
    auto study = question.study;
    answers_.ask(
        [question = std::move(question)](const std::stop_token& stop) { return answer(question, stop); },
        [this, study = std::move(study)](Result<WinnerMap> map, bool) {
            if (!map)
                return; // stopped by a newer question
            map_ = std::move(*map);
            study_ = study;
            Q_EMIT changed();
        });
}

void WinnerMapping::clear() {
    answers_.cancel();
    map_.reset();
    study_.reset();
    Q_EMIT changed();
}

} // namespace sparsight
