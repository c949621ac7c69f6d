// The known times of one workload on one machine: every configuration with its decisions in columns, its time
// and how far it is from the fastest, beside the curve of all times. What is selected here is selected on all
// pages.
#pragma once

#include "gui/configurations/configuration_times.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "widgets/table/record_model.h"

#include <memory>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;

class ConfigurationsPage : public Page {
    Q_OBJECT

public:
    explicit ConfigurationsPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] QString title(const Domain& domain) const override;
    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    using Model = RecordModel<ConfigurationTime>;

    void build();
    [[nodiscard]] QWidget* build_choice();
    void show_words();
    void fill_choices();
    /// Reads the times of what is selected, unless they are there.
    void follow();
    void read();
    void show_sets(std::vector<TimeSet> sets);
    void show_set();
    void make_columns(const TimeSet& set);
    void show_headline(const TimeSet& set);
    void show_chart(const TimeSet& set);
    void mark_selected();
    [[nodiscard]] const TimeSet* shown() const;

    Services services_;
    std::vector<TimeSet> sets_;
    std::unique_ptr<Model> model_;
    QStringList columns_; ///< of the model
    QComboBox* workload_;
    QComboBox* machine_;
    QComboBox* set_;
    QLabel* set_name_;
    QLabel* headline_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    Chart* chart_;
    DataTable* table_;
    EmptyState* empty_;
    QString asked_;        ///< workload and machine that are read
    bool is_stale_ = true; ///< times have come while the page was not shown
    bool is_filling_ = false;
    NewestAnswer<Result<std::vector<TimeSet>>> answers_{this};
};

} // namespace sparsight
