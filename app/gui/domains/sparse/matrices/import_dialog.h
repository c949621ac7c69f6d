// Matrix files to import: chosen one by one or by folder in a dialog, or dropped on it or on the window.
#pragma once

#include <QDialog>
#include <QSet>
#include <QStringList>
#include <stop_token>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;

namespace sparsight {

class UserSettings;

/// The file name patterns that the engine reads, for file dialogs and folders: "*.mtx" …
[[nodiscard]] QStringList matrix_file_patterns();

class ImportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportDialog(UserSettings& settings, QWidget* parent = nullptr);
    ~ImportDialog() override;

    /// Adds each file once; folders are searched with their subfolders, in the background.
    void add(const QStringList& paths);
    [[nodiscard]] bool is_searching() const { return searches_ > 0; }
    [[nodiscard]] QStringList files() const;

Q_SIGNALS:
    void import_files(const QStringList& files);

protected:
    void done(int result) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Found {
        QString path;
        qint64 bytes = 0;
    };
    [[nodiscard]] static std::vector<Found> search(const QStringList& paths, const std::stop_token& stop);

    void add_file(const Found& file);
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
    std::stop_source stop_;
    int searches_ = 0; ///< number of running searches
};

} // namespace sparsight
