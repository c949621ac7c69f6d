// Where a model errs: its errors on the measured blocks of the workspace, by classes of instructions and by
// applications, computed in the background.
#pragma once

#include "base/error.h"
#include "domains/blocks/exchange/block_errors.h"
#include "gui/domains/blocks/analysis/block_models.h"
#include "gui/page/page.h"
#include "widgets/table/record_model.h"

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace sparsight {

class DataTable;

struct ErrorRow {
    QString kind; ///< "class", "application"
    ErrorGroup group;
};

class ErrorGroupModel : public RecordModel<ErrorRow> {
public:
    explicit ErrorGroupModel(QObject* parent);
};

class ErrorsView : public QWidget {
    Q_OBJECT

public:
    explicit ErrorsView(Services services, QWidget* parent = nullptr);
    ~ErrorsView() override;

    /// Of another machine nothing is computed yet.
    void set_machine(const std::string& machine, std::shared_ptr<const PortTables> tables);
    [[nodiscard]] bool is_busy() const { return is_busy_; }

private:
    struct Count {
        std::atomic<std::uint64_t> done = 0;
        std::atomic<std::uint64_t> total = 0;
    };

    void build();
    void begin();
    void cancel();
    void drop();
    void take(const Result<BlockErrors>& errors);
    void show_state();

    Services services_;
    std::string machine_;
    std::shared_ptr<const PortTables> tables_ = std::make_shared<PortTables>();
    QComboBox* model_;
    QPushButton* compute_;
    QPushButton* cancel_;
    QProgressBar* progress_;
    QLabel* sentence_;
    DataTable* table_;
    ErrorGroupModel* rows_;
    std::shared_ptr<Count> count_; ///< of the work that runs
    std::stop_source stop_{std::nostopstate};
    QTimer watch_;
    int round_ = 0; ///< answers of earlier ones are dropped
    bool is_busy_ = false;
};

} // namespace sparsight
