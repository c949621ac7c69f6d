#include "gui/domains/sparse/comparison/time_terms.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TimeTermWords)
};

ChartColour term_colour(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
    case TimeTerm::FillIn:
        return ChartColour::Series1;
    case TimeTerm::L2Traffic:
        return ChartColour::Series5;
    case TimeTerm::L3Traffic:
        return ChartColour::Series8;
    case TimeTerm::MemoryTraffic:
        return ChartColour::Series3;
    case TimeTerm::Latency:
        return ChartColour::Series4;
    case TimeTerm::Imbalance:
        return ChartColour::Series2;
    case TimeTerm::Regions:
        return ChartColour::Series6;
    case TimeTerm::Chunks:
        return ChartColour::Series7;
    }
    return ChartColour::Reference;
}

} // namespace

TimeTermWords time_term_words(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
        return {Words::tr("compute"),
                Words::tr("instructions for entries that are there, over cores, clock and lanes")};
    case TimeTerm::FillIn:
        return {Words::tr("fill-in"), Words::tr("instructions for explicit zeros that the format stores")};
    case TimeTerm::L2Traffic:
        return {Words::tr("L2 traffic"),
                Words::tr("cache lines that come from the L2, as what is used again does not fit the L1")};
    case TimeTerm::L3Traffic:
        return {Words::tr("L3 traffic"),
                Words::tr("cache lines that come from the L3, as what is used again does not fit the L2")};
    case TimeTerm::MemoryTraffic:
        return {Words::tr("memory traffic"),
                Words::tr("cache lines that come from memory, over its bandwidth")};
    case TimeTerm::Latency:
        return {Words::tr("latency"), Words::tr("waiting for lines that no prefetcher foresaw")};
    case TimeTerm::Imbalance:
        return {Words::tr("imbalance"), Words::tr("cores that wait for the one that has the most work")};
    case TimeTerm::Regions:
        return {Words::tr("parallel regions"), Words::tr("opening and closing parallel regions")};
    case TimeTerm::Chunks:
        return {Words::tr("chunks"), Words::tr("handing chunks of the parallel loop to threads")};
    }
    return {};
}

std::vector<StackedTerm> time_terms() {
    std::vector<StackedTerm> terms;
    for (const TimeTerm term : all_time_terms()) {
        const TimeTermWords words = time_term_words(term);
        terms.push_back({words.name, words.meaning, term_colour(term), term == TimeTerm::FillIn});
    }
    return terms;
}

} // namespace sparsight
