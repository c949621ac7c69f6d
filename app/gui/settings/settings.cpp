#include "gui/settings/settings.h"

#include "base/parallel.h"
#include "gui/program/program.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <chrono>

namespace sparsight {

namespace {

constexpr int most_recent = 10;
constexpr std::chrono::milliseconds lock_wait{1000};

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

void UserSettings::change_together(const std::function<void()>& change) {
    const QString file = store_.fileName();
    QDir().mkpath(QFileInfo(file).path());
    QLockFile lock(file + QStringLiteral(".change.lock")); // ".lock" is what QSettings itself takes
    // Who can't have it changes all the same: a window must not stand still for settings.
    const bool is_locked = lock.tryLock(lock_wait);
    Q_UNUSED(is_locked)
    store_.sync();
    change();
    store_.sync();
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
