#include "gui/domains/sparse/selection_cards.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/matrices/thumbnails.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"

#include <QHBoxLayout>
#include <QLabel>

namespace sparsight {

MatrixCard::MatrixCard(Services services, Thumbnails& thumbnails, QWidget* parent)
    : SelectionCard(services, tr("Matrix"), parent)
    , thumbnails_(thumbnails)
    , picture_(new QLabel(this))
    , facts_(add_facts_label()) {
    auto* content = new QWidget(this);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(picture_, 0, Qt::AlignTop);
    row->addWidget(facts_, 1);
    set_content(content);
    connect(&thumbnails_, &Thumbnails::ready, this, [this](const QString& name) {
        if (name == this->services().selection.current().workload)
            show_selected();
    });
    begin();
}

void MatrixCard::show_selected() {
    const QString name = services().selection.current().workload;
    const auto record = find_matrix(services().session, name);
    set_subtitle(name);
    picture_->setVisible(record && record->pattern != PayloadPlace::Unknown);
    if (!record) {
        facts_->setText(dimmed(tr("None is selected. <a href='matrices'>Choose one</a>")));
        return;
    }
    picture_->setPixmap(thumbnails_.find(*record));
    if (record->pattern == PayloadPlace::Unknown) {
        facts_->setText(
            dimmed(tr("Only its name and runtimes of it are known. <a href='matrices'>Import the file</a> to "
                      "see its entries.")));
        return;
    }
    FactTable facts;
    facts.add(tr("rows"), count_text(record->rows));
    facts.add(tr("columns"), count_text(record->cols));
    facts.add(tr("entries"), count_text(record->nnz));
    if (record->rows > 0)
        facts.add(tr("entries per row"),
                  significant(static_cast<double>(record->nnz) / static_cast<double>(record->rows)));
    facts_->setText(facts.html());
    facts_->setToolTip(QString::fromStdString(record->source));
}

namespace {

constexpr int most_times = 3; ///< times of one schedule with other dense extents

} // namespace

ScheduleCard::ScheduleCard(Services services, QWidget* parent)
    : SelectionCard(services, tr("Schedule"), parent)
    , results_(services.session)
    , facts_(add_facts_label()) {
    set_content(facts_);
    connect(&results_, &ResultsReader::results_changed, this, &ScheduleCard::show_results);
    begin();
}

void ScheduleCard::show_selected() {
    if (services().session.domain().name() != sparse_domain)
        return;
    const Selected now = services().selection.current();
    ResultFilter filter;
    filter.matrix = now.workload.toStdString();
    filter.op = parse_operator(now.family.toStdString());
    filter.machine = (now.machine.isEmpty() ? services().session.this_machine() : now.machine).toStdString();
    const bool is_known = services().session.machine(QString::fromStdString(filter.machine)) != nullptr;
    if (!now.configuration.isEmpty() && filter.op && is_known && filter != results_.filter())
        results_.set_filter(filter);
    else
        show_results();
}

void ScheduleCard::show_results() {
    const Selected& now = services().selection.current();
    set_subtitle(now.configuration.isEmpty() ? QString() : now.family);
    if (now.configuration.isEmpty()) {
        facts_->setText(dimmed(tr("None is selected. <a href='schedules'>Measure some</a>")));
        return;
    }
    const auto op = parse_operator(now.family.toStdString());
    const auto schedule = op ? parse_schedule(*op, now.configuration.toStdString()) : fail(Fault::Input, {});
    QString html;
    QStringList tips;
    if (schedule) {
        html = QStringLiteral("<p><b>%1</b></p>")
                   .arg(with_whole_numbers(schedule_nickname(*schedule)).toHtmlEscaped());
        tips << code_tip(*schedule);
    }
    html += QStringLiteral("<p style='font-family:monospace;font-size:small'>%1</p>")
                .arg(dimmed(now.configuration.toHtmlEscaped()));
    FactTable facts;
    int shown = 0;
    for (const RankedResult& result : results_.results()) {
        if (result.row.schedule != now.configuration.toStdString() || shown == most_times)
            continue;
        ++shown;
        if (result.rank == 0) { // it was measured, but has no time
            const std::string_view status = name(result.row.status);
            facts.add(tr("dense %1").arg(result.row.dense),
                      QString::fromUtf8(status.data(), std::ssize(status)));
            html += dimmed(QString::fromStdString(result.row.reason).toHtmlEscaped());
            continue;
        }
        facts.add(tr("dense %1").arg(result.row.dense), time_with_spread(result));
        if (result.row.speedup_over_fixed_csr)
            facts.add(result.is_simulated() ? tr("simulated speedup") : tr("raw speedup"),
                      speedup_text(result));
        if (result.row.bytes > 0)
            facts.add(tr("storage"), bytes_text(static_cast<double>(result.row.bytes)));
    }
    if (shown > 0)
        tips << tr("Raw times, as they were collected. An evaluation times schedules again, "
                   "in turns with others, and its speedup leads.");
    facts_->setToolTip(tips.join(QStringLiteral("\n\n")));
    if (shown == 0 || results_.filter().matrix != now.workload.toStdString()) {
        facts_->setText(html + dimmed(tr("Not measured on this matrix.")));
        return;
    }
    facts_->setText(html + facts.html());
}

} // namespace sparsight
