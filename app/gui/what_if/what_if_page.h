// What if, in a domain whose times are known and not simulated: every change of one decision of the selected
// configuration, with its time beside that of the selected one, as a table and as a chart for each decision.
// What is clicked is selected, and studied in its turn.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "widgets/table/record_model.h"
#include "workflow/explanation/configuration_changes.h"

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class TimesChoice;

class ConfigurationChangesModel : public RecordModel<ChangedConfiguration> {
public:
    explicit ConfigurationChangesModel(QObject* parent = nullptr);

    enum Column { Decision, Change, Time, Ratio, Status, Text };

    /// What the domain calls a configuration.
    void set_noun(const QString& title);
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString noun_;
};

class ConfigurationWhatIfPage : public Page {
    Q_OBJECT

public:
    explicit ConfigurationWhatIfPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] DataTable& table() { return *table_; }
    /// One for each decision that can be made differently.
    [[nodiscard]] const std::vector<Chart*>& charts() const { return charts_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void show_words();
    void show_offers();
    void read();
    /// The selected configuration, else the fastest one, which is selected then.
    void follow();
    void show_changes();
    void show_headline();
    void show_charts();
    void draw(Chart& chart, const DecisionAlternatives& decision);
    void select(const QString& text);

    Services services_;
    std::optional<ChangeStudy> study_;
    ConfigurationChanges changes_;
    ConfigurationChangesModel model_;
    TimesChoice* times_;
    QLabel* headline_;
    QLabel* studied_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    QScrollArea* area_;
    QGridLayout* grid_;
    std::vector<Chart*> charts_;
    DataTable* table_;
    EmptyState* empty_;
    bool is_filling_ = false;
    NewestAnswer<Result<ChangeStudy>> answers_{this};
};

} // namespace sparsight
