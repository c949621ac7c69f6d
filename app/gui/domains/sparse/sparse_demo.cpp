#include "gui/domains/sparse/sparse_views.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "gui/shell/lesson_player.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct DemoTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SparseDemo)
};

} // namespace

DemoWorkspace sparse_demo() {
    constexpr std::uint64_t seed = 1;
    return {
        .domain = std::string(sparse_domain),
        .summary = DemoTexts::tr("Three generated matrices on which different schedules win"),
        .fill = [](Workspace& file) { return add_demo_matrices(file, seed); },
        .data = {{QStringLiteral("learning"), [](Workspace& file) { return add_lesson_times(file, seed); }}}};
}

} // namespace sparsight
