#include "gui/settings/settings.h"

#include "base/parallel.h"
#include "gui/program/program.h"

namespace sparsight {

namespace {

constexpr int most_recent = 10;

} // namespace

UserSettings::UserSettings(QObject* parent)
    : QObject(parent)
    , store_(QSettings::IniFormat, QSettings::UserScope, application_name(), application_name()) {}

UserSettings::UserSettings(const QString& file, QObject* parent)
    : QObject(parent)
    , store_(file, QSettings::IniFormat) {}

NumberStyle UserSettings::number_style() const {
    NumberStyle style;
    style.thousands = thousands.get();
    style.decimal_point = decimal_comma.get() ? u',' : u'.';
    style.byte_units = byte_units.get();
    return style;
}

int UserSettings::thread_count() const {
    const int chosen = threads.get();
    return chosen > 0 ? chosen : available_threads();
}

QByteArray UserSettings::layout(const QString& of) const {
    return store_.value(QStringLiteral("layout/") + of).toByteArray();
}

void UserSettings::set_layout(const QString& of, const QByteArray& layout) {
    store_.setValue(QStringLiteral("layout/") + of, layout);
}

void UserSettings::add_recent(const QString& path) {
    QStringList list = recent.get();
    list.removeAll(path);
    list.prepend(path);
    recent.set(list.mid(0, most_recent));
}

} // namespace sparsight
