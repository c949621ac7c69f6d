#include "gui/page/domain_words.h"

#include "evaluation/failures/failure_case.h"
#include "widgets/look/number_text.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

QString with_capital(const std::string& words) {
    QString text = QString::fromStdString(words);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

QString title_of_one(const Noun& noun) {
    return with_capital(noun.one);
}

QString title_of_many(const Noun& noun) {
    return with_capital(noun.many);
}

QString counted(qint64 count, const Noun& noun) {
    return QStringLiteral("%1 %2").arg(count_text(count), count == 1 ? one(noun) : many(noun));
}

QString one(const Noun& noun) {
    return QString::fromStdString(noun.one);
}

QString many(const Noun& noun) {
    return QString::fromStdString(noun.many);
}

QString reference(const DomainWords& words) {
    return words.baseline ? one(*words.baseline)
                          : DomainTexts::tr("the best known %1").arg(one(words.configuration));
}

QString slower_text(double lost_share) {
    if (lost_share < 0)
        return DomainTexts::tr("%1 faster").arg(share_text(-lost_share));
    // "3× slower" is read as three times or as four times the time.
    return lost_share < 1 ? DomainTexts::tr("%1 slower").arg(share_text(lost_share))
                          : DomainTexts::tr("%1 as long").arg(speedup_text(1 + lost_share));
}

QString slower_text(double lost_share, const QString& than) {
    return (lost_share < 1 ? DomainTexts::tr("%1 than %2") : DomainTexts::tr("%1 as %2"))
        .arg(slower_text(lost_share), than);
}

QString takes_longer_text(double lost_share, const QString& than) {
    return (lost_share < 1 ? DomainTexts::tr("is %1") : DomainTexts::tr("takes %1"))
        .arg(slower_text(lost_share, than));
}

QString turns_remark(const DomainWords& words) {
    return DomainTexts::tr("Times that were measured in turns are compared turn by turn. The table of the "
                           "page %1 has times as collected.")
        .arg(title_of_many(words.configuration));
}

QVariant fact_value(const QJsonValue& fact) {
    if (fact.isDouble())
        return fact.toDouble(); // toVariant() makes other types of whole numbers
    if (fact.isString()) {
        bool is_number = false;
        const double number = fact.toString().toDouble(&is_number);
        if (is_number)
            return number;
    }
    return fact.toVariant();
}

namespace {

/// As many as it has: a data sheet is not rounded. Three at least, as numbers have here.
int digits_of(double number) {
    const QString shortest = QString::number(number, 'e', QLocale::FloatingPointShortest);
    const QString figures = shortest.left(shortest.indexOf(u'e'));
    return std::clamp(
        static_cast<int>(std::ranges::count_if(figures, [](QChar each) { return each.isDigit(); })), 3, 9);
}

} // namespace

QString fact_text(const QVariant& value) {
    if (!value.isValid())
        return unknown_text();
    if (value.typeId() != QMetaType::Double)
        return value.toString();
    const double number = value.toDouble();
    constexpr double exact = 1e15;
    if (number != std::floor(number) || std::abs(number) >= exact)
        return significant(number, digits_of(number));
    const auto whole = static_cast<qint64>(number);
    constexpr qint64 grouped = 10'000; // below it, it may be a year
    return std::abs(whole) < grouped ? QString::number(whole) : count_text(whole);
}

QString status_text(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::Measured:
        return DomainTexts::tr("measured");
    case MeasurementStatus::GaveUp:
        return DomainTexts::tr("abandoned");
    case MeasurementStatus::TooLarge:
        return DomainTexts::tr("too large");
    case MeasurementStatus::Mismatch:
        return DomainTexts::tr("mismatch");
    case MeasurementStatus::Failed:
        return DomainTexts::tr("failed");
    case MeasurementStatus::Damaged:
        return DomainTexts::tr("damaged");
    }
    return {};
}

QString status_text(MeasurementStatus status, std::string_view shown) {
    return shown == name(TimeSource::Recorded)    ? DomainTexts::tr("recorded")
           : shown == name(TimeSource::Simulated) ? DomainTexts::tr("simulated")
                                                  : status_text(status);
}

QString status_meaning(MeasurementStatus status, std::string_view shown) {
    return shown == name(TimeSource::Recorded)
               ? DomainTexts::tr("The time was imported. Nothing was measured here.")
           : shown == name(TimeSource::Simulated)
               ? DomainTexts::tr("The time is simulated. Nothing was measured.")
               : status_meaning(status);
}

QString status_meaning(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::Measured:
        return DomainTexts::tr("The result was checked, the time stands.");
    case MeasurementStatus::GaveUp:
        return DomainTexts::tr(
            "The first runs were so far behind the best that they were abandoned: it takes longer than "
            "this.");
    case MeasurementStatus::TooLarge:
        return DomainTexts::tr("The storage format would exceed the size limit, so it was not built.");
    case MeasurementStatus::Mismatch:
        return DomainTexts::tr("The result is wrong: a defect of this program, please report it.");
    case MeasurementStatus::Failed:
        return DomainTexts::tr("It could not be compiled or run.");
    case MeasurementStatus::Damaged:
        return DomainTexts::tr("The workspace file was changed by something else: the time in it can’t be "
                               "trusted. Measuring again replaces it.");
    }
    return {};
}

QString significance_text(Significance significance) {
    switch (significance) {
    case Significance::BeyondNoise:
        return DomainTexts::tr("beyond noise");
    case Significance::WithinNoise:
        return DomainTexts::tr("within noise");
    case Significance::NoiseUnknown:
        return DomainTexts::tr("noise unknown");
    }
    return {};
}

QString significance_meaning(Significance significance) {
    switch (significance) {
    case Significance::BeyondNoise:
        return DomainTexts::tr("The difference is larger than both spreads together.");
    case Significance::WithinNoise:
        return DomainTexts::tr("The difference is no larger than both spreads together.");
    case Significance::NoiseUnknown:
        return DomainTexts::tr("One of both times comes without a spread.");
    }
    return {};
}

} // namespace sparsight
