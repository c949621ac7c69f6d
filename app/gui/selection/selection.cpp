#include "gui/selection/selection.h"

#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t longest_history = 200;

struct SelectedPart {
    const char* name;
    QString Selected::* member;
};
/// A link is written with the first name of each part.
constexpr std::array parts{SelectedPart{"page", &Selected::page},
                           SelectedPart{"workload", &Selected::workload},
                           SelectedPart{"machine", &Selected::machine},
                           SelectedPart{"family", &Selected::family},
                           SelectedPart{"configuration", &Selected::configuration},
                           SelectedPart{"model", &Selected::model}};
/// Names of earlier versions.
constexpr std::array earlier_parts{SelectedPart{"matrix", &Selected::workload},
                                   SelectedPart{"operator", &Selected::family},
                                   SelectedPart{"schedule", &Selected::configuration}};

/// False where no part has this name.
bool take_part(Selected& selected, std::span<const SelectedPart> known, const QString& name,
               const QString& value) {
    const auto part = std::ranges::find_if(
        known, [&](const SelectedPart& each) { return name == QLatin1String(each.name); });
    if (part == known.end())
        return false;
    selected.*part->member = value;
    return true;
}

/// False where the link has something else, too.
bool read_link(const QString& link, Selected& selected) {
    bool is_known = true;
    for (const QString& item : link.trimmed().split(QLatin1Char('&'), Qt::SkipEmptyParts)) {
        const auto equals = item.indexOf(QLatin1Char('='));
        const QString name = item.left(std::max<qsizetype>(equals, 0));
        const QString value = QUrl::fromPercentEncoding(item.mid(equals + 1).toLatin1());
        is_known &=
            take_part(selected, parts, name, value) || take_part(selected, earlier_parts, name, value);
    }
    return is_known;
}

} // namespace

QString to_link(const Selected& selected) {
    QStringList items;
    for (const SelectedPart& part : parts)
        if (const QString& value = selected.*part.member; !value.isEmpty())
            items << QLatin1String(part.name) + QLatin1Char('=') +
                         QString::fromLatin1(QUrl::toPercentEncoding(value));
    return items.join(QLatin1Char('&'));
}

Selected from_link(const QString& link) {
    Selected selected;
    read_link(link, selected);
    return selected;
}

std::optional<Selected> parse_selection(const QString& text) {
    Selected selected;
    if (!text.contains(QLatin1Char('=')))
        selected.workload = text.trimmed();
    else if (!read_link(text, selected))
        return std::nullopt;
    return selected == Selected{} ? std::nullopt : std::optional(std::move(selected));
}

QString link_parts() {
    QStringList names;
    for (const SelectedPart& part : parts)
        names << QLatin1String(part.name);
    return names.join(QStringLiteral(", "));
}

void Selection::select_page(const QString& page) {
    Selected next = current();
    next.page = page;
    select(std::move(next));
}

void Selection::select_workload(const QString& workload) {
    Selected next = current();
    next.workload = workload;
    select(std::move(next));
}

void Selection::select_machine(const QString& machine) {
    Selected next = current();
    next.machine = machine;
    select(std::move(next));
}

void Selection::select_configuration(const QString& family, const QString& configuration) {
    Selected next = current();
    next.family = family;
    next.configuration = configuration;
    select(std::move(next));
}

void Selection::select_model(const QString& model) {
    Selected next = current();
    next.model = model;
    select(std::move(next));
}

void Selection::select(Selected selected) {
    if (selected == current())
        return;
    const Selected before = current();
    history_.resize(at_ + 1);
    if (history_.size() == longest_history)
        history_.erase(history_.begin());
    history_.push_back(std::move(selected));
    at_ = history_.size() - 1;
    tell(before);
}

void Selection::follow_link(const Selected& target) {
    Q_EMIT link_followed(target);
    Selected next = current();
    if (!target.workload.isEmpty() || !target.family.isEmpty())
        next.family = next.configuration = QString();
    for (const SelectedPart& part : parts)
        if (const QString& value = target.*part.member; !value.isEmpty())
            next.*part.member = value;
    select(std::move(next));
}

void Selection::replace(Selected selected) {
    if (selected == current())
        return;
    const Selected before = std::exchange(history_[at_], std::move(selected));
    tell(before);
}

void Selection::reset(Selected selected) {
    const Selected before = current();
    history_ = {std::move(selected)};
    at_ = 0;
    tell(before);
}

void Selection::go_back() {
    if (can_go_back())
        go_to(at_ - 1);
}

void Selection::go_forward() {
    if (can_go_forward())
        go_to(at_ + 1);
}

void Selection::go_to(std::size_t at) {
    const Selected before = current();
    at_ = at;
    tell(before);
}

void Selection::tell(const Selected& before) {
    Q_EMIT changed(current(), before);
}

} // namespace sparsight
