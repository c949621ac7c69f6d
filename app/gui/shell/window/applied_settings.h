// What the user has set is at work at once: colours, numbers, the worker program; and times are written as
// the shown domain counts them.
#pragma once

#include "gui/page/page.h"
#include "widgets/look/theme.h"

#include <QObject>

namespace sparsight {

class AppliedSettings : public QObject {
    Q_OBJECT

public:
    explicit AppliedSettings(const Services& services, QObject* parent = nullptr);

    /// Whatever the settings say, until they are changed.
    void use_theme_for_this_run(ThemeChoice choice);
    /// The desktop became dark or light.
    void follow_desktop() const;

private:
    void apply(const QString& key);
    void follow_domain() const;

    Services services_;
    bool theme_is_for_this_run_ = false;
};

} // namespace sparsight
