// Chooses matrix files to import: one by one, by folders, or dropped here.
#pragma once

#include <QDialog>
#include <QSet>
#include <QStringList>

class QLabel;
class QListWidget;
class QPushButton;

namespace sparsight {

class UserSettings;

/// The endings that the engine reads, for file dialogs and folders: "*.mtx" …
[[nodiscard]] QStringList matrix_file_patterns();

class ImportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportDialog(UserSettings& settings, QWidget* parent = nullptr);

    /// Each file once; folders are searched, with their subfolders.
    void add(const QStringList& paths);
    [[nodiscard]] QStringList files() const;

Q_SIGNALS:
    void import_files(const QStringList& files);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void add_file(const QString& path);
    void choose_files();
    void choose_folder();
    void remove_selected();
    void show_state();

    UserSettings& settings_;
    QSet<QString> known_; ///< the paths in the list
    QListWidget* list_;
    QLabel* hint_;
    QLabel* total_;
    QPushButton* remove_;
    QPushButton* import_;
};

} // namespace sparsight
