#include "gui/shell/notices.h"

#include "widgets/look/banner.h"

#include <QTimer>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr std::chrono::seconds shown_for{8};
constexpr int most_at_once = 3;

} // namespace

Notices::Notices(QWidget* parent)
    : QWidget(parent)
    , column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(4);
}

void Notices::tell(const QString& text, bool is_problem) {
    if (text.isEmpty() || texts().contains(text))
        return;
    while (column_->count() >= most_at_once) {
        const std::unique_ptr<QLayoutItem> oldest(column_->takeAt(0));
        delete oldest->widget();
    }
    auto* banner = new Banner(this);
    banner->show_message(is_problem ? Severity::Error : Severity::Information, text);
    column_->addWidget(banner);
    connect(banner, &Banner::closed, banner, &QObject::deleteLater);
    if (!is_problem)
        QTimer::singleShot(shown_for, banner, &Banner::close_message);
}

void Notices::clear() {
    while (const std::unique_ptr<QLayoutItem> item{column_->takeAt(0)})
        delete item->widget();
}

QStringList Notices::texts() const {
    QStringList texts;
    for (const Banner* banner : findChildren<Banner*>())
        if (!banner->isHidden())
            texts << banner->text();
    return texts;
}

} // namespace sparsight
