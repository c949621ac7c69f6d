// The files of this computer that are dropped on the window, or dragged over it.
#pragma once

#include <QDialog>
#include <QSet>
#include <QStringList>
#include <stop_token>
#include <vector>

class QMimeData;
class QLabel;
class QListWidget;
class QPushButton;

namespace sparsight {

[[nodiscard]] QStringList local_files(const QMimeData& data);

// Chooses matrix files to import: one by one, by folders, or dropped here.

class UserSettings;

/// The endings that the engine reads, for file dialogs and folders: "*.mtx" …
[[nodiscard]] QStringList matrix_file_patterns();

class ImportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportDialog(UserSettings& settings, QWidget* parent = nullptr);
    ~ImportDialog() override;

    /// Each file once; folders are searched, with their subfolders, in the background.
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
    int searches_ = 0; ///< that run
};

} // namespace sparsight
