#include "gui/candidates/search_manner.h"

#include "gui/candidates/search_words.h"
#include "widgets/look/field_row.h"

#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QSpinBox>
#include <QStandardItemModel>

namespace sparsight {

namespace {

QSpinBox* make_number(const char* name, int least, int most, int value, QWidget* panel) {
    auto* field = new QSpinBox(panel);
    field->setObjectName(QLatin1String(name));
    field->setRange(least, most);
    field->setValue(value);
    return field;
}

} // namespace

SearchManner::SearchManner(QWidget* panel)
    : QObject(panel)
    , method_(new QComboBox(panel))
    , k_(make_number("searched-k", 1, 200, 20, panel))
    , width_(make_number("searched-ef", 1, 1000, 200, panel))
    , budget_(make_number("searched-budget", 100, 1'000'000, 5000, panel)) {
    method_->setObjectName(QStringLiteral("search-method"));
    method_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    budget_->setSingleStep(1000);
    build_methods();
    connect(method_, &QComboBox::currentIndexChanged, this, [this] {
        show_method();
        Q_EMIT changed();
    });
    for (QSpinBox* field : {k_, width_, budget_})
        connect(field, &QSpinBox::valueChanged, this, &SearchManner::changed);
}

void SearchManner::build_methods() {
    for (const char* name : {"index", "exhaustive", "evolution", "annealing", "recorded"}) {
        const QString method = QLatin1String(name);
        method_->addItem(search_method_text(method), method);
        method_->setItemData(method_->count() - 1, search_method_meaning(method), Qt::ToolTipRole);
    }
}

void SearchManner::add_to(FieldRow& row) {
    row.add(tr("Me&thod"), method_, {});
    row.add(tr("&k"), k_, tr("How many schedules are wanted: the k of the best scores"));
    width_cell_ =
        row.add(
               tr("e&f"), width_,
               tr("How many schedules the walk keeps in view. It ends when none of them has a neighbour left "
                  "that was not looked at: a larger ef finds more of the best, and takes longer"))
            ->parentWidget();
    budget_cell_ = row.add(tr("&Budget"), budget_,
                           tr("How many schedules may be scored beyond the pool: more find better ones, and "
                              "take longer"))
                       ->parentWidget();
    show_method();
}

QList<QWidget*> SearchManner::fields() const {
    return {method_, k_, width_, budget_};
}

void SearchManner::allow_recorded(bool allowed) {
    auto* items = qobject_cast<QStandardItemModel*>(method_->model());
    QStandardItem* recorded = items->item(method_->findData(QStringLiteral("recorded")));
    recorded->setEnabled(allowed);
    recorded->setToolTip(allowed
                             ? search_method_meaning(QStringLiteral("recorded"))
                             : tr("Select a machine whose runtimes were recorded, on the Machines page."));
    if (!allowed && method() == QLatin1String("recorded"))
        method_->setCurrentIndex(0);
    show_method();
}

void SearchManner::show_method() {
    method_->setToolTip(search_method_meaning(method()));
    width_cell_->setVisible(method() == QLatin1String("index"));
    budget_cell_->setVisible(method() == QLatin1String("evolution") ||
                             method() == QLatin1String("annealing"));
}

QString SearchManner::method() const {
    return method_->currentData().toString();
}

void SearchManner::apply_to(SearchJob& job) const {
    job.k = k_->value();
    job.method = method();
    if (method() == QLatin1String("index"))
        job.width = width_->value();
    if (!budget_cell_->isHidden())
        job.budget = budget_->value();
}

void SearchManner::save(QDataStream& out) const {
    out << method() << k_->value() << width_->value() << budget_->value();
}

void SearchManner::restore(QDataStream& in) {
    QString method;
    int k = 0;
    int width = 0;
    int budget = 0;
    in >> method >> k >> width >> budget;
    if (in.status() != QDataStream::Ok)
        return;
    if (const int at = method_->findData(method); at >= 0)
        method_->setCurrentIndex(at);
    k_->setValue(k);
    width_->setValue(width);
    budget_->setValue(budget);
}

} // namespace sparsight
