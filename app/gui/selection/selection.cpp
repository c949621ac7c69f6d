#include "gui/selection/selection.h"

#include <QStringList>
#include <QUrl>
#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t longest_history = 200;

struct SelectedPart {
    const char* name;
    QString Selected::* member;
};
constexpr std::array parts{
    SelectedPart{"page", &Selected::page},         SelectedPart{"matrix", &Selected::matrix},
    SelectedPart{"machine", &Selected::machine},   SelectedPart{"operator", &Selected::op},
    SelectedPart{"schedule", &Selected::schedule}, SelectedPart{"model", &Selected::model}};

} // namespace

QString op_name(Operator op) {
    const std::string_view text = name(op);
    return QString::fromUtf8(text.data(), std::ssize(text));
}

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
    for (const QString& item : link.trimmed().split(QLatin1Char('&'))) {
        const auto equals = item.indexOf(QLatin1Char('='));
        for (const SelectedPart& part : parts)
            if (equals > 0 && item.left(equals) == QLatin1String(part.name))
                selected.*part.member = QUrl::fromPercentEncoding(item.mid(equals + 1).toLatin1());
    }
    return selected;
}

void Selection::select_page(const QString& page) {
    Selected next = current();
    next.page = page;
    select(std::move(next));
}

void Selection::select_matrix(const QString& matrix) {
    Selected next = current();
    next.matrix = matrix;
    select(std::move(next));
}

void Selection::select_machine(const QString& machine) {
    Selected next = current();
    next.machine = machine;
    select(std::move(next));
}

void Selection::select_schedule(const QString& op, const QString& schedule) {
    Selected next = current();
    next.op = op;
    next.schedule = schedule;
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
