#include "gui/comparison/comparison_dialog.h"

#include "gui/comparison/patternless_pair.h"
#include "gui/page/export_notices.h"
#include "gui/workspace/matrix_loader.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/banner.h"
#include "widgets/look/theme.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace sparsight {

ComparisonDialog::ComparisonDialog(Services services, ComparedPair pair, QWidget* parent)
    : QDialog(parent)
    , services_(services)
    , pair_(std::move(pair))
    , view_(new ComparisonView(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("comparison"));
    setWindowTitle(tr("Two schedules on %1").arg(pair_.subject.matrix));
    setSizeGripEnabled(true);
    resize(1100, 720);
    auto* const banner = new Banner(this);
    auto* const exports = new ExportNotices(*this);
    connect(exports, &ExportNotices::notice, banner, [banner](const QString& text, bool is_problem) {
        banner->show_message(is_problem ? Severity::Error : Severity::Information, text);
    });
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* const column = new QVBoxLayout(this);
    column->setSpacing(grid_step);
    column->addWidget(banner);
    column->addWidget(view_, 1);
    column->addWidget(buttons);
    view_->set_empty_text(tr("Counting what both take …"));
    connect(&services_.matrices, &MatrixLoader::loaded, this, [this](const QString& name) {
        if (is_waiting_ && name == pair_.subject.matrix)
            begin();
    });
    connect(&services_.matrices, &MatrixLoader::failed, this,
            [this](const QString& name, const QString& reason) {
                if (!is_waiting_ || name != pair_.subject.matrix)
                    return;
                is_waiting_ = false;
                say(reason);
            });
    const MatrixRecord* const record = services_.session.matrix(pair_.subject.matrix);
    if (record == nullptr || record->pattern == PatternPlace::Unknown)
        begin_without_pattern();
    else if (services_.matrices.find(pair_.subject.matrix))
        begin();
    else
        services_.matrices.request(pair_.subject.matrix);
}

void ComparisonDialog::say(const QString& text) {
    view_->set_empty_text(text);
}

void ComparisonDialog::begin() {
    is_waiting_ = false;
    const auto matrix = services_.matrices.find(pair_.subject.matrix);
    if (!matrix)
        return;
    studies_.ask([subject = pair_.subject, pattern = matrix->pattern,
                  machine = MachineRequest(services_.session, pair_.subject.machine)](
                     const std::stop_token& stop) { return study_pair(subject, *pattern, machine, stop); },
                 [this](const Result<std::shared_ptr<const PairStudy>>& study, bool) { take(study); });
}

void ComparisonDialog::begin_without_pattern() {
    is_waiting_ = false;
    studies_.ask([subject = pair_.subject](const std::stop_token&) { return study_without_pattern(subject); },
                 [this](const Result<std::shared_ptr<const PairStudy>>& study, bool) { take(study); });
}

void ComparisonDialog::take(const Result<std::shared_ptr<const PairStudy>>& study) {
    if (study)
        view_->show_study(**study, pair_.titles, pair_.times, pair_.measured ? &*pair_.measured : nullptr);
    else
        say(QString::fromStdString(study.error().text()));
}

} // namespace sparsight
