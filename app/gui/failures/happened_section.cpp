#include "gui/failures/happened_section.h"

#include "gui/failures/case_study.h"
#include "gui/failures/failure_words.h"
#include "gui/failures/saliency_marks.h"
#include "gui/icons/icon.h"
#include "gui/page/availability.h"
#include "gui/page/short_form.h"
#include "gui/workspace/pyramid_source.h"
#include "schedule/description.h"
#include "schedule/text.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"

#include <QAction>
#include <QGridLayout>
#include <QToolButton>

namespace sparsight {

namespace {

constexpr int plot_side = 180;

/// Its loops in letters, which choice of the model's it was, and what it means.
QString what_it_is(Operator op, const TimedSchedule& timed) {
    const auto schedule = parse_schedule(op, timed.schedule);
    if (!schedule)
        return {};
    QString letters = short_form(*schedule);
    if (timed.rank)
        letters += QStringLiteral(" · ") + HappenedSection::tr("number %1 of its choice").arg(*timed.rank);
    return QStringLiteral("%1\n%2").arg(letters, QString::fromStdString(describe(*schedule)));
}

} // namespace

HappenedSection::HappenedSection(QWidget* parent)
    : CaseSection(tr("What happened"), tr("Case"), parent)
    , plot_(new SparsityPlot(this))
    , compare_(new QAction(icon(QStringLiteral("compare")), tr("Com&pare side by side"), this)) {
    plot_->setFixedSize(plot_side, plot_side);
    plot_->set_hint(tr("No pattern"));
    auto* const grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * grid_step);
    grid->setVerticalSpacing(grid_step / 2);
    grid->addWidget(plot_, 0, 0, 6, 1, Qt::AlignTop);
    int row = 0;
    for (Side& side : sides_) {
        side = {new QLabel(this), new QLabel(this), new QLabel(this)};
        keep_font(*side.title, title_font);
        keep_font(*side.time, title_font);
        keep_font(*side.meaning, caption_font);
        side.title->setTextFormat(Qt::PlainText);
        side.title->setWordWrap(true);
        side.meaning->setTextFormat(Qt::PlainText);
        side.meaning->setWordWrap(true);
        side.meaning->setForegroundRole(QPalette::PlaceholderText);
        side.meaning->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(side.title, row, 1);
        grid->addWidget(side.time, row, 2, Qt::AlignRight);
        grid->addWidget(side.meaning, row + 1, 1, 1, 2);
        row += 2;
    }
    auto* const button = new QToolButton(this);
    button->setDefaultAction(compare_);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    compare_->setObjectName(QStringLiteral("compare-case"));
    compare_->setToolTip(tr("Both loop nests with what differs marked, storage, decisions and terms"));
    grid->addWidget(button, row, 1, 1, 2, Qt::AlignLeft);
    grid->setRowStretch(row + 1, 1);
    grid->setColumnStretch(1, 1);
    column().addLayout(grid);
    signs_ = add_text("case-signs");
    marks_ = add_remark("saliency-note");
    connect(compare_, &QAction::triggered, this, &HappenedSection::compare_requested);
}

void HappenedSection::show_study(const CaseStudy& study) {
    const FailureCase* const failure = study.failure();
    if (failure == nullptr)
        return;
    const FailureSign& sign = failure->main();
    const SideTitles titles = study.titles();
    const Operator op = study.setting().op;
    sides_[0].title->setText(titles.against);
    sides_[0].time->setText(timed_text(sign.against));
    sides_[0].meaning->setText(what_it_is(op, sign.against));
    sides_[1].title->setText(titles.schedule);
    sides_[1].time->setText(timed_text(sign.chosen));
    sides_[1].meaning->setText(what_it_is(op, sign.chosen));
    QPalette loud = sides_[1].time->palette();
    loud.setColor(QPalette::WindowText, current_theme().lose);
    sides_[1].time->setPalette(loud);
    QStringList signs;
    for (const FailureSign& each : failure->signs)
        signs << QStringLiteral("• ") + sign_sentence(*failure, each);
    // One alone is told above all parts, but for what is unlike its training.
    const bool is_told = failure->signs.size() == 1 && sign.kind != FailureKind::OutsideTraining;
    set_text(*signs_, is_told ? QString() : signs.join(u'\n'));
    set_availability(*compare_, study.pair() ? QString() : study.no_study());
    const auto matrix = study.matrix();
    plot_->setVisible(study.subject().has_value());
    const QString name = matrix ? matrix->name : QString();
    if (name != shown_matrix_) {
        plot_->set_source(matrix ? std::make_shared<PyramidSource>(matrix->pyramid) : nullptr);
        shown_matrix_ = name;
    }
    const auto& reasons = study.reasons();
    std::vector<PlotOverlayRect> marks =
        reasons && reasons->saliency ? saliency_marks(*reasons->saliency) : std::vector<PlotOverlayRect>{};
    set_text(*marks_, marks.empty()
                          ? QString()
                          : tr("Marked on the pattern: the cells that moved the model most, orange for "
                               "its choice, blue against it."));
    plot_->set_overlay(std::move(marks));
}

} // namespace sparsight
