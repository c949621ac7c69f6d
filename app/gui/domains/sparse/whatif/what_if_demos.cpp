#include "gui/domains/sparse/whatif/what_if_demos.h"

#include "domains/sparse/schedule/text.h"

#include <QCoreApplication>
#include <initializer_list>

namespace sparsight {

namespace {

using P = MachineParameter;

struct Demos {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WhatIfDemos)
};

constexpr double mebibyte = 1 << 20;

const QString headline = QStringLiteral("what-if-headline");
const QString bars = QStringLiteral("what-if-bars");
const QString map = QStringLiteral("what-if-map");

std::vector<SuperSchedule> parsed(std::initializer_list<const char*> texts) {
    std::vector<SuperSchedule> schedules;
    for (const char* const text : texts)
        schedules.push_back(*parse_schedule(Operator::SpMM, text));
    return schedules;
}

/// CSR whose rows are handed out in small and in large chunks, and rows in pairs.
std::vector<SuperSchedule> chunked() {
    return parsed({"1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 2", "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 8",
                   "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 128", "2 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 16"});
}

/// Blocks of 2, 4 and 8 rows, and square ones: the larger, the more zeros they store.
std::vector<SuperSchedule> padded() {
    return parsed({"1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 8", "2 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 16",
                   "4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 8", "8 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 4",
                   "4 4 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 8", "8 8 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 4"});
}

WhatIfDemo constant_factor() {
    WhatIfScene paper{.dense = 8, .preset = QStringLiteral("epyc-7543"), .schedules = chunked()};
    paper.formula = WhatIfFormula::Paper;
    paper.y = P::ChunkCost;
    WhatIfScene paper_few = paper;
    paper_few.changes = {{P::Cores, 4}};
    WhatIfScene mechanistic = paper;
    mechanistic.formula = WhatIfFormula::Mechanistic;
    WhatIfScene mechanistic_few = mechanistic;
    mechanistic_few.changes = paper_few.changes;
    return {
        QStringLiteral("constant-factor"),
        Demos::tr("Why the &Constant Factor Teaches Nothing"),
        Demos::tr("The paper's simulator against one whose machines disagree"),
        QStringLiteral("demo-network"),
        {{Demos::tr("One factor for all"),
          Demos::tr("The meta-learning report simulates a machine as time · latency / (cores · bandwidth). "
                    "Here are schedules of a network with hubs, by that formula."),
          bars, paper},
         {Demos::tr("Fewer cores, the same order"),
          Demos::tr("64 cores have become 4. Every bar has grown by the same factor; nobody has passed "
                    "anybody."),
          bars, paper_few},
         {Demos::tr("One winner everywhere"),
          Demos::tr("The map of who wins has one colour, whatever its axes are. A model that learns to rank "
                    "sees one machine again and again."),
          map, paper},
         {Demos::tr("A sum of parts"),
          Demos::tr("The mechanistic simulator adds up parts that follow other numbers of the machine. On 64 "
                    "cores chunks of 32 rows win: with 128 the others wait for the core with a hub, with 2 "
                    "they queue for the next chunk."),
          bars, mechanistic},
         {Demos::tr("Now the winner changes"),
          Demos::tr("On 4 cores nobody waits for long, and larger chunks win, as fewer of them are handed "
                    "out. The map has borders: here there is something to learn."),
          map, mechanistic_few}}};
}

/// A server's eight last-level caches in one, so that nothing has to pass between them.
WhatIfScene one_large_cache() {
    WhatIfScene scene{.preset = QStringLiteral("epyc-7543"), .schedules = padded()};
    scene.changes = {{P::L3Caches, 1}};
    return scene;
}

WhatIfDemo padding() {
    const WhatIfScene server = one_large_cache();
    WhatIfScene laptop = server;
    laptop.preset = QStringLiteral("laptop");
    laptop.changes = {};
    WhatIfScene fast_memory = laptop;
    fast_memory.changes = {{P::CoreBandwidth, 100}, {P::SocketBandwidth, 400}};
    return {
        QStringLiteral("padding"),
        Demos::tr("When &Padding Pays"),
        Demos::tr("Storing zeros costs work and saves traffic"),
        QStringLiteral("demo-mesh"),
        {{Demos::tr("Zeros are work"),
          Demos::tr("Blocks of rows store explicit zeros; multiplying by them is the hatched part. On this "
                    "server everything stays in its large L3, and rows alone win."),
          bars, server},
         {Demos::tr("On a laptop, padding pays"),
          Demos::tr("Its memory is the bottleneck. A block fetches a row of B once for all of its rows: a "
                    "schedule with zeros is the fastest, because it fetches less."),
          bars, laptop},
         {Demos::tr("With faster memory, less of it"),
          Demos::tr("The same laptop with 400 GB/s: traffic is cheap again, the zeros are not. Blocks of two "
                    "rows win instead of four, and the schedule without any zeros is no longer far behind."),
          headline, fast_memory}}};
}

WhatIfDemo cache() {
    const WhatIfScene large = one_large_cache();
    WhatIfScene small = large;
    small.changes.emplace(P::L3Bytes, 16 * mebibyte);
    return {QStringLiteral("cache"),
            Demos::tr("How a &Cache Makes a Schedule Lose"),
            Demos::tr("What is used again has to fit"),
            QStringLiteral("demo-mesh"),
            {{Demos::tr("It fits"),
              Demos::tr("B has 25 600 rows of 256 numbers, 26 MB. It stays in the L3 of this server, so no "
                        "schedule waits for memory."),
              bars, large},
             {Demos::tr("It does not fit"),
              Demos::tr("The L3 has shrunk to 16 MiB. What is used again has to come from memory: that part "
                        "appears, and it is the longest for the schedule that won."),
              bars, small},
             {Demos::tr("Where it turns"),
              Demos::tr("Upwards the L3 grows. The border between the winners lies where what all cores use "
                        "again begins to fit. Click on either side of it."),
              map, small}}};
}

} // namespace

std::vector<WhatIfDemo> what_if_demos() {
    return {constant_factor(), padding(), cache()};
}

} // namespace sparsight
