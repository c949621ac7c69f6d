#include "gui/shell/window/applied_settings.h"

#include "gui/jobs/job_service.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "study/time_unit.h"
#include "widgets/look/runtime_text.h"

#include <QApplication>

namespace sparsight {

AppliedSettings::AppliedSettings(const Services& services, QObject* parent)
    : QObject(parent)
    , services_(services) {
    connect(&services_.settings, &UserSettings::changed, this, &AppliedSettings::apply);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &AppliedSettings::follow_domain);
    follow_domain();
}

/// Times of workloads are written in what the domain counts.
void AppliedSettings::follow_domain() const {
    const CountsTime* const counts = time_counting_of(services_.session.domain());
    if (counts == nullptr)
        return set_runtime_unit(*qApp, std::nullopt);
    const TimeUnit unit = counts->time_unit();
    set_runtime_unit(*qApp, RuntimeUnit{QString::fromStdString(unit.noun.one),
                                        QString::fromStdString(unit.noun.many), unit.milliseconds});
}

/// Each for itself: a theme of this run holds, whatever else changes meanwhile.
void AppliedSettings::apply(const QString& key) {
    const UserSettings& settings = services_.settings;
    if (key == settings.theme.key()) {
        theme_is_for_this_run_ = false;
        apply_theme(*qApp, settings.theme.get());
    } else if (key.startsWith(QStringLiteral("look/"))) {
        set_number_style(*qApp, settings.number_style());
    } else if (key == settings.worker.key()) {
        services_.jobs.set_worker_program(find_worker_program(settings.worker.get()));
    }
}

void AppliedSettings::use_theme_for_this_run(ThemeChoice choice) {
    theme_is_for_this_run_ = true;
    apply_theme(*qApp, choice);
}

void AppliedSettings::follow_desktop() const {
    if (!theme_is_for_this_run_ && services_.settings.theme.get() == ThemeChoice::System)
        apply_theme(*qApp, ThemeChoice::System);
}

} // namespace sparsight
