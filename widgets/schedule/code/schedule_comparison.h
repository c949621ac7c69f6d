// The code of two schedules side by side: lines that correspond at the same height, what differs marked,
// scrolled together.
#pragma once

#include "widgets/schedule/storage/storage_picture.h"
#include "widgets/schedule/storage/tree_picture.h"

#include <QWidget>
#include <array>
#include <vector>

class QLabel;
class QTabWidget;

namespace sparsight {

class CodeView;

class CodeComparison : public QWidget {
    Q_OBJECT

public:
    explicit CodeComparison(QWidget* parent = nullptr);

    void set_codes(const QString& left, const QString& right);
    void set_empty_text(const QString& text);
    [[nodiscard]] CodeView& left() const { return *left_; }
    [[nodiscard]] CodeView& right() const { return *right_; }
    [[nodiscard]] int differing_lines() const { return static_cast<int>(differing_.size()); }
    /// To the next place that differs, or the one before; from the last to the first again.
    void go_to_difference(int step);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    CodeView* left_;
    CodeView* right_;
    std::vector<int> differing_; ///< lines
    int shown_ = -1;             ///< which place one was led to
};

// Two schedules on a matrix side by side: what they mean and take, their loop nests with what differs marked,
// and how their formats store the matrix. Whoever knows more of them adds tabs.

class CodeComparison;
class CoordinateTreeView;
class StorageBars;

struct ComparedSchedule {
    QString title{};   ///< "Fixed CSR"
    QString time{};    ///< "1.24 ± 0.05 ms"; empty where none is known
    QString meaning{}; ///< in sentences
    QString code{};    ///< C
    TreePicture tree{};
    StorageBar storage{};
    QString storage_problem{}; ///< why there is no storage
};

class ScheduleComparison : public QWidget {
    Q_OBJECT

public:
    explicit ScheduleComparison(QWidget* parent = nullptr);

    /// The left one is what the right one is held against.
    void show_pair(const ComparedSchedule& left, const ComparedSchedule& right);
    /// Before both are known: "Counting …".
    void set_empty_text(const QString& text);
    void add_tab(QWidget* tab, const QString& title, const QString& tooltip);

    [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
    [[nodiscard]] CodeComparison& code() const { return *code_; }
    [[nodiscard]] CoordinateTreeView& tree(std::size_t side) const { return *trees_[side]; }

private:
    struct Head {
        QLabel* title;
        QLabel* time;
        QLabel* meaning;
    };

    void build_heads();
    [[nodiscard]] QWidget* make_storage();
    void show_difference_count();

    std::array<Head, 2> heads_{};
    QTabWidget* tabs_;
    CodeComparison* code_;
    QLabel* difference_;
    std::array<CoordinateTreeView*, 2> trees_{};
    std::array<QLabel*, 2> problems_{};
    StorageBars* bars_;
};

} // namespace sparsight
