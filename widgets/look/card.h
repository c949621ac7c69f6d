// A titled surface. Tools stand at the right end of the title.
#pragma once

#include <QFrame>

class QAction;
class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace sparsight {

class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);

    void set_title(const QString& title);
    void set_subtitle(const QString& subtitle); ///< dimmed, after the title
    void set_content(QWidget* content);         ///< owned from now on; the one before is deleted
    [[nodiscard]] QWidget* content() const { return content_; }
    void set_content_margins(int margin); ///< 16 unless said otherwise; 0 for tables and plots

    QToolButton* add_tool(QAction* action);
    void add_tool_widget(QWidget* widget);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void show_header();
    void dress();

    QWidget* header_;
    QLabel* title_;
    QLabel* subtitle_;
    QHBoxLayout* tools_;
    QVBoxLayout* body_;
    QWidget* content_ = nullptr;
};

} // namespace sparsight
