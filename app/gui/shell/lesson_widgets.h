// Widgets of a page as a lesson sees them: by name, with a value that can be set and compared.
#pragma once

#include "gui/help/lesson.h"

#include <QString>

class QWidget;

namespace sparsight {

/// Choices take the text of an entry or what stands behind it, tabs their name or text, check boxes yes or
/// no, sliders and fields a number. False where the widget has no such value.
bool set_lesson_value(QWidget& widget, const QString& value);
/// Chooses the first entry of a box, or row of a table, with the text as a user does, unless it is the one
/// that was chosen `before`: who has turned to another entry since then keeps it. Returns the chosen entry.
[[nodiscard]] QString choose_lesson_entry(QWidget& widget, const QString& text, const QString& before);
/// Of choices their text, of numbers 17 digits.
[[nodiscard]] QString lesson_value(const QWidget& widget);
/// Whether the widget's value, rows or text are as the condition says.
[[nodiscard]] bool is_fulfilled_by(const LessonCondition& condition, const QWidget& widget);

} // namespace sparsight
