#include "gui/domains/sparse/failures/cases/case_sections.h"

#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/cases/reason_pictures.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/icons/icon.h"
#include "gui/page/page.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"

#include <QAction>
#include <QBoxLayout>
#include <QGridLayout>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>
#include <array>

namespace sparsight {

CaseSection::CaseSection(QString question, QString caption, QWidget* parent)
    : QWidget(parent)
    , question_(std::move(question))
    , caption_(std::move(caption))
    , column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(grid_step);
}

QLabel* CaseSection::add_text(const char* name) {
    auto* const label = new QLabel(this);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    column_->addWidget(label);
    return label;
}

QLabel* CaseSection::add_remark(const char* name) {
    QLabel* const label = add_text(name);
    keep_font(*label, caption_font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void CaseSection::set_text(QLabel& label, const QString& text) {
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

namespace {

constexpr int plot_side = 180;

/// Of what is compared with and of what was chosen: as lists of the case name them, else told apart from each
/// other.
std::array<QString, 2> names_of(Operator op, const FailureSign& sign) {
    std::vector<std::string> names{sign.against.nickname, sign.chosen.nickname};
    if (std::ranges::any_of(names, &std::string::empty))
        names = nicknames(op, std::array{sign.against.configuration, sign.chosen.configuration});
    return {QString::fromStdString(names[0]), QString::fromStdString(names[1])};
}

/// Its nickname, its rank among the model's choices, its meaning and its code.
QString what_it_is(Operator op, const TimedConfiguration& timed, QString name) {
    const auto schedule = parse_schedule(op, timed.configuration);
    if (!schedule)
        return {};
    if (timed.rank)
        name += QStringLiteral(" · ") + OutcomeSection::tr("number %1 of its choice").arg(*timed.rank);
    return QStringList{with_whole_numbers(name), QString::fromStdString(describe(*schedule)),
                       QString::fromStdString(timed.configuration)}
        .join(u'\n');
}

QString tip_of(Operator op, const TimedConfiguration& timed) {
    const auto schedule = parse_schedule(op, timed.configuration);
    return schedule ? code_tip(*schedule) : QString();
}

} // namespace

OutcomeSection::OutcomeSection(QWidget* parent)
    : CaseSection(tr("What happened"), tr("Case"), parent)
    , across_(new QBoxLayout(QBoxLayout::LeftToRight))
    , plot_(new SparsityPlot(this))
    , compare_(new QAction(icon(QStringLiteral("compare")), tr("Com&pare side by side"), this)) {
    plot_->setFixedSize(plot_side, plot_side);
    plot_->set_hint(tr("No pattern"));
    across_->setSpacing(2 * grid_step);
    across_->addWidget(plot_, 0, Qt::AlignTop | Qt::AlignHCenter);
    auto* const grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * grid_step);
    grid->setVerticalSpacing(grid_step / 2);
    int row = 0;
    for (Side& side : sides_) {
        side = {new QLabel(this), new QLabel(this), new QLabel(this)};
        side.title->setObjectName(QStringLiteral("case-side-title"));
        side.time->setObjectName(QStringLiteral("case-side-time"));
        keep_font(*side.title, title_font);
        keep_font(*side.time, title_font);
        keep_font(*side.meaning, caption_font);
        side.title->setTextFormat(Qt::PlainText);
        side.title->setWordWrap(true);
        side.meaning->setTextFormat(Qt::PlainText);
        side.meaning->setWordWrap(true);
        side.meaning->setForegroundRole(QPalette::PlaceholderText);
        side.meaning->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(side.title, row, 0);
        grid->addWidget(side.time, row, 1, Qt::AlignRight | Qt::AlignTop);
        grid->addWidget(side.meaning, row + 1, 0, 1, 2);
        row += 2;
    }
    auto* const button = new QToolButton(this);
    button->setDefaultAction(compare_);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    compare_->setObjectName(QStringLiteral("compare-case"));
    compare_->setToolTip(tr("Both loop nests with what differs marked, storage, decisions and terms"));
    grid->addWidget(button, row, 0, 1, 2, Qt::AlignLeft);
    grid->setRowStretch(row + 1, 1);
    grid->setColumnStretch(0, 1);
    across_->addLayout(grid, 1);
    column().addLayout(across_);
    signs_ = add_text("case-signs");
    marks_ = add_remark("saliency-note");
    connect(compare_, &QAction::triggered, this, &OutcomeSection::compare_requested);
}

/// In a narrow column the pattern stands below what was compared, so that titles and times have a line each.
void OutcomeSection::resizeEvent(QResizeEvent* event) {
    CaseSection::resizeEvent(event);
    const int narrow = plot_side + fontMetrics().averageCharWidth() * 45;
    across_->setDirection(width() < narrow ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
}

void OutcomeSection::show_study(const CaseStudy& study) {
    const FailureCase* const failure = study.failure();
    if (failure == nullptr)
        return;
    const FailureSign& sign = failure->main();
    const SideTitles titles = study.titles();
    const Operator op = study.setting().op;
    const auto names = names_of(op, sign);
    sides_[0].title->setText(titles.against);
    sides_[0].time->setText(timed_text(sign.against));
    sides_[0].time->setToolTip(raw_time_text(sign.against));
    sides_[0].meaning->setText(what_it_is(op, sign.against, names[0]));
    sides_[0].meaning->setToolTip(tip_of(op, sign.against));
    sides_[1].title->setText(titles.schedule);
    sides_[1].time->setText(timed_text(sign.chosen));
    sides_[1].time->setToolTip(raw_time_text(sign.chosen));
    sides_[1].meaning->setText(what_it_is(op, sign.chosen, names[1]));
    sides_[1].meaning->setToolTip(tip_of(op, sign.chosen));
    QPalette loud = sides_[1].time->palette();
    loud.setColor(QPalette::WindowText, current_theme().lose);
    sides_[1].time->setPalette(loud);
    QStringList signs;
    for (const FailureSign& each : failure->signs)
        signs << QStringLiteral("• ") + failure_words().sign_sentence(*failure, each);
    // A single sign is described above all sections, unless it says that the matrix is unlike the training
    // data.
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

namespace {

constexpr int bars_height = 130;
constexpr int table_height = 420; ///< fits all rows of a measured pair

} // namespace

MechanismSection::MechanismSection(QWidget* parent)
    : CaseSection(tr("Mechanism of the loss"), tr("Mechanism"), parent)
    , bars_(new StackedBars(this))
    , all_(new QToolButton(this))
    , terms_(new DataTable(this)) {
    sentence_ = add_text("mechanism-sentence");
    bars_->setFixedHeight(bars_height);
    bars_->setAccessibleName(tr("Both simulated times"));
    column().addWidget(bars_);
    machine_ = add_remark("mechanism-machine");
    all_->setObjectName(QStringLiteral("all-terms"));
    all_->setText(tr("All terms as a table"));
    all_->setToolTip(tr("Every part of both times, what is stored, and what the processor counted"));
    all_->setCheckable(true);
    all_->setAutoRaise(true);
    column().addWidget(all_, 0, Qt::AlignLeft);
    terms_->set_model(&rows_);
    terms_->setAccessibleName(tr("Parts of both times"));
    terms_->setFixedHeight(table_height);
    terms_->hide();
    column().addWidget(terms_);
    connect(all_, &QToolButton::toggled, terms_, &QWidget::setVisible);
}

void MechanismSection::show_study(const CaseStudy& study) {
    const ExplanationValues* const shown = study.shown();
    bars_->setVisible(shown != nullptr);
    all_->setVisible(shown != nullptr);
    terms_->setVisible(shown != nullptr && all_->isChecked());
    rows_.set_rows(shown != nullptr ? term_rows(*shown) : std::vector<TermRow>{});
    if (shown == nullptr) {
        set_text(*sentence_, study.is_busy() ? tr("Simulating …") : study.no_explanation());
        return set_text(*machine_, {});
    }
    set_text(*sentence_, !study.disagreement() ? mechanism_sentence(*shown, study.titles())
                         : shown->is_measured
                             ? study.disagreement_text()
                             : tr("The simulation has no such loss, so do not trust its parts "
                                  "here."));
    bars_->set_picture(terms_picture(*shown, study.titles()), true);
    QString machine;
    if (const PairStudy* const simulated = study.simulated())
        machine = simulated->machine_stands_in
                      ? tr("Simulated on this computer: only the name of %1 is known.")
                            .arg(study.setting().machine_name)
                      : tr("Simulated on %1.").arg(simulated->machine);
    if (shown->is_measured && !shown->no_counters.isEmpty())
        machine += u' ' + tr("Counters of the processor: %1.").arg(shown->no_counters);
    set_text(*machine_, machine.trimmed());
}

} // namespace sparsight
