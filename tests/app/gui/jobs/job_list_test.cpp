#include "app/gui/jobs/jobs_fixture.h"
#include "gui/jobs/job_list.h"
#include "gui/jobs/job_log.h"
#include "gui/jobs/job_model.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QListView>
#include <QPushButton>

namespace sparsight::testing {

using ::testing::HasSubstr;

class JobListTest : public JobsTest {
protected:
    static std::vector<std::string> titles(const QAbstractItemModel& model) {
        std::vector<std::string> titles;
        for (int row = 0; row < model.rowCount(); ++row)
            titles.push_back(model.index(row, 0).data().toString().toStdString());
        return titles;
    }
    static std::string detail(const QAbstractItemModel& model, int row) {
        return model.index(row, 0).data(JobModel::DetailRole).toString().toStdString();
    }
};

TEST_F(JobListTest, RowsFollowTheJobsInTheirOrder) {
    JobService service(options());
    JobModel model(service);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    Heard heard(service);
    const auto first = *service.start(long_collection());
    CollectJob second_request = small_collection(1);
    second_request.matrices = {QStringLiteral("arrow")};
    const auto second = *service.start(second_request);
    const auto third = *service.start(small_collection(1));
    EXPECT_EQ(titles(model), (std::vector<std::string>{"Measure 2 matrices (SpMM)", "Measure arrow (SpMM)",
                                                       "Measure banded (SpMM)"}));
    EXPECT_THAT(detail(model, 1), HasSubstr("spoil each other"));
    service.move_waiting(third, 0);
    EXPECT_EQ(titles(model), (std::vector<std::string>{"Measure 2 matrices (SpMM)", "Measure banded (SpMM)",
                                                       "Measure arrow (SpMM)"}));
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 1; }));
    EXPECT_THAT(detail(model, 0), HasSubstr(" of 40"));
    service.stop(first);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(titles(model).size(), 3);
    EXPECT_EQ(model.index_of(first).row(), 2) << "the newest first";
    service.remove(first);
    EXPECT_EQ(titles(model).size(), 2);
    EXPECT_FALSE(model.index_of(first).isValid());
}

TEST_F(JobListTest, ButtonsActOnTheChosenJobAndSayWhyTheyCannot) {
    JobService service(options());
    JobList list(service);
    list.show();
    Heard heard(service);
    EXPECT_FALSE(list.button(JobAction::Stop).isEnabled());
    EXPECT_EQ(list.button(JobAction::Stop).toolTip(), QStringLiteral("No job is chosen"));
    const auto first = *service.start(long_collection());
    const auto second = *service.start(small_collection(1));
    const auto third = *service.start(small_collection(2));
    EXPECT_EQ(list.chosen()->id, first);
    EXPECT_FALSE(list.button(JobAction::Kill).isEnabled());
    EXPECT_THAT(list.button(JobAction::Kill).toolTip().toStdString(), HasSubstr("Stop it first"));

    list.choose(third);
    EXPECT_TRUE(list.earlier_button().isEnabled());
    EXPECT_FALSE(list.later_button().isEnabled());
    QTest::mouseClick(&list.earlier_button(), Qt::LeftButton);
    EXPECT_EQ(service.jobs()[1].id, third);
    EXPECT_EQ(list.chosen()->id, third) << "the choice goes with its job";
    QTest::mouseClick(&list.button(JobAction::Remove), Qt::LeftButton);
    EXPECT_FALSE(service.job(third));

    list.choose(first);
    ASSERT_TRUE(wait_until([&] { return heard.count(first, "step") >= 1; }));
    QTest::mouseClick(&list.button(JobAction::Stop), Qt::LeftButton);
    ASSERT_TRUE(wait_until([&] { return heard.finished[second] == 1; }));
    EXPECT_EQ(list.chosen()->id, first);
    EXPECT_TRUE(list.button(JobAction::Restart).isEnabled());

    JobLog* log = nullptr;
    QObject::connect(&list, &JobList::log_opened, &heard.context, [&](JobLog* opened) { log = opened; });
    QTest::mouseClick(&list.log_button(), Qt::LeftButton);
    ASSERT_NE(log, nullptr);
    EXPECT_THAT(log->events().toStdString(), HasSubstr("\"step\""));
    EXPECT_EQ(log->messages(), QString());
}

TEST_F(JobListTest, AnErrorIsToldInFull) {
    JobService service(options_with_worker("echo '{\"event\":\"error\",\"file\":\"w\",\"line\":null,"
                                           "\"error\":\"the disk is full\"}'"));
    JobList list(service);
    Heard heard(service);
    const auto id = *service.start(small_collection(1));
    ASSERT_TRUE(wait_until([&] { return heard.finished[id] == 1; }));
    bool is_told = false;
    for (const QLabel* label : list.findChildren<QLabel*>())
        is_told = is_told || label->text() == QStringLiteral("w: the disk is full");
    EXPECT_TRUE(is_told);
}

} // namespace sparsight::testing
