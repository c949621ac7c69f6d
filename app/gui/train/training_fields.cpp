#include "gui/train/training_fields.h"

#include "gui/page/domain_words.h"
#include "workflow/learning_settings.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <string_view>

namespace sparsight {

namespace {

struct Fields {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TrainingFields)
};

TrainingField whole(const char* option, FieldGroup group, const QString& label, const QString& tip,
                    double fallback, double least, double most = 1'000'000'000) {
    return {option, group, FieldKind::Whole, label, tip, fallback, least, most};
}

TrainingField real(const char* option, FieldGroup group, const QString& label, const QString& tip,
                   double fallback, double least = 0, double most = 1'000) {
    return {option, group, FieldKind::Real, label, tip, fallback, least, most};
}

TrainingField choice(const char* option, FieldGroup group, const QString& label, const QString& tip,
                     std::vector<std::pair<QString, QString>> choices) {
    return {option, group, FieldKind::Choice, label, tip, 0, 0, 0, std::move(choices)};
}

} // namespace

std::vector<TrainingField> training_fields(const DomainWords& words) {
    using enum FieldGroup;
    const QString workload = one(words.workload);
    const QString workloads = many(words.workload);
    const QString configurations = many(words.configuration);
    const auto text = [](const char* value) { return QString::fromLatin1(value); };
    return {
        whole(
            "epochs", Basic, Fields::tr("Epochs"),
            Fields::tr("How often all training %1 are gone through. The best epoch is kept, so more of them "
                       "cost time and never quality.")
                .arg(workloads),
            80, 0, 100'000),
        real("rate", Basic, Fields::tr("Rate"),
             Fields::tr(
                 "How far each step of Adam moves the weights. Too high, and the loss jumps or explodes; too "
                 "low, and it crawls."),
             1e-4, 1e-9, 1),
        whole("inner-steps", Inner, Fields::tr("Inner steps"),
              Fields::tr("An inner step adapts a copy of the model to one machine: a gradient step on a few "
                         "%1 there. Meta-learning looks for weights from which this many steps go far. One "
                         "is mostly enough; each costs as much as a step of ordinary training.")
                  .arg(workloads),
              1, 1, 100),
        real("inner-rate", Inner, Fields::tr("Inner rate"),
             Fields::tr("How long an inner step is. Fine-tuning on a new machine uses the same one. It "
                        "should be large enough to change something in a few steps."),
             0.01, 1e-9, 10),
        whole("support-matrices", Advanced, Fields::tr("Support %1").arg(workloads),
              Fields::tr("The %1 that the inner steps adapt on, in each episode.").arg(workloads), 5, 1,
              10'000),
        whole("query-matrices", Advanced, Fields::tr("Query %1").arg(workloads),
              Fields::tr("Other %1 of the same machine, which judge the adapted copy. The outer loop "
                         "minimises its loss there.")
                  .arg(workloads),
              5, 1, 10'000),
        whole("tasks-per-step", Advanced, Fields::tr("Machines a step"),
              Fields::tr("Machines whose gradients are averaged for one step of the outer loop."), 4, 1,
              10'000),
        whole(
            "schedules-per-matrix", Advanced, Fields::tr("%1 a step").arg(title_of_many(words.configuration)),
            Fields::tr("The %1 of one %2 that are compared in a step, drawn anew each time. All their pairs "
                       "count, so twice as many are four times the pairs.")
                .arg(configurations, workload),
            32, 2, 10'000),
        choice("loss", Advanced, Fields::tr("Loss"),
               Fields::tr("What training minimises. The margin loss asks that the slower %1 of each pair "
                          "scores higher by 1.")
                   .arg(one(words.configuration)),
               {{text("margin"), Fields::tr("pairwise margin")},
                {text("logistic"), Fields::tr("pairwise logistic")},
                {text("listmle"), Fields::tr("ListMLE")},
                {text("log-squared"), Fields::tr("squared error of log time")},
                {text("relative"), Fields::tr("relative error of time")},
                {text("top"), Fields::tr("pairs near the fastest")}}),
        choice("rate-schedule", Advanced, Fields::tr("Rate over time"),
               Fields::tr(
                   "Constant, or falling to zero along a cosine: large steps first, fine ones in the end."),
               {{text("constant"), Fields::tr("constant")}, {text("cosine"), Fields::tr("cosine")}}),
        real("weight-decay", Advanced, Fields::tr("Weight decay"),
             Fields::tr("Pulls weights towards zero, against learning by heart. 0: not at all."), 0),
        real("longest-gradient", Advanced, Fields::tr("Longest gradient"),
             Fields::tr(
                 "A longer gradient is shortened to this, so that one odd %1 can’t throw the weights far "
                 "off. 0: never.")
                 .arg(workload),
             0, 0, 1'000'000),
        whole("patience", Advanced, Fields::tr("Patience"),
              Fields::tr("Epochs without a better validation loss after which training ends. 0: all epochs, "
                         "whatever happens."),
              0, 0, 100'000),
        whole("seed", Advanced, Fields::tr("Seed"),
              Fields::tr("The same data, settings and seed give the same model, bit for bit on one thread."),
              1, 0),
        {.option = "machine-features",
         .group = Advanced,
         .kind = FieldKind::Switch,
         .label = Fields::tr("Machine as an input"),
         .tip = Fields::tr(
             "The model is also told what the machine is (cores, bandwidth, caches …), beside being "
             "adapted to it.")},
    };
}

std::vector<TrainingChoice> training_methods(const DomainWords& words) {
    const QString workload = one(words.workload);
    const QString workloads = many(words.workload);
    const auto method = [](const char* value, const QString& text, const QString& explanation,
                           bool inner = true) {
        return TrainingChoice{QString::fromLatin1(value), text, explanation, inner};
    };
    return {
        method("supervised", Fields::tr("Supervised"),
               Fields::tr("Every step looks at one %1 on one machine. All machines go into one "
                          "model: it learns what they have in common.")
                   .arg(workload),
               false),
        method("fomaml", Fields::tr("FOMAML"),
               Fields::tr("Adapts a copy to a machine by inner steps. Its gradient on other %1 there moves "
                          "the weights. First order: the inner steps count as constants, which spares second "
                          "derivatives. It is mostly as good as MAML.")
                   .arg(workloads)),
        method("maml", Fields::tr("MAML"),
               Fields::tr("FOMAML with the exact gradient through the inner steps. That needs second "
                          "derivatives: two to three times the time, and memory for every inner step.")),
        method(
            "reptile", Fields::tr("Reptile"),
            Fields::tr("Adapts by several inner steps and moves the weights towards where they end. No query "
                       "%1, no second derivatives; wants three or more inner steps.")
                .arg(workloads)),
        method(
            "anil", Fields::tr("ANIL"),
            Fields::tr("MAML whose inner steps move the predictor alone; what describes %1 is shared by all "
                       "machines. Cheaper, and steadier with few %1.")
                .arg(workloads)),
        method("meta-sgd", Fields::tr("Meta-SGD"),
               Fields::tr("MAML that also learns a step size for every weight: which parts of the model a "
                          "new machine should change.")),
        method("report", Fields::tr("The report’s loop"),
               Fields::tr("One inner step on each machine for each %1, and the loss after it. First order, "
                          "as the report’s program does it.")
                   .arg(workload)),
        method("closed-form", Fields::tr("Closed form"),
               Fields::tr("Solves for the last layer of a gray box instead of stepping towards it. The "
                          "gradient on other %1 goes through the solution.")
                   .arg(workloads)),
    };
}

std::vector<TrainingChoice> training_splits(const DomainWords& words) {
    const QString workload = one(words.workload);
    const QString configuration = one(words.configuration);
    return {{QStringLiteral("workload"), Fields::tr("by %1").arg(workload),
             Fields::tr("Tests with %1 that the model has never seen. Those of one family stay together.")
                 .arg(many(words.workload))},
            {QStringLiteral("row"), Fields::tr("by %1").arg(configuration),
             Fields::tr("Tests with other %1 of the same %2: is the rest of a space predicted from a part?")
                 .arg(many(words.configuration), many(words.workload))},
            {QStringLiteral("machine"), Fields::tr("by machine"),
             Fields::tr("Tests on machines that the model has never seen. Three machines are needed.")}};
}

TrainingChoice boosted_trees() {
    return {QStringLiteral("trees"), Fields::tr("Boosted trees"),
            Fields::tr("The baseline that every network must beat: no epochs, no adapting.")};
}

namespace {

QJsonObject object_from(std::string_view json) {
    return QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size()))).object();
}

} // namespace

TrainingValues training_values(const QJsonObject& object) {
    TrainingValues values;
    for (auto at = object.begin(); at != object.end(); ++at) {
        const QString option = QString(at.key()).replace(u'_', u'-');
        if (at.value().isDouble())
            values[option] = QString::number(at.value().toDouble(), 'g', QLocale::FloatingPointShortest);
        else if (at.value().isArray())
            values[option] = at.value().toVariant().toStringList().join(QLatin1Char(','));
        else if (at.value().isBool())
            values[option] = at.value().toBool() ? QStringLiteral("yes") : QString();
        else
            values[option] = at.value().toString();
    }
    return values;
}

TrainingPreset quick_preset() {
    const Preset& preset = general_presets.front();
    return {QString::fromUtf8(preset.name.data(), std::ssize(preset.name)), Fields::tr("Quick demo"),
            Fields::tr("The smallest network, from what was measured. It takes about a minute, "
                       "so that its curves can be watched."),
            training_values(object_from(preset.values))};
}

TrainingOffer general_offer(const DomainWords& words) {
    const QString configuration = one(words.configuration);
    return {{{QStringLiteral("perceptron"), Fields::tr("Perceptron"),
              Fields::tr("A small network that reads all decisions of a %1 at once: trains in seconds.")
                  .arg(configuration)},
             {QStringLiteral("attention"), Fields::tr("LSTM with attention"),
              Fields::tr("Reads the decisions of a %1 one after the other. It takes much longer.")
                  .arg(configuration)},
             boosted_trees()},
            {quick_preset()}};
}

} // namespace sparsight
