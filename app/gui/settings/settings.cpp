#include "gui/settings/settings.h"

#include "base/parallel.h"
#include "gui/program.h"

namespace sparsight {

namespace {

constexpr int most_recent = 10;

} // namespace

Settings::Settings(QObject* parent)
    : QObject(parent)
    , store_(QSettings::IniFormat, QSettings::UserScope, application_name(), application_name()) {}

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent)
    , store_(file, QSettings::IniFormat) {}

NumberStyle Settings::number_style() const {
    NumberStyle style;
    style.thousands = thousands.get();
    style.decimal_point = decimal_comma.get() ? u',' : u'.';
    style.byte_units = byte_units.get();
    return style;
}

int Settings::thread_count() const {
    const int chosen = threads.get();
    return chosen > 0 ? chosen : available_threads();
}

QByteArray Settings::layout(const QString& of) const {
    return store_.value(QStringLiteral("layout/") + of).toByteArray();
}

void Settings::set_layout(const QString& of, const QByteArray& layout) {
    store_.setValue(QStringLiteral("layout/") + of, layout);
}

void Settings::add_recent(const QString& path) {
    QStringList list = recent.get();
    list.removeAll(path);
    list.prepend(path);
    recent.set(list.mid(0, most_recent));
}

void Settings::forget_recent(const QString& path) {
    QStringList list = recent.get();
    list.removeAll(path);
    recent.set(list);
}

} // namespace sparsight
