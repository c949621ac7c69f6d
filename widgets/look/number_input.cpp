#include "widgets/look/number_input.h"

#include "widgets/look/glyph.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr int real_decimals = 15; ///< represents even a share of 3e-8 exactly as typed

/// As few digits as identify the number: "0.005".
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
    // A key that makes a whole number too large is ignored; a real number may still get an exponent.
    if (kind_ == Kind::Whole && is_number && value > maximum())
        return QValidator::Invalid;
    const bool is_kept = is_number && value >= minimum() && value <= maximum();
    return is_kept ? QValidator::Acceptable : QValidator::Intermediate;
}

void NumberField::stepBy(int steps) {
    // At zero the adaptive step would be the last decimal.
    if (kind_ == Kind::Real && value() == 0) {
        setValue(steps * (maximum() <= 1 ? 0.01 : 1));
        return;
    }
    QDoubleSpinBox::stepBy(steps);
}

void NumberField::changeEvent(QEvent* event) {
    QDoubleSpinBox::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        setValue(value()); // writes the number anew
}

void NumberField::wheelEvent(QWheelEvent* event) {
    // Users scroll the form more often than they change a number: only a focused field reacts to the wheel.
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

ValueSlider::ValueSlider(const QString& name, QWidget* parent)
    : QWidget(parent)
    , title_(name)
    , name_(new ElidedLabel(this))
    , text_(new QLabel(this))
    , slider_(new QSlider(Qt::Horizontal, this))
    , follows_(new QLabel(this))
    , reset_(new QToolButton(this)) {
    name_->setText(name);
    keep_font(*name_, caption_font);
    keep_font(*text_, caption_font);
    name_->setBuddy(slider_);
    text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    slider_->setAccessibleName(name);
    keep_font(*follows_, caption_font);
    follows_->setForegroundRole(QPalette::PlaceholderText);
    follows_->setWordWrap(true); // it may follow several
    follows_->hide();
    reset_->setIcon(glyph_icon(Glyph::Close));
    reset_->setAutoRaise(true);
    reset_->setToolTip(tr("Back to the machine's own value"));
    reset_->setAccessibleName(tr("Reset %1").arg(name));
    QSizePolicy keeps_room = reset_->sizePolicy();
    keeps_room.setRetainSizeWhenHidden(true); // so that nothing moves while the user slides
    reset_->setSizePolicy(keeps_room);
    reset_->setFixedSize(2 * grid_step + 4, 2 * grid_step + 4);
    reset_->setIconSize({grid_step + 4, grid_step + 4});
    reset_->hide();
    make_room();
    auto* const grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(grid_step / 2);
    grid->setVerticalSpacing(0);
    grid->addWidget(name_, 0, 0);
    grid->addWidget(text_, 0, 1);
    grid->addWidget(reset_, 0, 2);
    grid->addWidget(slider_, 1, 0, 1, 3);
    grid->addWidget(follows_, 2, 0, 1, 3);
    grid->setColumnStretch(0, 1);
    connect(slider_, &QSlider::valueChanged, this, &ValueSlider::take_stop);
    connect(reset_, &QToolButton::clicked, this, [this] {
        set_value(origin_);
        Q_EMIT moved(value_);
    });
}

void ValueSlider::set_stops(std::vector<double> stops) {
    stops_ = std::move(stops);
    const QSignalBlocker quiet(slider_);
    const int last = std::max(1, static_cast<int>(stops_.size()) - 1);
    slider_->setRange(0, last);
    slider_->setPageStep(std::max(1, last / 10));
    set_value(value_);
}

void ValueSlider::set_format(std::function<QString(double)> text) {
    format_ = std::move(text);
    show_value();
}

void ValueSlider::set_explanation(const QString& text) {
    explanation_ = text;
    explain();
}

void ValueSlider::set_followed(const QString& whom, const QString& reason) {
    if (followed_ == whom && follow_reason_ == reason)
        return;
    followed_ = whom;
    follow_reason_ = reason;
    explain();
    show_value();
}

void ValueSlider::explain() {
    follows_->setText(followed_.isEmpty() ? QString() : tr("Follows %1").arg(followed_));
    follows_->setVisible(!followed_.isEmpty());
    QStringList told{follow_reason_, explanation_};
    told.removeAll(QString());
    setToolTip(explained_tooltip(title_, told.join(u' ')));
}

void ValueSlider::set_origin(double value) {
    origin_ = value;
    show_value();
}

bool ValueSlider::is_changed() const {
    return std::abs(value_ - origin_) > 1e-6 * std::max(std::abs(value_), std::abs(origin_));
}

void ValueSlider::set_value(double value) {
    value_ = value;
    const auto above = std::ranges::lower_bound(stops_, value);
    auto stop = static_cast<int>(above - stops_.begin());
    if (above == stops_.end())
        stop = static_cast<int>(stops_.size()) - 1;
    else if (stop > 0 && value > 0 && std::log(value / *(above - 1)) < std::log(*above / value))
        --stop;
    const QSignalBlocker quiet(slider_);
    slider_->setValue(stop);
    show_value();
}

void ValueSlider::move_to(double value) {
    set_value(value);
    Q_EMIT moved(value_);
}

void ValueSlider::take_stop(int stop) {
    value_ = stops_[static_cast<std::size_t>(stop)];
    show_value();
    Q_EMIT moved(value_);
}

void ValueSlider::show_value() {
    const QString text = format_ ? format_(value_) : QString::number(value_);
    const bool was_moved = is_changed() && followed_.isEmpty();
    text_->setText(was_moved ? QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()) : text);
    slider_->setAccessibleDescription(followed_.isEmpty() ? text : tr("%1, follows %2").arg(text, followed_));
    reset_->setVisible(was_moved);
}

/// Reserves the width of any usual value, so that nothing moves while the user slides.
void ValueSlider::make_room() {
    text_->setMinimumWidth(QFontMetrics(caption_font()).horizontalAdvance(QStringLiteral("10 000 GiB")));
}

void ValueSlider::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        make_room();
    if (event->type() == QEvent::LanguageChange) // the number style has changed
        show_value();
}

} // namespace sparsight
