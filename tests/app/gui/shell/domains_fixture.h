// The window of a program with sparse matrices, tuning records and combination locks, a domain that only the
// tests have.
#pragma once

#include "app/gui/shell/window_fixture.h"
#include "domains/records/records.h"
#include "gui/domains/records/record_views.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workloads.h"
#include "toy/lock_domain.h"
#include "widgets/table/data_table.h"

#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <string>
#include <vector>

namespace sparsight::testing {

class DomainsTest : public WindowTest {
protected:
    DomainsTest() {
        program_.reset();
        ApplicationOptions options;
        options.settings_file = path("settings.ini");
        options.jobs.folder = path("jobs");
        options.jobs.worker_program = QStringLiteral(SPARSIGHT_CLI);
        options.jobs.poll_interval = std::chrono::milliseconds(20);
        DomainRegistry domains = only_sparse();
        EXPECT_TRUE(domains.add(make_records_domain()).has_value());
        EXPECT_TRUE(domains.add(toy::make_lock_domain()).has_value());
        program_ = std::make_unique<Application>(std::move(domains), options);
        add_sparse_views(*program_);
        add_record_views(*program_);
        program_->add_measured("locks");
        program_->start();
        window().show();
    }

    /// Two locks with times of some combinations on the machine "bench", beside the matrix "banded".
    QString make_locks() {
        const QString file = make_workspace();
        auto workspace = Workspace::open(file.toStdString());
        const auto machine = recorded_machine(*workspace, "bench");
        EXPECT_TRUE(machine.has_value());
        const auto domain = toy::make_lock_domain();
        const auto setting = domain->setting_of({});
        for (const char* name : {"front", "back"}) {
            const auto lock = add_workload_name(*workspace, "locks", name, "test");
            EXPECT_TRUE(lock.has_value());
            EXPECT_TRUE(describe_workload(*workspace, *lock, {R"({"digit_1":3,"weight":1.5})", "test", ""})
                            .has_value());
            const MeasurementConditions conditions{*lock, *machine, *setting, "recorded", ""};
            double time = 4;
            for (const char* combination : {"0000", "3000", "3100"}) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(time);
                time /= 2;
                EXPECT_TRUE(record_measurement(*workspace, conditions,
                                               *domain->written(*setting, combination), measurement)
                                .has_value());
            }
        }
        return file;
    }

    [[nodiscard]] const Domain& domain(const char* name) { return *program_->session().domains().find(name); }
    void choose(const char* name) {
        for (QAction* const choice : find<QToolButton>("domain")->menu()->actions())
            if (choice->data().toString() == QLatin1String(name))
                choice->trigger();
        ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == name; }));
    }
    void show(const char* page) {
        window().show_page(QLatin1String(page));
        ASSERT_TRUE(wait_until([&] { return window().current_page() != nullptr && page_is_settled(); }));
    }
    /// For the message of a failure.
    [[nodiscard]] std::string all_that_is_shown() {
        QStringList texts;
        for (const QLabel* const label : window().findChildren<QLabel*>())
            if (label->isVisible() && !label->text().isEmpty())
                texts << label->text();
        return texts.join(QStringLiteral("\n")).toStdString();
    }
    /// On the page that is shown: other domains may have one of its kind.
    template <typename Widget>
    [[nodiscard]] Widget* shown(const char* name) {
        auto* const found = window().current_page()->template findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    [[nodiscard]] std::vector<std::string> column(const DataTable& table, const QString& title) {
        const auto* const model = table.model();
        std::vector<std::string> texts;
        for (int at = 0; at < model->columnCount(); ++at)
            if (model->headerData(at, Qt::Horizontal).toString() == title)
                for (int row = 0; row < model->rowCount(); ++row)
                    texts.push_back(model->index(row, at).data().toString().toStdString());
        return texts;
    }
};

} // namespace sparsight::testing
