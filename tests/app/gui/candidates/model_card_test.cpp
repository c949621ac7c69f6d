#include "../train/train_fixture.h"

#include "gui/search/search_everything.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ModelCardTest : public TrainTest {
protected:
    void open_with_models() {
        make_measured_workspace();
        {
            auto workspace = Workspace::open(path("w.sparsight").toStdString());
            const auto parent = add_model(*workspace, {"meta-of-all", std::nullopt, std::nullopt, "{}"}, {});
            ASSERT_TRUE(parent.has_value());
            ASSERT_TRUE(
                add_model(
                    *workspace,
                    {"tuned", std::nullopt, *parent,
                     R"({"architecture":"statistics","operator":"sddmm","training":{"method":"fine-tuned",
                               "machines":["laptop","server"],"matrices":["m0","m1","m2"],
                               "metrics":{"ordered_pair_accuracy":0.8756,"kendall_tau":0.708,"regret_at_20":0.0754}}})"},
                    {})
                    .has_value());
        }
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("train"));
        ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    }
    [[nodiscard]] std::string facts() {
        return window().findChild<QLabel*>(QStringLiteral("model-facts"))->text().toStdString();
    }
};

TEST_F(ModelCardTest, SaysWhatTheSelectedModelIs) {
    open_with_models();
    EXPECT_THAT(facts(), HasSubstr("None is selected"));
    program_->selection().select_model(QStringLiteral("tuned"));
    for (const char* fact : {"StatisticsNet", "SDDMM", "fine-tuned", "meta-of-all", "laptop; server",
                             "3\u00A0matrices", "87.6\u00A0%", "0.71", "7.54\u00A0%"})
        EXPECT_THAT(facts(), HasSubstr(fact));
    const auto* label = window().findChild<QLabel*>(QStringLiteral("model-facts"));
    EXPECT_THAT(label->toolTip().toStdString(), HasSubstr("m0, m1, m2"));
    program_->selection().select_model(QStringLiteral("gone"));
    EXPECT_THAT(facts(), HasSubstr("None is selected")) << "of one that is not there nothing is known";
}

TEST_F(ModelCardTest, WithoutAModelItLeadsToTraining) {
    make_measured_workspace();
    open(path("w.sparsight"));
    ASSERT_TRUE(wait_until([&] { return facts().find("href='train'") != std::string::npos; }));
    Q_EMIT window().findChild<QLabel*>(QStringLiteral("model-facts"))->linkActivated(QStringLiteral("train"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("train"));
}

TEST_F(ModelCardTest, SearchEverythingFindsAModelAndLetsItSearch) {
    open_with_models();
    window().findChild<QAction*>(QStringLiteral("search-everything"))->trigger();
    auto* everything = window().findChild<SearchEverything*>();
    ASSERT_NE(everything, nullptr);
    auto* field = everything->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("meta-of"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("meta-of-all"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("search"));
}

} // namespace
} // namespace sparsight::testing
