// What is told above every page: what an import could not take, and that the recording of the demo workspace
// is newer than the copy that is open.
#pragma once

#include <QWidget>

namespace sparsight {

class Banner;
class ImportReport;
class Page;
struct Services;

class WindowBanners : public QWidget {
    Q_OBJECT

public:
    explicit WindowBanners(const Services& services, QWidget* parent = nullptr);

    /// A page with a report of its own tells of imports itself; none: nothing is told of them.
    void show_page(const Page* page);
    void offer_newer_demo();

Q_SIGNALS:
    void newer_demo_accepted();

private:
    QWidget* import_place_;
    ImportReport* imported_;
    Banner* demo_;
};

} // namespace sparsight
