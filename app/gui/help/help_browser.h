// Shows one page of the help: its typography, its diagrams, its width.
#pragma once

#include <QImage>
#include <QStringList>
#include <QTextBrowser>

namespace sparsight {

class HelpBrowser : public QTextBrowser {
    Q_OBJECT

public:
    explicit HelpBrowser(QWidget* parent = nullptr);

    void show_page(const QString& markdown);
    /// The heading or name into view; an empty or unknown one is the top. False when there is no such anchor.
    bool show_anchor(const QString& anchor);
    /// Marks the places where one of the words begins.
    void mark_words(const QStringList& words);

    /// In percent of the application's font.
    [[nodiscard]] int text_size() const { return text_size_; }
    void set_text_size(int percent);

    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    [[nodiscard]] QFont text_font() const;
    [[nodiscard]] QImage draw(const QString& name, const QSizeF& size) const;
    [[nodiscard]] QSizeF picture_size(const QString& name) const; ///< in logical pixels
    void rebuild();
    void fit();
    void fit_pictures();

    QString markdown_;
    QStringList marked_;
    int text_size_ = 100;
    bool is_fitting_ = false;
};

} // namespace sparsight
