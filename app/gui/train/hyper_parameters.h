// The hyper-parameters as fields: those of the table in training_fields.h, the rare ones folded away.
#pragma once

#include "gui/train/training_fields.h"

#include <QWidget>
#include <functional>

class QComboBox;
class QFormLayout;
class QLabel;
class QToolButton;

namespace sparsight {

class HyperParameters : public QWidget {
    Q_OBJECT

public:
    HyperParameters(const DomainWords& words, const TrainingOffer& offer, QWidget* parent = nullptr);

    [[nodiscard]] QString method() const;
    [[nodiscard]] QString architecture() const;
    /// Every value that has a meaning for this method and architecture, these two left out.
    [[nodiscard]] TrainingValues values() const;
    /// What is left out becomes its default.
    void set_values(const TrainingValues& values);
    /// Whether these are exactly the values.
    [[nodiscard]] bool are(const TrainingValues& values) const;

Q_SIGNALS:
    void changed();

private:
    struct Field {
        TrainingField about;
        QWidget* editor = nullptr;
        std::function<QString()> value;
        std::function<void(const QString&)> set;
        QFormLayout* form = nullptr;
    };

    void build_choice(QComboBox* box, const std::vector<TrainingChoice>& choices);
    void add_field(const TrainingField& field);
    void offer_methods();
    void show_meaning();
    [[nodiscard]] bool has_meaning(const TrainingField& field) const;

    std::vector<TrainingChoice> methods_;
    std::vector<TrainingChoice> architectures_;
    std::vector<Field> fields_;
    QComboBox* architecture_;
    QComboBox* method_;
    QLabel* explanation_;
    QToolButton* more_;
    QWidget* advanced_;
    QFormLayout* basic_form_;
    QFormLayout* advanced_form_;
    bool is_filling_ = false;
};

} // namespace sparsight
