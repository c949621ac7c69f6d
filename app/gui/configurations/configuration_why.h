// Why the selected configuration is faster or slower than another one, by the known times of their mixtures:
// a sentence and the waterfall between both. How many mixtures have no time is told.
#pragma once

#include "evaluation/diagnosis/blame.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/configuration_times.h"
#include "widgets/chart/plots/waterfall_picture.h"

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QComboBox;

namespace sparsight {

class WaterfallChart;
class WhyColumn;

/// "The most costly decision: tile_x as 8 instead of 4 costs 2.31 ms, 81.0 % of the difference of 2.85 ms."
/// Where nothing between both has a known time, that none can be blamed.
[[nodiscard]] QString blame_sentence(const Blame& blame, const Noun& configuration);
/// How the shares were found, and how many mixtures and orders are known.
[[nodiscard]] QString blame_method(const Blame& blame);
/// Empty where there is nothing to share out.
[[nodiscard]] WaterfallPicture blame_waterfall(const Blame& blame, const QString& against,
                                               const QString& configuration, bool is_simulated);

class ConfigurationWhy : public QWidget {
    Q_OBJECT

public:
    explicit ConfigurationWhy(Services services, QWidget* parent = nullptr);

    /// Looks up once it is visible. `configuration` is the text of one of the set; empty: none is selected.
    void ask(const TimeSet& set, const QString& configuration);
    [[nodiscard]] bool is_settled() const { return !reader_.is_busy(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What the selected configuration can be compared with.
    struct Other {
        QString key;   ///< its role: "fastest"
        QString title; ///< "the fastest"
        int rank = 0;
        std::string configuration;

        bool operator==(const Other&) const = default;
    };

    void build();
    void find_others(const TimeSet& set);
    void fill_others();
    void look_up();
    void show_nothing(const QString& why);
    void show_blame(const Result<Blame>& blame);

    Services services_;
    Setting setting_;
    std::optional<ResultRecord> selected_; ///< with a time
    QString no_question_;                  ///< why nothing can be asked; empty: something can
    std::vector<Other> others_;
    std::vector<Other> offered_; ///< as the field has them
    QString wanted_;             ///< the role that the user chose; empty: the first that is offered
    bool is_due_ = false;
    bool is_filling_ = false;
    WhyColumn* column_;
    QWidget* choice_; ///< of what it is compared with
    QComboBox* against_;
    WaterfallChart* waterfall_;
    NewestAnswer<Result<Blame>> reader_{this};
};

} // namespace sparsight
