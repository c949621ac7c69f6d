// What the program is, its version, its licence, and what it is made of: libraries with their versions (as
// loaded, where a library can tell) and licences, and facts about the system. Nothing here names the user.
#pragma once

#include <QDialog>
#include <QString>
#include <utility>
#include <vector>

class QLabel;
class QTabWidget;

namespace sparsight {

struct LibraryVersion {
    QString name;
    QString version;
    QString licence; ///< SPDX expression, or "public domain"
    QString purpose;
    bool operator==(const LibraryVersion&) const = default;
};

/// The libraries of the running program come first, then the libraries of its tests, which are marked as
/// such.
[[nodiscard]] std::vector<LibraryVersion> library_versions();

/// Facts as shown: name and value. Needs a QGuiApplication.
[[nodiscard]] std::vector<std::pair<QString, QString>> system_facts();

/// Version, facts and libraries as plain text, always in English, whatever language the program speaks.
[[nodiscard]] QString bug_report_text();

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
