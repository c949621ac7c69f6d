#include "widgets/look/number_field.h"

#include "widgets/look/number_text.h"

#include <QEvent>
#include <QLocale>
#include <QWheelEvent>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int real_decimals = 15; ///< also a share of 3e-8 is kept as it is

/// As few digits as name the number: "0.005".
QString shortest(double value) {
    const QString text = QLocale::c().toString(value, 'f', QLocale::FloatingPointShortest);
    return QString(text).remove(u',');
}

} // namespace

NumberField::NumberField(Kind kind, QWidget* parent)
    : QDoubleSpinBox(parent)
    , kind_(kind) {
    setLocale(QLocale::c());
    setDecimals(kind == Kind::Whole ? 0 : real_decimals);
    setStepType(AdaptiveDecimalStepType);
    setFocusPolicy(Qt::StrongFocus);
}

QString NumberField::textFromValue(double value) const {
    if (kind_ == Kind::Whole)
        return count_text(static_cast<qint64>(value));
    const QString digits = shortest(value);
    const qsizetype point = digits.indexOf(u'.');
    return fixed_text(value, point < 0 ? 0 : static_cast<int>(digits.size() - point - 1));
}

QString NumberField::plain(const QString& text) const {
    const NumberStyle style = current_number_style();
    QString number = text;
    if (!prefix().isEmpty() && number.startsWith(prefix()))
        number.remove(0, prefix().size());
    if (!suffix().isEmpty() && number.endsWith(suffix()))
        number.chop(suffix().size());
    if (style.thousands == ThousandsSeparator::Comma && style.decimal_point != u',')
        number.remove(u',');
    number.replace(style.decimal_point, u'.');
    number.replace(QChar(0x2212), u'-');
    number.removeIf([](QChar c) { return c.isSpace(); });
    return number;
}

double NumberField::valueFromText(const QString& text) const {
    return QLocale::c().toDouble(plain(text));
}

QValidator::State NumberField::validate(QString& input, int&) const {
    const QString number = plain(input);
    const auto may_stand = [this](QChar c) {
        return c.isDigit() || c == u'-' || (kind_ == Kind::Real && (c == u'.' || c == u'e' || c == u'E'));
    };
    if (!std::ranges::all_of(number, may_stand))
        return QValidator::Invalid;
    bool is_number = false;
    const double value = QLocale::c().toDouble(number, &is_number);
    // Of a whole number that grows too large the key does nothing; a real one may get an exponent yet.
    if (kind_ == Kind::Whole && is_number && value > maximum())
        return QValidator::Invalid;
    const bool is_kept = is_number && value >= minimum() && value <= maximum();
    return is_kept ? QValidator::Acceptable : QValidator::Intermediate;
}

void NumberField::stepBy(int steps) {
    // From zero the adaptive step would be the last decimal.
    if (kind_ == Kind::Real && value() == 0) {
        setValue(steps * (maximum() <= 1 ? 0.01 : 1));
        return;
    }
    QDoubleSpinBox::stepBy(steps);
}

void NumberField::changeEvent(QEvent* event) {
    QDoubleSpinBox::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        setValue(value()); // written anew
}

void NumberField::wheelEvent(QWheelEvent* event) {
    // The form is scrolled more often than a number is wanted: only a field that has the focus turns.
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace sparsight
