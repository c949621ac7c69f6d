#include "gui/domains/sparse/failures/tuning/before_after_view.h"

#include "domains/sparse/schedule/nickname.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace sparsight {

namespace {

/// As many as are read; the case that is looked at is always among them.
constexpr std::size_t most_rows = 6;

constexpr QChar line_may_break_here(0x200B);

/// Breaks before its spread, if anywhere.
QString chosen_time(const TuningChoice& choice) {
    if (choice.spread_ms.value_or(0) <= 0)
        return duration_text(choice.ms);
    return duration_with_spread(choice.ms, *choice.spread_ms)
        .replace(QStringLiteral("\u00A0±"), QStringLiteral(" ±"));
}

/// "−58 % ± 4 %", in the colour of what it means; grey where it may be noise.
QString change_text(const TuningOutcome& outcome) {
    const double share = outcome.ratio() - 1;
    QString text = loss_text(share);
    if (outcome.turn_margin)
        text += QStringLiteral(" ±\u00A0") + share_text(*outcome.turn_margin);
    const QColor colour = !outcome.differs() ? current_theme().dim_text
                          : share < 0        ? current_theme().win
                                             : current_theme().lose;
    return QStringLiteral("<span style='color:%1'>%2</span>")
        .arg(colour.name(), outcome.differs() ? text : BeforeAfterView::tr("%1, within noise").arg(text));
}

QString table_cell(const QString& text, const char* tag = "td", const char* align = "right") {
    return QStringLiteral("<%1 align='%2' style='padding: 1px 8px 1px 0'>%3</%1>")
        .arg(QLatin1String(tag), QLatin1String(align), text);
}

QString table_heading() {
    QString row = table_cell(BeforeAfterView::tr("Matrix"), "th", "left");
    for (const QString& title :
         {BeforeAfterView::tr("before"), BeforeAfterView::tr("after"), BeforeAfterView::tr("change"),
          BeforeAfterView::tr("fixed CSR"), BeforeAfterView::tr("best known")})
        row += table_cell(title, "th");
    return QStringLiteral("<tr>%1</tr>").arg(row);
}

/// Both ends, at which names of a family differ, in pieces that fit a narrow column.
QString short_name(const QString& name) {
    constexpr qsizetype most_letters = 24;
    constexpr qsizetype letters_in_a_piece = 10;
    const QString both_ends = name.size() <= most_letters
                                  ? name
                                  : name.first(most_letters / 2) + u'…' + name.last(most_letters / 2 - 1);
    QString pieces;
    qsizetype in_this_piece = 0;
    for (const QChar letter : both_ends) {
        pieces += letter;
        if (letter.isHighSurrogate() || (++in_this_piece < letters_in_a_piece && letter.isLetterOrNumber()))
            continue;
        pieces += line_may_break_here;
        in_this_piece = 0;
    }
    return pieces;
}

QString table_row(const TuningOutcome& outcome, bool is_looked_at) {
    const QString name = short_name(outcome.matrix).toHtmlEscaped();
    QString row = table_cell(is_looked_at ? QStringLiteral("<b>%1</b>").arg(name) : name, "td", "left");
    for (const QString& text : {chosen_time(outcome.before), chosen_time(outcome.after), change_text(outcome),
                                duration_text(outcome.fixed_csr_ms), duration_text(outcome.best_known_ms)})
        row += table_cell(text);
    return QStringLiteral("<tr>%1</tr>").arg(row);
}

/// Both are named together, so that two schedules never have one name.
std::array<QString, 2> what_was_chosen(const TuningState& state, const TuningOutcome& outcome) {
    const std::array choices{&outcome.before, &outcome.after};
    const std::vector<std::string> names = nicknames(
        state.op, std::array{outcome.before.schedule.toStdString(), outcome.after.schedule.toStdString()});
    std::array<QString, 2> chosen;
    for (std::size_t each = 0; each < choices.size(); ++each) {
        const QString name = QString::fromStdString(names[each]);
        chosen[each] =
            choices[each]->rank
                ? BeforeAfterView::tr("%1, number %2 of its choice").arg(name).arg(*choices[each]->rank)
                : name;
    }
    return chosen;
}

/// That of the case, then what was learned from.
std::vector<const TuningOutcome*> shown_outcomes(const TuningState& state, const QString& matrix) {
    std::vector<const TuningOutcome*> shown;
    const TuningOutcome* const looked_at = state.comparison->outcome(matrix);
    if (looked_at != nullptr)
        shown.push_back(looked_at);
    for (const TuningOutcome& outcome : state.comparison->outcomes)
        if (&outcome != looked_at && state.learned.contains(outcome.matrix) && shown.size() < most_rows)
            shown.push_back(&outcome);
    return shown;
}

QString timing_text(const std::vector<const TuningOutcome*>& shown) {
    int turns = shown.front()->turns;
    for (const TuningOutcome* const outcome : shown)
        turns = std::min(turns, outcome->turns);
    return turns > 0
               ? BeforeAfterView::tr("Timed in %1 turns of the evaluation of both models. Each turn runs "
                                     "before, after, fixed CSR and the best known, under equal conditions.")
                     .arg(turns)
               : BeforeAfterView::tr("Not timed in turns: the times may be of different hours.");
}

QLabel* add_label(QVBoxLayout& column, const char* name, QWidget* parent) {
    auto* const label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column.addWidget(label);
    return label;
}

} // namespace

BeforeAfterView::BeforeAfterView(QWidget* parent)
    : QWidget(parent) {
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    title_ = add_label(*column, "before-after-title", this);
    models_ = add_label(*column, "before-after-models", this);
    table_ = add_label(*column, "before-after-times", this);
    choices_ = add_label(*column, "before-after-choices", this);
    remark_ = add_label(*column, "before-after-turns", this);
    keep_font(*title_, title_font);
    table_->setTextFormat(Qt::RichText);
    for (QLabel* const label : {title_, models_, choices_, remark_})
        label->setTextFormat(Qt::PlainText);
    for (QLabel* const label : {models_, choices_, remark_}) {
        keep_font(*label, caption_font);
        label->setForegroundRole(QPalette::PlaceholderText);
    }
    hide();
}

void BeforeAfterView::show_outcomes(const TuningState& state, const QString& matrix) {
    const auto shown = state.comparison ? shown_outcomes(state, matrix) : std::vector<const TuningOutcome*>{};
    setVisible(!shown.empty());
    if (shown.empty())
        return;
    const TuningOutcome& first = *shown.front();
    const bool is_of_case = first.matrix == matrix;
    const QString learned = state.learned.contains(matrix) ? tr("It has learned from %1.").arg(matrix)
                                                           : tr("It has not learned from %1.").arg(matrix);
    title_->setText(tr("Before and after"));
    models_->setText(tr("Before: %1, after: %2.").arg(state.model, state.tuned) +
                     (is_of_case ? u' ' + learned : QString()));
    QString rows = table_heading();
    for (const TuningOutcome* const outcome : shown)
        rows += table_row(*outcome, outcome->matrix == matrix);
    table_->setText(QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows));
    const auto chosen = what_was_chosen(state, first);
    choices_->setText(is_of_case ? tr("It chose %1 before, and %2 after.").arg(chosen[0], chosen[1])
                                 : QString());
    choices_->setVisible(is_of_case);
    remark_->setText(timing_text(shown));
}

} // namespace sparsight
