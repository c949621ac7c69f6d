// How long the window takes to show what an edited line changes: from the key to the painted page, in which
// the code is assembled, decoded, bounded on three machines, and its dependencies are laid out. Prints JSON.
#include "domains/blocks/block_domain.h"
#include "gui/domains/blocks/analysis/blocks_page.h"
#include "gui/domains/blocks/analysis/example_blocks.h"
#include "gui/domains/blocks/block_views.h"
#include "gui/shell/application.h"
#include "gui/shell/window/main_window.h"
#include "widgets/code/assembly_edit.h"
#include "widgets/graph/graph_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextCursor>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

namespace {

using namespace sparsight;

constexpr int edits = 60;
constexpr qint64 longest_ms = 5000;

template <typename Condition>
bool wait_until(Condition condition) {
    QElapsedTimer clock;
    clock.start();
    while (!condition()) {
        if (clock.elapsed() > longest_ms)
            return false;
        QApplication::processEvents(QEventLoop::AllEvents, 1);
    }
    return true;
}

/// Milliseconds of each edit: an immediate operand in the first line has another value.
std::vector<double> times_of_edits(BlocksPage& page, const QString& code) {
    std::vector<double> times;
    for (int edit = 0; edit <= edits; ++edit) {
        const MachineCode before = page.reading() ? page.reading()->block.code : MachineCode();
        QElapsedTimer clock;
        clock.start();
        page.edit().replace_text(QStringLiteral("add r15, %1\n").arg(edit + 1) + code);
        const bool is_shown =
            wait_until([&] { return page.reading() != nullptr && page.reading()->block.code != before; });
        page.grab(); // painted, graph included
        if (!is_shown)
            return {};
        if (edit > 0) // the first one makes the decoder
            times.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        if (!wait_until([&] { return page.is_settled(); }))
            return {};
    }
    std::ranges::sort(times);
    return times;
}

} // namespace

int main(int count, char** words) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    QApplication qt(count, words);
    DomainRegistry domains;
    (void)domains.add(make_blocks_domain());
    ApplicationOptions options;
    options.settings_file = folder.filePath(QStringLiteral("settings.ini"));
    options.jobs.folder = folder.filePath(QStringLiteral("jobs"));
    Application application(std::move(domains), options);
    add_block_views(application);
    application.start();
    application.window().resize(1280, 800);
    application.window().show();
    auto* const page = application.window().findChild<BlocksPage*>();
    auto* const tabs = page->findChild<QTabWidget*>(QStringLiteral("block-tabs"));
    tabs->setCurrentWidget(&page->graph());
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (const ExampleBlock& example : example_blocks()) {
        const QString code = example.code.section(u'\n', 2);
        const std::vector<double> times = times_of_edits(*page, code);
        if (times.empty()) {
            std::fprintf(stderr, "%s: an edit was not shown\n", qPrintable(example.title));
            return 1;
        }
        answer.push_back({{"block", example.title.toStdString()},
                          {"instructions", page->reading()->block.instructions.size()},
                          {"median_ms", times[times.size() / 2]},
                          {"95_percent_ms", times[times.size() * 95 / 100]},
                          {"longest_ms", times.back()}});
    }
    std::printf("%s\n", answer.dump(2).c_str());
    return 0;
}
