#include "domains/blocks/block_domain.h"
#include "domains/blocks/explanation/block_loop_analyst.h"
#include "domains/records/records.h"
#include "domains/sparse/sparse_domain.h"
#include "gui/domains/blocks/block_views.h"
#include "gui/domains/records/record_views.h"
#include "gui/domains/sparse/sparse_views.h"
#include "gui/page/report_printing.h"
#include "gui/program/program.h"
#include "gui/selection/selection.h"
#include "gui/shell/application.h"
#include "gui/shell/screenshot.h"
#include "gui/shell/window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <QTextStream>
#include <QTimer>
#include <optional>

namespace {

using namespace sparsight;

constexpr std::chrono::seconds longest_screenshot{60};

struct Options {
    QStringList files;
    bool demo = false;
    QString screenshot_page;
    QString screenshot_file;
    QString report; ///< that is printed to the file named first
    QString theme;
    std::optional<Selected> select;
    QString domain;
    QSize size;
};

void complain(const QString& text) {
    QTextStream(stderr) << application_name().toLower() << QStringLiteral(": ") << text << Qt::endl;
}

QSize parse_size(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

Options parse(const QApplication& application) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("main", text); };
    QCommandLineParser parser;
    parser.setApplicationDescription(application_summary());
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("files"), tr("a workspace (.sparsight), or files to import"),
                                 QStringLiteral("[FILE…]"));
    const QCommandLineOption demo(QStringLiteral("demo"), tr("open the demo workspace"));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        tr("save a picture of PAGE, or of its tab PAGE:TAB, to the file named first and end. Tabs:\n%1")
            .arg(QLatin1String(known_tabs)),
        QStringLiteral("PAGE"));
    const QCommandLineOption theme(QStringLiteral("theme"), tr("light or dark, for this run"),
                                   QStringLiteral("THEME"));
    const QCommandLineOption select(QStringLiteral("select"),
                                    tr("what to select: the name of a workload, or a link such as "
                                       "machine=NAME; “Copy Link” gives one"),
                                    QStringLiteral("NAME|LINK"));
    const QCommandLineOption domain(QStringLiteral("domain"),
                                    tr("the domain to show: sparse, records or blocks"),
                                    QStringLiteral("DOMAIN"));
    const QCommandLineOption size(QStringLiteral("size"), tr("the size of the window: 1280x800"),
                                  QStringLiteral("SIZE"));
    const QCommandLineOption report(
        QStringLiteral("print-report"),
        tr("print REPORT, an HTML page of sparsight-cli report, to the PDF file named after it and end"),
        QStringLiteral("REPORT"));
    parser.addOptions({demo, screenshot, theme, select, domain, size, report});
    parser.process(application);
    Options options;
    options.files = parser.positionalArguments();
    options.demo = parser.isSet(demo);
    options.theme = parser.value(theme);
    options.select = parse_selection(parser.value(select));
    options.domain = parser.value(domain);
    options.size = parse_size(parser.value(size));
    options.report = parser.value(report);
    if (parser.isSet(theme) && options.theme != QStringLiteral("light") &&
        options.theme != QStringLiteral("dark")) {
        complain(tr("--theme %1: expected light or dark").arg(options.theme));
        std::exit(2);
    }
    if (parser.isSet(select) && !options.select) {
        complain(tr("--select %1: expected the name of a workload, or a link such as page=train&model=NAME. "
                    "Parts of a link: %2")
                     .arg(parser.value(select), link_parts()));
        std::exit(2);
    }
    if (parser.isSet(size) && options.size.isEmpty()) {
        complain(tr("--size %1: expected a width and a height, such as 1280x800").arg(parser.value(size)));
        std::exit(2);
    }
    if (parser.isSet(report) && options.files.size() != 1) {
        complain(tr("--print-report REPORT FILE: expected one PDF file"));
        std::exit(2);
    }
    if (parser.isSet(screenshot)) {
        options.screenshot_page = parser.value(screenshot);
        if (options.files.isEmpty()) {
            complain(tr("--screenshot PAGE FILE: the file is missing"));
            std::exit(2);
        }
        options.screenshot_file = options.files.takeFirst();
        if (options.screenshot_file.endsWith(QLatin1String(".sparsight"))) {
            complain(tr("--screenshot PAGE FILE: the picture's file comes before the workspace"));
            std::exit(2);
        }
        for (const QString& file : std::as_const(options.files))
            if (!QFileInfo::exists(file)) {
                complain(tr("%1: there is no such file").arg(file));
                std::exit(1);
            }
        const QString page = options.screenshot_page;
        if (options.files.isEmpty() && !options.demo &&
            page.compare(QStringLiteral("welcome"), Qt::CaseInsensitive) != 0 &&
            page.compare(QStringLiteral("help"), Qt::CaseInsensitive) != 0) {
            complain(tr("--screenshot %1 FILE needs a workspace, named after the file, or --demo").arg(page));
            std::exit(2);
        }
    }
    return options;
}

/// Whether a workspace is looked at for the domain; empty: any.
bool is_open_for(const WorkspaceSession& session, const QString& domain) {
    return session.is_open() && (domain.isEmpty() || session.domain().name() == domain.toStdString());
}

/// Whether it opens in time, can be read, and needs no answer of the user.
bool wait_for_workspace(const WorkspaceSession& session, const QString& domain) {
    QElapsedTimer clock;
    clock.start();
    bool is_refused = false;
    const auto watch = QObject::connect(&session, &WorkspaceSession::failed, &session,
                                        [&](const QString&, const QString& reason) {
                                            complain(reason);
                                            is_refused = true;
                                        });
    const auto unwatch = qScopeGuard([&] { QObject::disconnect(watch); });
    while (!is_refused && !is_open_for(session, domain) &&
           clock.elapsed() < std::chrono::milliseconds(longest_screenshot).count()) {
        if (const QWidget* const question = QApplication::activeModalWidget()) {
            complain(QCoreApplication::translate("main", "The window asks and waits for an answer: %1")
                         .arg(question->windowTitle()));
            break;
        }
        QEventLoop turn; // processEvents() does not wait
        QTimer::singleShot(std::chrono::milliseconds(20), &turn, &QEventLoop::quit);
        turn.exec();
    }
    return is_open_for(session, domain);
}

void select_when_open(Application& application, const QString& domain, const Selected& target) {
    constexpr auto once = Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection);
    MainWindow& window = application.window();
    const WorkspaceSession& session = application.session();
    const auto select = [&window, target] { window.open_link(target); };
    QObject::connect(
        &session, &WorkspaceSession::opened, &window,
        [&session, &window, domain, select] {
            if (is_open_for(session, domain))
                select();
            else
                QObject::connect(&session, &WorkspaceSession::domain_changed, &window, select, once);
        },
        once);
}

int save_screenshot(MainWindow& window, const Options& options) {
    const auto taken =
        take_screenshot(window, options.screenshot_page, options.screenshot_file, longest_screenshot);
    if (taken)
        return 0;
    complain(taken.error());
    return 1;
}

int print(const QString& report, const QString& file) {
    QFile page(report);
    if (!page.open(QIODevice::ReadOnly)) {
        complain(report + QStringLiteral(": ") + page.errorString());
        return 1;
    }
    const auto printed = print_report(QString::fromUtf8(page.readAll()), file);
    if (!printed)
        complain(file + QStringLiteral(": ") + printed.error());
    return printed ? 0 : 1;
}

} // namespace

int main(int count, char** words) {
    // A picture can be taken, and a report printed, where there is no screen.
    for (int at = 1; at < count; ++at)
        if (QByteArrayView(words[at]).startsWith("--screenshot") ||
            QByteArrayView(words[at]).startsWith("--print-report") ||
            QByteArrayView(words[at]) == "--version" || QByteArrayView(words[at]) == "--help")
            if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
                qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setApplicationName(application_name());
    QApplication::setApplicationVersion(application_version());
    QApplication::setDesktopFileName(QLatin1String(application_id));
    QApplication qt(count, words);
    install_translations(qt);
    const Options options = parse(qt);
    if (!options.report.isEmpty())
        return print(options.report, options.files.front());

    DomainRegistry domains; // the only place of the window that names them
    for (auto make : {&make_sparse_domain, &make_records_domain, &make_blocks_domain})
        (void)domains.add(make()); // each has a name of its own
    Application application(std::move(domains));
    add_sparse_views(application, &make_block_loop_analyst);
    add_record_views(application);
    add_block_views(application);
    application.start();
    if (!options.theme.isEmpty())
        application.window().use_theme_for_this_run(
            options.theme == QStringLiteral("dark") ? ThemeChoice::Dark : ThemeChoice::Light);
    MainWindow& window = application.window();
    if (options.size.isValid())
        window.resize(options.size);
    if (!options.domain.isEmpty()) {
        const auto domain = application.session().domains().require(options.domain.toStdString());
        if (!domain) {
            complain(QString::fromStdString(domain.error().message));
            return 2;
        }
        QObject::connect(
            &application.session(), &WorkspaceSession::opened, &window,
            [&application, domain = *domain] { application.session().choose_domain(*domain); },
            Qt::SingleShotConnection);
    }
    if (options.select && options.screenshot_page.isEmpty())
        select_when_open(application, options.domain, *options.select);
    if (options.demo)
        window.open_demo();
    if (!options.files.isEmpty())
        window.open_files(options.files, options.domain.toStdString());
    else if (!options.demo && options.screenshot_page.isEmpty())
        window.restore_session();
    window.show();
    if (options.screenshot_page.isEmpty())
        return QApplication::exec();
    const bool opens = options.demo || !options.files.isEmpty();
    if (opens && !wait_for_workspace(application.session(), options.domain)) {
        complain(QCoreApplication::translate("main", "The workspace could not be opened."));
        return 1;
    }
    if (opens && options.select) {
        QApplication::processEvents(); // what the pages select in a workspace that has just been opened
        if (const QString problem = window.open_link(*options.select); !problem.isEmpty()) {
            complain(QStringLiteral("--select: ") + problem);
            return 2;
        }
    }
    return save_screenshot(window, options);
}
