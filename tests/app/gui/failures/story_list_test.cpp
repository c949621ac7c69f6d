#include "gui/failures/story_list.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

ToldStory told(const char* key) {
    return {
        QLatin1String(key), QLatin1String(key), QStringLiteral("loses +40 %"), QStringLiteral("2 cases"), {}};
}

TEST(StoryList, TheFirstIsChosenAndTheChosenOneStaysWhereItIsStillThere) {
    StoryList list;
    const QAbstractItemModelTester tester(list.model());
    list.set_stories({told("all"), told("chunk"), told("split")});
    EXPECT_EQ(list.current_story(), 0);
    list.choose(2);
    list.set_stories({told("all"), told("split")});
    EXPECT_EQ(list.current_story(), 1);
    list.set_stories({told("all"), told("format")});
    EXPECT_EQ(list.current_story(), 0);
    list.set_stories({});
    EXPECT_EQ(list.current_story(), -1);
}

TEST(StoryList, ChoosingIsToldAndFillingIsNot) {
    StoryList list;
    QSignalSpy chosen(&list, &StoryList::chosen);
    list.set_stories({told("all"), told("chunk")});
    EXPECT_EQ(chosen.size(), 0);
    list.show();
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                      list.visualRect(list.model()->index(1, 0)).center());
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 1);
    QTest::keyClick(&list, Qt::Key_Up);
    EXPECT_EQ(chosen.size(), 2);
}

TEST(StoryList, AScreenReaderIsToldTheWholeStory) {
    StoryList list;
    list.set_stories({told("chunk")});
    EXPECT_EQ(list.model()->index(0, 0).data(Qt::AccessibleTextRole).toString(),
              QStringLiteral("chunk, 2 cases, loses +40 %"));
}

} // namespace
} // namespace sparsight
