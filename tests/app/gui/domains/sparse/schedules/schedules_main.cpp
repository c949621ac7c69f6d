// Tests of widgets share one QApplication, as widgets do in the program.
#include "widgets/look/theme.h"

#include <QApplication>
#include <gmock/gmock.h>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    ::testing::InitGoogleMock(&argc, argv);
    QApplication application(argc, argv);
    sparsight::apply_theme(application, sparsight::ThemeChoice::Light);
    return RUN_ALL_TESTS();
}
