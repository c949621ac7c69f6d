// What a user does on the pages that learn, with real workers.
#pragma once

#include "gui/results/results_page.h"
#include "gui/train/fine_tune_form.h"
#include "gui/train/fine_tune_page.h"
#include "gui/train/training_form.h"
#include "train_fixture.h"

#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QListWidget>

namespace sparsight::testing {

class LearningPagesTest : public TrainTest {
protected:
    static constexpr int patience_s = 120;

    /// The window of a program with these domains.
    void start_with(DomainRegistry domains, const std::function<void(Application&)>& add_views) {
        program_.reset();
        ApplicationOptions options;
        options.settings_file = path("settings.ini");
        options.jobs.folder = path("jobs");
        options.jobs.worker_program = QStringLiteral(SPARSIGHT_CLI);
        options.jobs.poll_interval = std::chrono::milliseconds(20);
        program_ = std::make_unique<Application>(std::move(domains), options);
        add_views(*program_);
        program_->start();
        window().show();
    }

    void show(const char* page) {
        window().show_page(QLatin1String(page));
        ASSERT_TRUE(wait_until(
            [&] { return window().current_page()->id() == QLatin1String(page) && page_is_settled(); }));
    }
    void wait_for_jobs() {
        ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }, patience_s));
        for (const Job& job : program_->jobs().jobs())
            ASSERT_EQ(job.state, JobState::Finished)
                << job.title.toStdString() << ": " << job.error.toStdString();
    }
    /// By the Train page, which it leaves shown. Without machines: with all.
    void train(const QString& name, const QStringList& machines) {
        show("train");
        if (!machines.isEmpty())
            untick_all_but(*find<QListWidget>("machines"), machines);
        find<QDoubleSpinBox>("epochs")->setValue(3);
        type("model-name", name);
        ASSERT_EQ(qobject_cast<TrainPage*>(window().current_page())->form().refusal().toStdString(), "");
        click(find<QPushButton>("start-training"));
        wait_for_model(name);
    }
    void type(const char* field, const QString& text) {
        find<QLineEdit>(field)->clear();
        QTest::keyClicks(find<QLineEdit>(field), text);
    }
    void wait_for_model(const QString& name) {
        wait_for_jobs();
        ASSERT_TRUE(wait_until([&] { return program_->runs().model(name) != nullptr; }));
    }
    /// By the Fine-tune page, which is shown.
    void fine_tune(const QString& name) {
        type("tuned-name", name);
        ASSERT_EQ(qobject_cast<FineTunePage*>(window().current_page())->form().refusal().toStdString(), "");
        click(find<QPushButton>("start-fine-tuning"));
        wait_for_model(name);
    }
    /// By the Results page.
    void evaluate(const QString& times, const QString& workloads) {
        show("results");
        auto* const models = find<QListWidget>("evaluated-models");
        for (int row = 0; row < models->count(); ++row)
            models->item(row)->setCheckState(Qt::Checked);
        for (const auto& [field, text] :
             {std::pair{"evaluated-machine", times}, {"evaluated-workloads", workloads}})
            find<QComboBox>(field)->setCurrentIndex(find<QComboBox>(field)->findText(text));
        click(find<QPushButton>("evaluate"));
        wait_for_jobs();
        auto& results = *qobject_cast<ResultsPage*>(window().current_page());
        ASSERT_TRUE(wait_until([&] { return results.table().model()->rowCount() > 0; }));
    }
    void untick_all_but(QListWidget& list, const QStringList& kept) {
        for (int row = 0; row < list.count(); ++row)
            if (!kept.contains(list.item(row)->text()))
                list.item(row)->setCheckState(Qt::Unchecked);
    }
};

} // namespace sparsight::testing
