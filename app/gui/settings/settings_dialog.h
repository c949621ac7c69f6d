// All settings on one page. Each takes effect when it is changed; there is nothing to apply.
#pragma once

#include <QDialog>
#include <QStringList>

class QComboBox;
class QFormLayout;
class QLabel;

namespace sparsight {

class UserSettings;
struct SettingsGroup;

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(UserSettings& settings, QWidget* parent = nullptr);

    struct Entry {
        QString key;
        QString title;
        QStringList choices; ///< their names, where there is a list of them
        QString tip;         ///< what it means; may be empty
    };
    /// What can be set here, as it is called here.
    [[nodiscard]] std::vector<Entry> entries() const;
    /// The focus goes to the field of this setting.
    void go_to(const QString& key);

private:
    void add_measuring(QFormLayout& form);
    void add_look(QFormLayout& form);
    void add_group(QFormLayout& form, const SettingsGroup& group);
    void add_session(QFormLayout& form);
    void show_sample();
    void allow_one_comma();

    UserSettings& settings_;
    QLabel* sample_;
    QComboBox* thousands_ = nullptr;
    QComboBox* decimal_ = nullptr;
};

} // namespace sparsight
