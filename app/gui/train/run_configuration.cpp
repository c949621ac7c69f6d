#include "gui/train/run_configuration.h"

#include "gui/jobs/job_texts.h"
#include "gui/train/runs_model.h"
#include "gui/train/training_fields.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QStringList>
#include <algorithm>
#include <optional>

namespace sparsight {

namespace {

struct SettingWords {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SettingWords)
};

QString plain_text(const QJsonValue& value) {
    switch (value.type()) {
    case QJsonValue::Bool:
        return value.toBool() ? SettingWords::tr("yes") : SettingWords::tr("no");
    case QJsonValue::Double:
        return QString::number(value.toDouble(), 'g', 10);
    case QJsonValue::String:
        return value.toString().isEmpty() ? unknown_text() : value.toString();
    case QJsonValue::Array: {
        QStringList parts;
        for (const QJsonValue& one : value.toArray())
            parts << plain_text(one);
        return parts.isEmpty() ? unknown_text() : parts.join(QStringLiteral(", "));
    }
    default:
        return unknown_text();
    }
}

using ValueWords = std::function<QString(const QJsonValue&)>;

struct KnownSetting {
    QString key; ///< in the file
    QString title;
    ValueWords words;
};

/// The text of a value that is one of a few; any other value unchanged.
ValueWords one_of(const std::vector<std::pair<QString, QString>>& choices) {
    return [choices](const QJsonValue& value) {
        const auto found = std::ranges::find(choices, value.toString(), &std::pair<QString, QString>::first);
        return found == choices.end() ? plain_text(value) : found->second;
    };
}

std::vector<std::pair<QString, QString>> pairs_of(const std::vector<TrainingChoice>& choices) {
    std::vector<std::pair<QString, QString>> pairs;
    for (const TrainingChoice& choice : choices)
        pairs.emplace_back(choice.value, choice.text);
    return pairs;
}

ValueWords or_else(const QString& empty) {
    return
        [empty](const QJsonValue& value) { return value.toString().isEmpty() ? empty : plain_text(value); };
}

QString share_words(const QJsonValue& value) {
    return value.isDouble() ? share_text(value.toDouble()) : plain_text(value);
}

/// The form's fields and further settings, in its order.
std::vector<KnownSetting> known_settings(const MachineNames& machine_name, const DomainWords& words,
                                         const TrainingOffer& offer) {
    const auto machines = [machine_name](const QJsonValue& value) {
        QStringList names;
        for (const QJsonValue& one : value.toArray())
            names << machine_name(one.toString());
        return names.isEmpty() ? SettingWords::tr("all") : names.join(QStringLiteral(", "));
    };
    std::vector<KnownSetting> known{
        {QStringLiteral("machines"), SettingWords::tr("Machines"), machines},
        {QStringLiteral("simulated"), SettingWords::tr("Simulated machines"), plain_text},
        {QStringLiteral("split"), SettingWords::tr("Split"), or_else(SettingWords::tr("set by the shares"))},
        {QStringLiteral("split_by"), SettingWords::tr("Split by"), one_of(pairs_of(training_splits(words)))},
        {QStringLiteral("validation_share"), SettingWords::tr("Validation share"), share_words},
        {QStringLiteral("test_share"), SettingWords::tr("Test share"), share_words},
        {QStringLiteral("architecture"), SettingWords::tr("Model"), one_of(pairs_of(offer.architectures))},
        {QStringLiteral("method"), SettingWords::tr("Method"), one_of(pairs_of(training_methods(words)))},
    };
    for (const TrainingField& field : training_fields(words))
        known.push_back({QString(QLatin1String(field.option)).replace(u'-', u'_'), field.label,
                         field.choices.empty() ? ValueWords(plain_text) : one_of(field.choices)});
    known.insert(known.end(),
                 {{QStringLiteral("parent"), SettingWords::tr("Begins with"),
                   or_else(SettingWords::tr("new weights"))},
                  {QStringLiteral("baseline"), SettingWords::tr("Boosted trees beside it"), plain_text},
                  {QStringLiteral("threads"), SettingWords::tr("Threads"), plain_text},
                  {QStringLiteral("device"), SettingWords::tr("Device"), plain_text}});
    return known;
}

/// What was computed, in the words of the domain; returns the keys that say it. Nothing where they are not
/// all there.
QStringList add_setting(const QJsonObject& parameters, const Domain& domain,
                        std::vector<WordedSetting>& words) {
    SettingOptions options;
    for (const SettingOption& option : domain.setting_options())
        if (const auto value = parameters.find(QString::fromStdString(option.name));
            value != parameters.end())
            options[option.name] = plain_text(*value).toStdString();
    const auto setting = domain.setting_of(options);
    if (!setting || options.empty())
        return {};
    QStringList keys;
    for (const SettingMember& member : domain.members(*setting))
        if (const QString key = QString::fromStdString(member.key); parameters.contains(key)) {
            words.push_back({QString::fromStdString(member.title), plain_text(parameters.value(key))});
            keys << key;
        }
    return keys;
}

/// {"laptop": {"runtimes": 1864, "digest": "31…"}}: the number, and a digest that identifies the
/// measurements.
void add_measurements(const QJsonObject& data, std::vector<WordedSetting>& words) {
    for (auto at = data.begin(); at != data.end(); ++at) {
        const QJsonObject of_machine = at.value().toObject();
        words.push_back({SettingWords::tr("Measurements of %1").arg(at.key()),
                         count_text(of_machine.value(QStringLiteral("runtimes")).toInteger()),
                         of_machine.value(QStringLiteral("digest")).toString()});
    }
}

void add_unknown(const QJsonObject& object, const QString& prefix, const QStringList& left_out,
                 std::vector<WordedSetting>& words) {
    for (auto at = object.begin(); at != object.end(); ++at) {
        if (prefix.isEmpty() && left_out.contains(at.key()))
            continue;
        if (at.value().isObject())
            add_unknown(at.value().toObject(), prefix + at.key() + u'.', left_out, words);
        else
            words.push_back({prefix + at.key(), plain_text(at.value())});
    }
}

/// Settings of the inner loop mean nothing without an inner loop, and settings of networks mean nothing for
/// trees.
QStringList unread_settings(const QJsonObject& parameters, const DomainWords& words) {
    if (is_of_trees(parameters.value(QStringLiteral("architecture")).toString())) {
        QStringList of_networks{QStringLiteral("method"), QStringLiteral("baseline"),
                                QStringLiteral("parent"), QStringLiteral("device")};
        for (const TrainingField& field : training_fields(words))
            if (qstrcmp(field.option, "seed") != 0 && qstrcmp(field.option, "loss") != 0)
                of_networks << QString(QLatin1String(field.option)).replace(u'-', u'_');
        return of_networks;
    }
    const QString method = parameters.value(QStringLiteral("method")).toString();
    const auto methods = training_methods(words);
    const auto known = std::ranges::find(methods, method, &TrainingChoice::value);
    if (known == methods.end() || known->has_inner_loop)
        return {};
    return {QStringLiteral("inner_steps"), QStringLiteral("inner_rate"), QStringLiteral("support_matrices"),
            QStringLiteral("query_matrices"), QStringLiteral("tasks_per_step")};
}

} // namespace

std::vector<WordedSetting> settings_in_words(const QJsonObject& parameters, const MachineNames& machine_name,
                                             const Domain& domain, const TrainingOffer& offer) {
    const QStringList unread = unread_settings(parameters, domain.words());
    std::vector<WordedSetting> words;
    // The models of a run are identified by their numbers in this very file.
    QStringList told{QStringLiteral("name"), QStringLiteral("data"), QStringLiteral("model_ids"),
                     QStringLiteral("domain")};
    for (const KnownSetting& setting : known_settings(machine_name, domain.words(), offer)) {
        told << setting.key;
        if (const QJsonValue value = parameters.value(setting.key);
            !value.isUndefined() && !unread.contains(setting.key))
            words.push_back({setting.title, setting.words(value)});
        if (setting.key == QLatin1String("simulated")) { // what it was trained on stands together
            told << add_setting(parameters, domain, words);
            add_measurements(parameters.value(QStringLiteral("data")).toObject(), words);
        }
    }
    add_unknown(parameters, {}, told, words);
    return words;
}

namespace {

/// The text for measurements that are as many as those of an earlier run, but other ones.
QString told_apart(const WordedSetting& setting, const std::vector<QString>& identities,
                   const QStringList& texts) {
    for (qsizetype i = 0; i < texts.size() && !setting.identity.isEmpty(); ++i)
        if (texts[i] == setting.text && identities[static_cast<std::size_t>(i)] != setting.identity)
            return ConfigurationModel::tr("%1, other ones").arg(setting.text);
    return setting.text;
}

} // namespace

std::vector<ConfigurationRow> compare_configurations(const std::vector<ConfiguredRun>& runs) {
    struct Row {
        ConfigurationRow row;
        std::vector<QString> identities;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const WordedSetting& setting : runs[i].settings) {
            auto row = std::ranges::find(rows, setting.title, [](const Row& one) { return one.row.setting; });
            if (row == rows.end()) {
                const auto count = static_cast<qsizetype>(runs.size());
                rows.push_back({{setting.title, QStringList(count, unknown_text()), false},
                                std::vector<QString>(runs.size())});
                row = rows.end() - 1;
            }
            row->row.values[static_cast<qsizetype>(i)] =
                told_apart(setting, row->identities, row->row.values);
            row->identities[i] = setting.identity;
        }
    std::vector<ConfigurationRow> compared;
    for (Row& one : rows) {
        one.row.differs = std::ranges::any_of(
            one.row.values, [&](const QString& text) { return text != one.row.values.first(); });
        compared.push_back(std::move(one.row));
    }
    std::ranges::stable_partition(compared, &ConfigurationRow::differs);
    return compared;
}

void ConfigurationModel::set_runs(const std::vector<ConfiguredRun>& runs) {
    if (runs == runs_)
        return;
    beginResetModel();
    runs_ = runs;
    rows_ = compare_configurations(runs);
    endResetModel();
}

int ConfigurationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ConfigurationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size()) + 1;
}

QVariant ConfigurationModel::data(const QModelIndex& cell, int role) const {
    if (!checkIndex(cell, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ConfigurationRow& row = rows_[static_cast<std::size_t>(cell.row())];
    if (role == Qt::DisplayRole)
        return cell.column() == 0 ? row.setting : row.values[cell.column() - 1];
    if (role == Qt::ForegroundRole && !row.differs)
        return runs_.size() > 1 ? QVariant(current_theme().dim_text) : QVariant();
    if (role == Qt::ToolTipRole && runs_.size() > 1)
        return row.differs ? tr("Differs between these runs") : tr("The same in all of these runs");
    return {};
}

QVariant ConfigurationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter); // like the column below it
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? tr("Setting") : runs_[static_cast<std::size_t>(section) - 1].name;
}

} // namespace sparsight
