// Two schedules on one matrix side by side: their meanings and times, their loop nests with the differences
// marked, and how their formats store the matrix. The owner can add tabs for further facts.
#pragma once

#include "widgets/schedule/code/code_view.h"
#include "widgets/schedule/storage/storage_picture.h"
#include "widgets/schedule/storage/tree_picture.h"

#include <QString>
#include <QWidget>
#include <array>
#include <optional>
#include <vector>

class QLabel;
class QTabWidget;

namespace sparsight {

class CoordinateTreeView;
class StorageBars;

// Two texts line by line beside each other, lines that correspond at the same height.

struct AlignedLine {
    std::optional<int> left; ///< which line of the text, from 0; none: a gap
    std::optional<int> right;
    bool differs = false;                ///< in more than its indentation
    std::vector<TextRange> left_marks{}; ///< the words that the other one does not have
    std::vector<TextRange> right_marks{};
    bool operator==(const AlignedLine&) const = default;
};

/// Lines that are the same but for their indentation correspond; of the others those that share most words,
/// so that as many words as possible are the same on both sides. Every line of both stands there once, in its
/// order.
[[nodiscard]] std::vector<AlignedLine> align_lines(const QString& left, const QString& right);

/// The code of two schedules side by side: corresponding lines stand at the same height, differences are
/// marked, and both sides scroll together.
class CodeComparison : public QWidget {
    Q_OBJECT

public:
    explicit CodeComparison(QWidget* parent = nullptr);

    void set_codes(const QString& left, const QString& right);
    void set_empty_text(const QString& text);
    [[nodiscard]] CodeView& left() const { return *left_; }
    [[nodiscard]] CodeView& right() const { return *right_; }
    [[nodiscard]] int differing_lines() const { return static_cast<int>(differing_.size()); }
    /// Goes to the next (1) or previous (−1) difference; after the last comes the first.
    void go_to_difference(int step);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    CodeView* left_;
    CodeView* right_;
    std::vector<int> differing_; ///< line numbers
    int shown_ = -1;             ///< index of the difference last gone to
};

struct ComparedSchedule {
    QString title{};   ///< "Fixed CSR"
    QString time{};    ///< "1.24 ± 0.05 ms"; empty where the time is unknown
    QString meaning{}; ///< in sentences
    QString code{};    ///< C
    TreePicture tree{};
    StorageBar storage{};
    QString storage_problem{}; ///< why the storage is not available
};

class ScheduleComparison : public QWidget {
    Q_OBJECT

public:
    explicit ScheduleComparison(QWidget* parent = nullptr);

    /// The left schedule is the reference for the right one.
    void show_pair(const ComparedSchedule& left, const ComparedSchedule& right);
    /// The text before both are known: "Counting …".
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
