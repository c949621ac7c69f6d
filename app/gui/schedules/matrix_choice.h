// Which matrices are measured: the selected one, all, or those that are ticked.
#pragma once

#include <QStringList>
#include <QToolButton>

class QListWidget;

namespace sparsight {

class MatrixChoice : public QToolButton {
    Q_OBJECT

public:
    explicit MatrixChoice(QWidget* parent = nullptr);

    /// Those with a pattern, and which one is selected.
    void set_matrices(const QStringList& names, const QString& selected);
    [[nodiscard]] QStringList chosen() const;

Q_SIGNALS:
    void changed();

private:
    enum class Mode { Selected, All, Some };

    void set_mode(Mode mode);
    void show_choice();

    Mode mode_ = Mode::Selected;
    QStringList names_;
    QString selected_;
    QAction* one_;
    QAction* all_;
    QListWidget* list_;
    bool is_filling_ = false;
};

} // namespace sparsight
