// Matrices that are looked at faster than they can be read.
#include "gui/workspace/matrix_loader.h"

#include "gui/workspace/workspace_session.h"
#include "matrix/generators/generator.h"
#include "store/matrices.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"

#include <QCoreApplication>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::wait_until;

class MatrixLoaderTest : public ::testing::Test {
protected:
    MatrixLoaderTest() {
        const auto file = folder_ / "w.sparsight";
        auto workspace = Workspace::create(file, "test");
        for (const char* name : {"a", "b"})
            EXPECT_TRUE(add_matrix(*workspace, {name, "generated", {}},
                                   *generate_matrix("uniform", {{"rows", 3000}, {"cols", 3000}}, *name))
                            .has_value());
        QObject::connect(&loader_, &MatrixLoader::loaded,
                         [this](const QString& name) { loaded_.push_back(name.toStdString()); });
        session_.open(QString::fromStdString(file.string()));
        EXPECT_TRUE(wait_until([&] { return session_.is_open(); }));
    }

    int argc_ = 0;
    QCoreApplication application_{argc_, nullptr};
    testing::TemporaryFolder folder_;
    WorkspaceSession session_;
    MatrixLoader loader_{session_};
    std::vector<std::string> loaded_;
};

TEST_F(MatrixLoaderTest, ComingBackToWhatIsBeingReadReadsItOnceAndNothingElse) {
    for (const char* name : {"a", "b", "a"})
        loader_.request(QLatin1String(name));
    ASSERT_TRUE(wait_until([&] { return loader_.find(QStringLiteral("a")) != nullptr; }));
    EXPECT_FALSE(wait_until([&] { return loaded_.size() > 1; }, 1));
    EXPECT_THAT(loaded_, ::testing::ElementsAre("a"));
    EXPECT_EQ(loader_.find(QStringLiteral("b")), nullptr);
}

TEST_F(MatrixLoaderTest, TheNewestOneIsReadAfterTheOneInFlight) {
    loader_.request(QStringLiteral("a"));
    loader_.request(QStringLiteral("b"));
    ASSERT_TRUE(wait_until([&] { return loader_.find(QStringLiteral("b")) != nullptr; }));
    EXPECT_THAT(loaded_, ::testing::ElementsAre("a", "b"));
    loader_.request(QStringLiteral("a"));
    EXPECT_THAT(loaded_, ::testing::ElementsAre("a", "b", "a")) << "at once: it was kept";
}

} // namespace
} // namespace sparsight
