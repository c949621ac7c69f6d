#include "gui/shell/demo_question.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QObject>
#include <QPushButton>

namespace sparsight {

void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin) {
    if (open.isEmpty() || QFileInfo(open).absoluteFilePath() == demo) {
        begin();
        return;
    }
    auto* question = new QMessageBox(
        QMessageBox::Question, QObject::tr("Leave %1 for the demo?").arg(QFileInfo(open).completeBaseName()),
        QObject::tr("It is shown on the demo workspace, which is opened in the place of %1. Nothing in %1 is "
                    "changed, and its jobs go on: you find it again under File, Open Recent.")
            .arg(QFileInfo(open).completeBaseName()),
        QMessageBox::Cancel, window);
    question->setObjectName(QStringLiteral("demo-question"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = question->addButton(QObject::tr("&Open the demo"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("really-open-demo"));
    question->setDefaultButton(yes);
    QObject::connect(yes, &QPushButton::clicked, window, begin);
    question->open();
}

} // namespace sparsight
