// Links to what the window shows (selection.h), for the clipboard and from it.
#pragma once

#include "gui/page/services.h"

#include <QObject>
#include <QString>
#include <functional>

namespace sparsight {

class Notices;

class WindowLinks : public QObject {
    Q_OBJECT

public:
    /// `has_page`: whether the window has the page of this id.
    WindowLinks(const Services& services, Notices& notices, std::function<bool(const QString&)> has_page);

    /// Looks at what a link names, and says what of it this workspace does not have.
    void open(const QString& link);
    void copy();
    void paste();

private:
    Services services_;
    Notices& notices_;
    std::function<bool(const QString&)> has_page_;
};

} // namespace sparsight
