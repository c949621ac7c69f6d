// The hot loops of a slow and a fast schedule side by side: a sentence, and their instructions where the user
// asks for them.
#pragma once

#include "domains/sparse/workflow/explanation/hot_loops.h"
#include "gui/workspace/background_work.h"

#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace sparsight {

/// Another domain knows machine code: main() gives it. Called on other threads.
using MakeLoopAnalyst = std::function<Result<std::unique_ptr<LoopAnalyst>>()>;

/// Two schedules of one operator on a matrix, and their names for people.
struct HotLoopPair {
    SuperSchedule slow;
    SuperSchedule fast;
    QString name_of_slow;
    QString name_of_fast;
    Extents extents{};
    QString workspace{}; ///< path; its machines may have tables of ports

    bool operator==(const HotLoopPair&) const = default;
};

class HotLoopLine : public QWidget {
    Q_OBJECT

public:
    HotLoopLine(MakeLoopAnalyst make_analyst, QWidget* parent = nullptr);

    /// Nothing: there are no two schedules to compare.
    void show_pair(const std::optional<HotLoopPair>& pair);
    [[nodiscard]] bool is_settled() const { return !answers_.is_busy(); }

Q_SIGNALS:
    /// The user looks at this loop: machine code of one iteration on a microarchitecture ("hsw").
    void hot_loop_requested(const QByteArray& code, const QString& processor);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Loops {
        HotLoopCosts slow;
        HotLoopCosts fast;
    };

    void offer_processors();
    void compute();
    void show_loops(const Result<Loops>& loops);
    void show_listings();

    MakeLoopAnalyst make_analyst_;
    std::optional<HotLoopPair> pair_;
    std::optional<Loops> loops_;
    bool is_due_ = false; ///< to be compiled once it is seen
    QComboBox* processor_;
    QLabel* told_;
    QPushButton* open_;
    NewestAnswer<Result<Loops>> answers_{this};
};

} // namespace sparsight
