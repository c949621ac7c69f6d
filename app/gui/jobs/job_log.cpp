#include "gui/jobs/job_log.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <chrono>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds refresh_interval{500};
/// Of a line: one with the map of a search would take the view a second to lay out.
constexpr qsizetype longest_shown = 4000;

QPlainTextEdit* make_text(const QString& name, const QString& empty, QPlainTextEdit::LineWrapMode wrap) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setLineWrapMode(wrap);
    keep_font(*text, monospace_font);
    text->setPlaceholderText(empty);
    text->setAccessibleName(name);
    return text;
}

/// Whoever reads further up stays there.
void show_text(QPlainTextEdit& view, const QString& text) {
    if (view.toPlainText() == text)
        return;
    QScrollBar& bar = *view.verticalScrollBar();
    const bool is_at_end = bar.value() == bar.maximum();
    const int value = bar.value();
    view.setPlainText(text);
    bar.setValue(is_at_end ? bar.maximum() : value);
}

} // namespace

JobLog::JobLog(const JobService& service, const JobId& id, QWidget* parent)
    : QDialog(parent)
    , service_(service)
    , id_(id)
    , messages_(make_text(tr("Messages of the worker"), tr("The worker had nothing to complain about."),
                          QPlainTextEdit::WidgetWidth))
    , events_(make_text(tr("Events of the worker"), tr("The worker has not told anything yet."),
                        QPlainTextEdit::NoWrap)) {
    const auto job = service.job(id);
    setWindowTitle(tr("Log of “%1”").arg(job ? job->title : QString()));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* tabs = new QTabWidget;
    tabs->addTab(messages_, tr("&Messages"));
    tabs->addTab(events_, tr("&Events"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs);
    layout->addWidget(buttons);
    const int width = fontMetrics().averageCharWidth();
    resize(90 * width, 50 * width);

    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &JobLog::refresh);
    connect(&service, &JobService::job_changed, this, [this](const JobId& changed) {
        if (changed == id_ && !pause_.isActive())
            pause_.start(refresh_interval);
    });
    refresh();
}

QString JobLog::messages() const {
    return messages_->toPlainText();
}

QString JobLog::events() const {
    return events_->toPlainText();
}

void JobLog::refresh() {
    show_text(*messages_, worker_messages(service_.log_text(id_)));
    QStringList lines = service_.event_lines(id_);
    for (QString& line : lines)
        if (line.size() > longest_shown) {
            line.truncate(longest_shown);
            line += u'…';
        }
    show_text(*events_, lines.join(u'\n'));
}

} // namespace sparsight
