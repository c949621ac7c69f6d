#include "gui/failures/failure_case_view.h"

#include "gui/failures/blame_picture.h"
#include "gui/failures/failure_lists.h"
#include "gui/failures/model_question.h"
#include "gui/page/domain_words.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/card.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

struct CaseViewTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::FailureCaseView)
};

constexpr int decisions_height = 200;

QString shown_text(const std::string& text) {
    return QString::fromStdString(text);
}

QString changes_text(const std::vector<DecisionChange>& changes, const FailureWords& words) {
    QStringList texts;
    for (const DecisionChange& change : changes)
        texts << QStringLiteral("%1 %2 → %3")
                     .arg(words.decision(change.decision), words.value(change.before),
                          words.value(change.after));
    return texts.join(QStringLiteral(", "));
}

/// Texts of one configuration may differ, for example in their order.
bool mean_the_same(const Domain& domain, const Setting& setting, const std::string& one,
                   const std::string& other) {
    const auto codec = domain.codec(setting);
    if (!codec)
        return one == other;
    const auto parsed = (*codec)->parse(one);
    const auto parsed_other = (*codec)->parse(other);
    return parsed && parsed_other && parsed->configuration == parsed_other->configuration;
}

std::vector<RecordColumn<DifferingDecision>> decision_columns() {
    auto cost = value_column<DifferingDecision>(
        CaseViewTexts::tr("Cost"),
        CaseViewTexts::tr("Its fair share (Shapley value) in the time that was lost"),
        [](const DifferingDecision& row) { return row.cost_ms; },
        [](double milliseconds) {
            return (milliseconds > 0 ? QStringLiteral("+") : QString()) + runtime_text(milliseconds);
        });
    cost.text = [usual = cost.text](const DifferingDecision& row) {
        return row.cost.isEmpty() ? usual(row) : row.cost;
    };
    cost.export_title = QStringLiteral("cost_ms");
    cost.colour = [](const DifferingDecision& row) -> QVariant {
        if (!row.cost_ms || !row.is_significant)
            return {};
        return *row.cost_ms > 0 ? current_theme().lose : current_theme().win;
    };
    return {text_column<DifferingDecision>(CaseViewTexts::tr("Decision"), {},
                                           [](const DifferingDecision& row) { return row.name; }),
            text_column<DifferingDecision>(CaseViewTexts::tr("Compared with"),
                                           CaseViewTexts::tr("What the chosen one is compared with"),
                                           [](const DifferingDecision& row) { return row.against; }),
            text_column<DifferingDecision>(CaseViewTexts::tr("Chosen"),
                                           CaseViewTexts::tr("What the model chose"),
                                           [](const DifferingDecision& row) { return row.chosen; }),
            std::move(cost)};
}

} // namespace

std::vector<DifferingDecision> differing_decisions(const FailureCase& failure, const Domain& domain,
                                                   const Setting& setting) {
    const auto codec = domain.codec(setting);
    if (!codec)
        return {};
    const auto against = (*codec)->parse(failure.main().against.configuration);
    const auto chosen = (*codec)->parse(failure.main().chosen.configuration);
    if (!against || !chosen)
        return {};
    const auto ours = (*codec)->decisions(chosen->configuration);
    const auto others = (*codec)->decisions(against->configuration);
    const auto find_in = [](const std::vector<DecisionValue>& made, const std::string& key) {
        return std::ranges::find(made, key, &DecisionValue::key);
    };
    const auto value_of = [&](const std::vector<DecisionValue>& made, const std::string& key) {
        const auto found = find_in(made, key);
        return found == made.end() ? unknown_text() : shown_text(found->value);
    };
    std::vector<DecisionValue> all = ours;
    std::ranges::copy_if(others, std::back_inserter(all),
                         [&](const DecisionValue& each) { return find_in(ours, each.key) == ours.end(); });
    std::vector<DifferingDecision> rows;
    for (const DecisionValue& each : all) {
        DifferingDecision row{shown_text(each.key), shown_text(each.name), value_of(others, each.key),
                              value_of(ours, each.key)};
        if (row.against == row.chosen)
            continue;
        if (failure.diagnosis) {
            const auto& blamed = failure.diagnosis->decisions;
            const auto found = std::ranges::find_if(
                blamed, [&](const BlamedDecision& one) { return one.decision.key == each.key; });
            if (found != blamed.end())
                row.cost_ms = found->milliseconds;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

DecisionsModel::DecisionsModel(QObject* parent)
    : RecordModel(decision_columns(), [](const DifferingDecision& row) { return row.key; }, parent) {}

FailureCaseView::FailureCaseView(Services services, QWidget* parent)
    : QWidget(parent)
    , scroll_(new QScrollArea(this))
    , waterfall_(new WaterfallChart(this))
    , decisions_(new DataTable(this))
    , question_(new ModelQuestion(services, this)) {
    build();
}

QLabel* FailureCaseView::add_text(QVBoxLayout& column, const char* name) {
    auto* const label = new QLabel(this);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column.addWidget(label);
    return label;
}

QVBoxLayout* FailureCaseView::add_card(QVBoxLayout& column, const QString& question) {
    auto* const card = new Card(question, this);
    auto* const inside = new QWidget(card);
    auto* const parts = new QVBoxLayout(inside);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(grid_step);
    card->set_content(inside);
    column.addWidget(card);
    return parts;
}

void FailureCaseView::build() {
    auto* const inside = new QWidget(scroll_);
    auto* const parts = new QVBoxLayout(inside);
    parts->setContentsMargins(0, 0, grid_step, 0);
    parts->setSpacing(grid_step);
    QVBoxLayout* const outcome = add_card(*parts, tr("What happened"));
    sides_ = add_text(*outcome, "case-sides");
    signs_ = add_text(*outcome, "case-signs");
    QVBoxLayout* const blame = add_card(*parts, tr("Which decision cost the time"));
    basis_ = add_text(*blame, "case-basis");
    keep_font(*basis_, caption_font);
    basis_->setForegroundRole(QPalette::PlaceholderText);
    waterfall_->setObjectName(QStringLiteral("blame-waterfall"));
    blame->addWidget(waterfall_);
    decisions_->setObjectName(QStringLiteral("differing-decisions"));
    decisions_->setAccessibleName(tr("Decisions that differ"));
    decisions_->set_empty_text(tr("No decision differs."));
    decisions_->set_model(&rows_);
    decisions_->setFixedHeight(decisions_height);
    blame->addWidget(decisions_);
    connect(waterfall_, &WaterfallChart::picked, this,
            [this](const QString& key) { decisions_->select_source_row(rows_.row_of(key).value_or(-1)); });
    connect(decisions_, &DataTable::current_row_changed, this,
            [this](int row) { waterfall_->set_selected(row < 0 ? QString() : rows_.key(row)); });
    change_ = add_text(*add_card(*parts, tr("What would fix it")), "case-change");
    QVBoxLayout* const model = add_card(*parts, tr("Why the model did not know"));
    blind_spots_ = add_text(*model, "case-blind-spots");
    model->addWidget(question_);
    parts->addStretch(1);
    scroll_->setWidget(inside);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    headline_ = add_text(*column, "case-headline");
    headline_->setTextFormat(Qt::RichText);
    keep_font(*headline_, title_font);
    cause_ = add_text(*column, "case-cause");
    column->addWidget(scroll_, 1);
}

void FailureCaseView::show_case(const FailureCase& failure, const Setting& setting, const QString& machine,
                                const Domain& domain, const FailureWords& words) {
    show_outcome(failure, words);
    show_blame(failure, setting, domain, words);
    show_change(failure, setting, domain, words);
    show_blind_spots(failure, words);
    question_->show_case(failure, setting, machine, domain, words);
    if (std::exchange(shown_, key_of(failure)) != key_of(failure))
        scroll_->verticalScrollBar()->setValue(0);
}

void FailureCaseView::show_outcome(const FailureCase& failure, const FailureWords& words) {
    const FailureSign& sign = failure.main();
    const QString loss =
        QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(current_theme().lose.name(),
                 takes_longer_text(sign.lost_share(), words.against(sign.held_against)).toHtmlEscaped());
    const QString sentence = costs_time(sign.kind)
                                 ? tr("The %2 that %3 chose on <b>%1</b> %5: %4 (%6).")
                                 : tr("The %2 that %3 ranked first on <b>%1</b> %5: %4 (%6).");
    headline_->setText(with_whole_numbers(
        sentence.arg(shown_text(failure.workload).toHtmlEscaped(), one(words.domain().configuration),
                     shown_text(failure.model_name).toHtmlEscaped(), timed_text(sign.chosen), loss,
                     timed_text(sign.against))));
    QString rank = sign.chosen.rank ? tr(", number %1 of its choices").arg(*sign.chosen.rank) : QString();
    if (sign.chosen.raw_ms)
        rank += QStringLiteral(", ") + raw_time_text(sign.chosen);
    sides_->setText(
        tr("Chosen%1: %2\nCompared with %3: %4")
            .arg(rank, named_text(sign.chosen), words.against(sign.held_against), named_text(sign.against)));
    QStringList signs;
    for (const FailureSign& each : failure.signs)
        signs << QStringLiteral("• ") + words.sign_sentence(failure, each);
    signs_->setText(signs.join(u'\n'));
}

void FailureCaseView::show_blame(const FailureCase& failure, const Setting& setting, const Domain& domain,
                                 const FailureWords& words) {
    const auto& diagnosis = failure.diagnosis;
    if (diagnosis) {
        const BlamedDecision& top = diagnosis->top();
        const QString cost = runtime_text(top.milliseconds);
        const QString lost = runtime_text(failure.main().lost_ms());
        const QString what =
            cost == lost ? tr("the whole difference of %1").arg(cost)
            : top.milliseconds > failure.main().lost_ms()
                ? tr("%1. Other decisions win a part of it back, so that %2 are lost").arg(cost, lost)
                : tr("%1 of the %2 that are lost").arg(cost, lost);
        cause_->setText(capitalised(
            tr("%1 as %2 instead of %3 costs %4.")
                .arg(words.decision(top.decision), words.value(top.after), words.value(top.before), what)));
        basis_->setText(tr("Shares by Shapley values over the %1 times of all mixtures of both %2 that are "
                           "known. They add "
                           "up to the difference.")
                            .arg(basis_text(diagnosis->basis), many(words.domain().configuration)));
    } else {
        cause_->setText(failure.undiagnosed.empty()
                            ? tr("The cause is not known.")
                            : tr("The cause is not known: %1.").arg(shown_text(failure.undiagnosed)));
        basis_->setText(tr("No decision can be blamed."));
    }
    waterfall_->setVisible(diagnosis.has_value());
    const WaterfallPicture picture = blame_picture(
        failure, words,
        {QStringLiteral("against-side"), capitalised(words.against(failure.main().held_against))},
        {QStringLiteral("chosen-side"), tr("Chosen")});
    waterfall_->set_picture(picture);
    std::vector<DifferingDecision> rows = differing_decisions(failure, domain, setting);
    for (DifferingDecision& row : rows)
        if (const auto bar = std::ranges::find(picture.steps, row.key, &WaterfallBar::key);
            bar != picture.steps.end()) {
            row.cost = amount_text(picture, static_cast<std::size_t>(bar - picture.steps.begin()) + 1);
            row.is_significant = bar->is_significant;
        }
    rows_.set_rows(std::move(rows));
}

void FailureCaseView::show_change(const FailureCase& failure, const Setting& setting, const Domain& domain,
                                  const FailureWords& words) {
    const FailureSign& sign = failure.main();
    if (!failure.change) {
        change_->setText(tr("No change is known that would fix it."));
        return;
    }
    const FailureChange& change = *failure.change;
    const QString list = changes_text(change.decisions, words);
    const QString time = runtime_text(change.milliseconds);
    const QString against = words.against(sign.held_against);
    const bool is_part = rows_.rowCount() == 1 ||
                         !mean_the_same(domain, setting, change.configuration, sign.against.configuration);
    change_->setText(
        change.removes_loss && is_part
            ? tr("Change %1. It then takes %2, and nothing is lost against %3.").arg(list, time, against)
        : change.removes_loss
            ? tr("Only changing all that differs removes the loss: %1. It then takes %2.").arg(list, time)
            : tr("Only changing all %1 decisions that differ removes the whole loss. The nearest smaller "
                 "change is "
                 "%2: it takes %3, and %4 takes %5.")
                  .arg(QString::number(rows_.rowCount()), list, time, against, timed_text(sign.against)));
}

void FailureCaseView::show_blind_spots(const FailureCase& failure, const FailureWords& words) {
    QStringList sentences = words.blind_spots(failure);
    QStringList close;
    for (const CloseWorkload& each : failure.closest_trained)
        close << tr("%1 (distance %2)").arg(shown_text(each.name), significant(each.distance, 2));
    if (!close.isEmpty())
        sentences << tr("The closest %1 that it was trained on: %2.")
                         .arg(many(words.domain().workload), close.join(QStringLiteral(", ")));
    blind_spots_->setText(sentences.isEmpty() ? tr("Its training gives no hint by itself: ask the model.")
                                              : sentences.join(u'\n'));
}

} // namespace sparsight
