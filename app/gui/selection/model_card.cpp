#include "gui/selection/model_card.h"

#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_texts.h"
#include "gui/runs/baseline_words.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/fact_table.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "widgets/look/number_text.h"

#include <QLabel>
#include <QLocale>
#include <algorithm>

namespace sparsight {

namespace {

QString percent_of(const QJsonObject& metrics, const char* name) {
    const QJsonValue value = metrics.value(QLatin1String(name));
    return value.isDouble() ? share_text(value.toDouble()) : QString();
}

QString number_of(const QJsonObject& metrics, const char* name) {
    const QJsonValue value = metrics.value(QLatin1String(name));
    return value.isDouble() ? significant(value.toDouble(), 2) : QString();
}

QString architecture_text(const QString& architecture) {
    if (architecture == QLatin1String("statistics"))
        return ModelCard::tr("StatisticsNet");
    if (architecture == QLatin1String("waconet"))
        return ModelCard::tr("WACONet");
    if (architecture == QLatin1String("trees"))
        return ModelCard::tr("boosted trees");
    return architecture;
}

} // namespace

ModelCard::ModelCard(Services services, const TrainingRuns& runs, QWidget* parent)
    : Card(tr("Model"), parent)
    , services_(services)
    , runs_(runs)
    , facts_(facts_label(this)) {
    facts_->setObjectName(QStringLiteral("model-facts"));
    set_content(facts_);
    connect(facts_, &QLabel::linkActivated, this, &ModelCard::page_requested);
    connect(&runs_, &TrainingRuns::stored_changed, this, &ModelCard::show_model);
    connect(&services_.selection, &Selection::changed, this, &ModelCard::show_model);
    connect(&services_.settings, &UserSettings::changed, this, &ModelCard::show_model);
    show_model();
}

void ModelCard::show_model() {
    const QString name = services_.selection.current().model;
    const KnownModel* model = runs_.model(name);
    set_subtitle(name);
    if (model == nullptr) {
        facts_->setText(dimmed(runs_.stored().models.empty()
                                   ? tr("There is none. <a href='train'>Train one</a>")
                                   : tr("None is selected. <a href='search'>Let one search</a>")));
        facts_->setToolTip({});
        return;
    }
    FactTable facts;
    facts.add(tr("kind"), architecture_text(model->architecture));
    facts.add(tr("operator"), operator_text(model->op));
    facts.add(tr("method"), model->method);
    const auto parent = std::ranges::find_if(runs_.stored().models, [&](const KnownModel& other) {
        return model->parent && other.id == *model->parent;
    });
    if (parent != runs_.stored().models.end())
        facts.add(tr("from"), parent->name);
    facts.add(tr("learned on"), model->machines.join(QStringLiteral("; ")));
    if (!model->matrices.isEmpty())
        facts.add(tr("with"), matrices_text(model->matrices.size()));
    if (model->blend)
        facts.add(tr("score"),
                  tr("network %1, simulator %2")
                      .arg(significant(model->blend->network), significant(model->blend->simulator)));
    // Of its validation.
    facts.add(tr("pairs in order"), percent_of(model->metrics, "ordered_pair_accuracy"));
    if (const TrainingRun* run = model->run ? runs_.run(*model->run) : nullptr;
        run != nullptr && run->baseline_accuracy)
        facts.add(tr("of trees"), share_text(*run->baseline_accuracy));
    facts.add(tr("Kendall’s τ"), number_of(model->metrics, "kendall_tau"));
    facts.add(tr("regret of 20"), percent_of(model->metrics, "regret_at_20"));
    facts.add(tr("size"), bytes_text(static_cast<double>(model->bytes)));
    facts_->setText(facts.html());
    QString tip = tr("Made %1.").arg(QLocale().toString(model->created.toLocalTime(), QLocale::ShortFormat));
    if (!model->metrics.isEmpty())
        tip +=
            u'\n' + tr("Pairs in order, τ and regret are of its validation: matrices that it was not trained "
                       "on, which chose when to stop.");
    if (const TrainingRun* run = model->run ? runs_.run(*model->run) : nullptr)
        if (const QString verdict = baseline_sentence(*run); !verdict.isEmpty())
            tip += u'\n' + verdict;
    if (model->blend)
        tip += u'\n' + tr("Network and calibrated simulator: %1.").arg(blend_formula(*model->blend));
    if (!model->matrices.isEmpty())
        tip += u'\n' + tr("Trained on %1").arg(model->matrices.join(QStringLiteral(", ")));
    facts_->setToolTip(
        QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))));
}

} // namespace sparsight
