// Widgets need one application for all tests of the program.
#include "widgets/look/theme.h"

#include <QApplication>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) // the tests are listed without their environment
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    sparsight::apply_theme(application, sparsight::ThemeChoice::Light);
    return RUN_ALL_TESTS();
}
