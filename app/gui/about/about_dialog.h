// What the program is, its version, its licence, and what it is made of.
#pragma once

#include <QDialog>

class QLabel;
class QTabWidget;

namespace sparsight {

class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);

    /// Version, system and libraries to the clipboard.
    void copy_report();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* make_header();
    QWidget* make_libraries();
    QWidget* make_system();
    QWidget* make_licence();
    void dress();

    QLabel* icon_ = nullptr;
    QLabel* name_ = nullptr;
    QLabel* version_ = nullptr;
    QTabWidget* tabs_ = nullptr;
};

} // namespace sparsight
