// Asks for tables of tuning records to import: the tables, what the tables do not say, and sheets of facts.
#pragma once

#include "gui/domains/records/import_records_job.h"

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace sparsight {

class UserSettings;

/// The names that such tables usually have, for file dialogs and for files that are dropped: "*.csv" …
[[nodiscard]] QStringList record_file_patterns();

class ImportRecordsDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportRecordsDialog(UserSettings& settings, QWidget* parent = nullptr);

    void add_tables(const QStringList& paths);
    /// Without a workspace.
    [[nodiscard]] ImportRecordsJob request() const;

Q_SIGNALS:
    void chosen(const ImportRecordsJob& job);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    /// A field for the path of a sheet, with a button that asks for it.
    [[nodiscard]] QWidget* sheet_field(QLineEdit* field, const QString& name);
    void choose_tables();
    void remove_selected();
    void show_state();

    UserSettings& settings_;
    QListWidget* tables_;
    QLineEdit* decisions_;
    QLineEdit* machine_;
    QLineEdit* workload_sheet_;
    QLineEdit* machine_sheet_;
    QPushButton* remove_;
    QPushButton* import_;
};

} // namespace sparsight
