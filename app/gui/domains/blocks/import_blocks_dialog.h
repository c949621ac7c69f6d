// Asks for tables of basic blocks to import, and for tables of the ports of their instructions.
#pragma once

#include "gui/domains/blocks/import_blocks_job.h"

#include <QDialog>
#include <QStringList>

class QCheckBox;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace sparsight {

class UserSettings;

class ImportBlocksDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportBlocksDialog(UserSettings& settings, QWidget* parent = nullptr);

    void add_tables(const QStringList& paths);
    /// Without a workspace.
    [[nodiscard]] ImportBlocksJob request() const;

Q_SIGNALS:
    void chosen(const ImportBlocksJob& job);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    /// A list of files below a button that adds some.
    [[nodiscard]] QWidget* file_list(QListWidget* list, QPushButton* add, const QString& title);
    void ask_for_files(QListWidget* list, const QString& title);
    void add_files(QListWidget& list, const QStringList& paths);
    void remove_selected();
    void show_state();

    UserSettings& settings_;
    QListWidget* tables_;
    QListWidget* port_tables_;
    QLineEdit* machines_;
    QCheckBox* without_aliasing_;
    QPushButton* remove_;
    QPushButton* import_;
};

} // namespace sparsight
