#include "gui/selection/times_choice.h"

#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QUrl>
#include <algorithm>
#include <span>

namespace sparsight {

TimesChoice::TimesChoice(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , workload_name_(new QLabel(this))
    , workload_(new QComboBox(this))
    , machine_(new QComboBox(this))
    , set_name_(new QLabel(tr("&Setting"), this))
    , set_(new QComboBox(this)) {
    build();
    connect(workload_, &QComboBox::activated, this,
            [this] { services_.selection.select_workload(workload_->currentText()); });
    connect(machine_, &QComboBox::activated, this,
            [this] { services_.selection.select_machine(machine_->currentData().toString()); });
    connect(set_, &QComboBox::activated, this, &TimesChoice::set_changed);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &TimesChoice::show_words);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, [this] {
        fill_choices();
        follow();
    });
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, [this] {
        is_stale_ = true;
        follow();
    });
    connect(&services_.selection, &Selection::changed, this, &TimesChoice::follow);
    show_words();
}

void TimesChoice::build() {
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    auto* const machine_name = new QLabel(tr("&Machine"), this);
    workload_name_->setObjectName(QStringLiteral("workload-label"));
    workload_name_->setBuddy(workload_);
    machine_name->setBuddy(machine_);
    set_name_->setBuddy(set_);
    workload_->setObjectName(QStringLiteral("workload"));
    machine_->setObjectName(QStringLiteral("machine"));
    machine_->setAccessibleName(tr("Machine"));
    set_->setObjectName(QStringLiteral("setting"));
    set_->setAccessibleName(tr("Setting"));
    for (QComboBox* const box : {workload_, machine_, set_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumContentsLength(8);
    }
    for (QWidget* const part :
         std::initializer_list<QWidget*>{workload_name_, workload_, machine_name, machine_, set_name_, set_})
        row->addWidget(part);
    row->addStretch(1);
}

void TimesChoice::show_words() {
    const DomainWords& words = services_.session.domain().words();
    workload_name_->setText(QStringLiteral("&%1").arg(title_of_one(words.workload)));
    workload_->setAccessibleName(title_of_one(words.workload));
    asked_.clear();
    answers_.cancel();
    show_sets({});
    fill_choices();
    follow();
}

void TimesChoice::fill_choices() {
    const QSignalBlocker quiet_workload(workload_);
    const QSignalBlocker quiet_machine(machine_);
    workload_->clear();
    for (const WorkloadRecord& workload : services_.session.contents().workloads)
        workload_->addItem(QString::fromStdString(workload.name));
    machine_->clear();
    for (const MachineRecord& machine : services_.session.contents().machines)
        machine_->addItem(QString::fromStdString(machine.name), QString::fromStdString(machine.fingerprint));
}

/// One workload and one machine are always selected while the page is shown.
void TimesChoice::follow() {
    if (!isVisible())
        return;
    Selected wanted = services_.selection.current();
    const WorkspaceContents& contents = services_.session.contents();
    if (services_.session.workload(wanted.workload) == nullptr)
        wanted.workload =
            contents.workloads.empty() ? QString() : QString::fromStdString(contents.workloads.front().name);
    if (services_.session.machine(wanted.machine) == nullptr)
        wanted.machine = contents.machines.empty()
                             ? QString()
                             : QString::fromStdString(contents.machines.front().fingerprint);
    if (wanted != services_.selection.current()) {
        services_.selection.replace(wanted); // leads back to this function
        return;
    }
    workload_->setCurrentText(wanted.workload);
    machine_->setCurrentIndex(machine_->findData(wanted.machine));
    const QString subject = wanted.workload + u'\n' + wanted.machine;
    if (subject != asked_ || is_stale_) {
        asked_ = subject;
        is_stale_ = false;
        read();
    }
}

void TimesChoice::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void TimesChoice::read() {
    const Selected now = services_.selection.current();
    if (!services_.session.is_open() || now.workload.isEmpty() || now.machine.isEmpty()) {
        answers_.cancel();
        show_sets({});
        return;
    }
    answers_.ask([file = services_.session.path().toStdString(), &domain = services_.session.domain(),
                  workload = now.workload.toStdString(), machine = now.machine.toStdString()](
                     const std::stop_token&) { return read_time_sets(file, domain, workload, machine); },
                 [this](Result<TimeSets> read, bool is_newest) {
                     if (!is_newest)
                         return;
                     Q_EMIT notice(read ? QString() : QString::fromStdString(read.error().text()), !read,
                                   QStringLiteral("read"));
                     show_sets(read ? std::move(*read) : TimeSets());
                 });
}

void TimesChoice::show_sets(TimeSets read) {
    read_ = std::move(read);
    const QString chosen = set_->currentData().toString();
    set_->clear();
    for (const TimeSet& set : read_.sets)
        set_->addItem(set.title, set.key);
    set_->setCurrentIndex(std::max(0, set_->findData(chosen)));
    const bool has_choice = read_.sets.size() > 1;
    set_->setVisible(has_choice);
    set_name_->setVisible(has_choice);
    Q_EMIT set_changed();
}

std::size_t TimesChoice::machines_with_times() const {
    return read_.machines.size();
}

QString TimesChoice::with_offers(const QString& what_to_do) const {
    constexpr std::size_t most = 6;
    if (read_.machines.empty() || !read_.sets.empty())
        return what_to_do;
    QStringList lines{
        what_to_do,
        {},
        tr("Machines with times of %1:").arg(services_.selection.current().workload.toHtmlEscaped())};
    for (const MachineWithTimes& machine :
         std::span(read_.machines).first(std::min(most, read_.machines.size())))
        lines << QStringLiteral("<a href='%1'>%2</a>: %3")
                     .arg(QString::fromUtf8(
                              QUrl::toPercentEncoding(QString::fromStdString(machine.fingerprint))),
                          QString::fromStdString(machine.name).toHtmlEscaped(),
                          machine.times == 1 ? tr("1 time") : tr("%1 times").arg(count_text(machine.times)));
    if (read_.machines.size() > most)
        lines << tr("and %1 more in the list above")
                     .arg(count_text(static_cast<qint64>(read_.machines.size() - most)));
    return lines.join(QStringLiteral("<br>"));
}

void TimesChoice::follow_link(const QString& link) {
    services_.selection.select_machine(QUrl::fromPercentEncoding(link.toUtf8()));
}

const TimeSet& TimesChoice::shown() const {
    static const TimeSet none;
    const auto found = std::ranges::find(read_.sets, set_->currentData().toString(), &TimeSet::key);
    return found == read_.sets.end() ? none : *found;
}

} // namespace sparsight
