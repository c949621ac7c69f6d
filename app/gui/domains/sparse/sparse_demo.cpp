#include "gui/domains/sparse/sparse_views.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "gui/shell/lesson_player.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct DemoTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SparseDemo)
};

/// As packaging/record-demo asks.
JobDescription recorded_search(const QString& workspace, const char* model) {
    SearchJob search;
    search.workspace = workspace;
    search.model = QLatin1String(model);
    search.workloads = {QStringLiteral("demo-weights")};
    search.width = 200;
    search.setting = job_setting(*make_sparse_domain(), setting_of(Operator::SpMM, 256));
    search.machine = QStringLiteral("recorded:demo");
    search.map = true;
    return describe(search);
}

DemoWorkspace::RecordedJob search_of(const char* model) {
    return {[model](const QString& workspace) { return recorded_search(workspace, model); },
            QStringLiteral(":/demo/search-%1.jsonl").arg(QLatin1String(model))};
}

} // namespace

DemoWorkspace sparse_demo() {
    constexpr std::uint64_t seed = 1;
    return {
        .domain = std::string(sparse_domain),
        .summary = DemoTexts::tr("Eight matrices, their times recorded on a named machine, and four models"),
        .recording = QStringLiteral(":/demo/demo.sparsight"),
        .jobs = {search_of("demo-meta"), search_of("demo-tuned"), search_of("demo-gray"),
                 search_of("demo-gray-tuned")},
        .model = QStringLiteral("demo-gray-tuned"),
        .data = {{QStringLiteral("learning"), [](Workspace& file) { return add_lesson_times(file, seed); }}}};
}

} // namespace sparsight
