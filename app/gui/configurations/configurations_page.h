// The known times of one workload on one machine: every configuration with its decisions in columns, its time
// and how far it is from the fastest, beside the curve of all times; plots of all decisions; and how fast
// tuners find the fastest. What is selected here is selected on all pages. Where the worker program can
// measure more, it is told to.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/configuration_times.h"
#include "widgets/table/record_model.h"

#include <memory>

class QAction;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace sparsight {

class Chart;
class ConfigurationWhy;
class DataTable;
class DecisionsView;
class EmptyState;
class MeasureBar;
class SearchProgressView;
class TimesChoice;

class ConfigurationsPage : public Page {
    Q_OBJECT

public:
    ConfigurationsPage(Services services, bool can_measure, QWidget* parent = nullptr);

    [[nodiscard]] QString title(const Domain& domain) const override;
    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    using Model = RecordModel<ConfigurationTime>;

    void build();
    void build_tabs();
    void show_words();
    void show_offers();
    void show_set();
    void select(int row);
    void make_columns(const TimeSet& set);
    void show_headline(const TimeSet& set);
    void show_chart(const TimeSet& set);
    void mark_selected();

    Services services_;
    std::unique_ptr<Model> model_;
    QStringList columns_; ///< of the model
    int status_place_ = 0;
    TimesChoice* times_;
    MeasureBar* measuring_; ///< null where nothing can be measured
    QLabel* headline_;
    QStackedWidget* stack_;
    QTabWidget* tabs_;
    QSplitter* sides_; ///< times, and why one is as it is
    QSplitter* splitter_;
    Chart* chart_;
    DataTable* table_;
    ConfigurationWhy* why_;
    DecisionsView* decisions_;
    SearchProgressView* tuners_;
    QAction* show_why_;
    EmptyState* empty_;
    bool is_filling_ = false;
    bool has_own_why_ = false; ///< the user has shown or hidden it
};

} // namespace sparsight
