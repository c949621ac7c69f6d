// Why a model says so many cycles of the block: the features that alone make it say so (COMET), searched in
// the background.
#pragma once

#include "base/error.h"
#include "domains/blocks/explanation/block_explanation.h"
#include "gui/domains/blocks/analysis/block_models.h"

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace sparsight {

class DataTable;
class RuleModel;

class ExplanationView : public QWidget {
    Q_OBJECT

public:
    explicit ExplanationView(QWidget* parent = nullptr);
    ~ExplanationView() override;

    /// Other code, or another machine, has no explanation yet.
    void set_block(const DecodedBlock& block, const std::string& machine,
                   std::shared_ptr<const PortTables> tables);
    void clear();
    [[nodiscard]] bool is_busy() const { return is_busy_; }
    /// The instructions that the found rules name.
    [[nodiscard]] const std::set<std::size_t>& instructions() const { return instructions_; }

Q_SIGNALS:
    /// instructions() has changed.
    void explained();

private:
    void build();
    void begin();
    void cancel();
    void take(const Result<BlockExplanation>& explanation);
    void drop();
    void show_state();

    std::optional<DecodedBlock> block_;
    std::string machine_;
    std::shared_ptr<const PortTables> tables_;
    std::set<std::size_t> instructions_;
    QComboBox* model_;
    QPushButton* explain_;
    QPushButton* cancel_;
    QProgressBar* progress_;
    QLabel* asked_;
    QLabel* sentence_;
    DataTable* table_;
    RuleModel* rules_;
    std::shared_ptr<std::atomic<std::int64_t>> calls_; ///< of the search that runs
    std::stop_source stop_{std::nostopstate};
    QTimer watch_;
    int round_ = 0; ///< answers of earlier ones are dropped
    bool is_busy_ = false;
};

} // namespace sparsight
