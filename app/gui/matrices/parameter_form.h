// A form for the parameters of a family of matrices, made from the family's own description of them.
#pragma once

#include "matrix/generators/generator.h"

#include <QWidget>
#include <functional>
#include <vector>

class QFormLayout;

namespace sparsight {

class ParameterForm : public QWidget {
    Q_OBJECT

public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// The fields of these parameters, with their defaults.
    void show_parameters(std::span<const Parameter> parameters);
    /// Those that are not at their default.
    [[nodiscard]] ParameterValues values() const;
    void reset();

    [[nodiscard]] QFormLayout& rows() { return *form_; }

Q_SIGNALS:
    void changed();

private:
    struct Field {
        const Parameter* parameter = nullptr;
        std::function<double()> value;
        std::function<void(double)> set;
    };

    [[nodiscard]] Field make_field(const Parameter& parameter);

    QFormLayout* form_;
    std::vector<Field> fields_;
};

} // namespace sparsight
