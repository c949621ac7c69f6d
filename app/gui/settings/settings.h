// What the user chose, kept from one start to the next. Every setting is one object with its key and default;
// it is written when it changes, and all of them are listed, so that one test can try them all.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>
#include <functional>
#include <vector>

namespace sparsight {

class SettingBase {
public:
    SettingBase(QSettings& store, QString key)
        : store_(store)
        , key_(std::move(key)) {}
    virtual ~SettingBase() = default;
    SettingBase(const SettingBase&) = delete;
    SettingBase& operator=(const SettingBase&) = delete;

    [[nodiscard]] const QString& key() const { return key_; }
    [[nodiscard]] virtual QVariant variant() const = 0;
    /// What can't be read as this setting's type is its default.
    virtual void set_variant(const QVariant& value) = 0;
    [[nodiscard]] virtual QVariant default_variant() const = 0;

protected:
    QSettings& store_;
    QString key_;
};

template <typename T>
class Preference : public SettingBase {
public:
    Preference(QSettings& store, QObject* owner, QString key, T fallback)
        : SettingBase(store, std::move(key))
        , owner_(owner)
        , fallback_(std::move(fallback)) {}
    Preference(std::vector<SettingBase*>& all, QSettings& store, QObject* owner, QString key, T fallback)
        : Preference(store, owner, std::move(key), std::move(fallback)) {
        all.push_back(this);
    }

    [[nodiscard]] T get() const {
        const QVariant stored = store_.value(key_);
        if (!stored.isValid())
            return fallback_;
        if constexpr (std::is_enum_v<T>) {
            bool is_number = false;
            const int number = stored.toInt(&is_number);
            return is_number ? static_cast<T>(number) : fallback_;
        } else {
            return stored.canConvert<T>() ? stored.value<T>() : fallback_;
        }
    }
    void set(const T& value) {
        if (get() == value)
            return;
        if constexpr (std::is_enum_v<T>)
            store_.setValue(key_, static_cast<int>(value));
        else
            store_.setValue(key_, QVariant::fromValue(value));
        QMetaObject::invokeMethod(owner_, "changed", Q_ARG(QString, key_));
    }

    [[nodiscard]] QVariant variant() const override { return as_variant(get()); }
    void set_variant(const QVariant& value) override {
        if constexpr (std::is_enum_v<T>)
            set(static_cast<T>(value.toInt()));
        else
            set(value.value<T>());
    }
    [[nodiscard]] QVariant default_variant() const override { return as_variant(fallback_); }

private:
    static QVariant as_variant(const T& value) {
        if constexpr (std::is_enum_v<T>)
            return static_cast<int>(value);
        else
            return QVariant::fromValue(value);
    }

    QObject* owner_;
    T fallback_;
};

/// A whole number that a domain lets the user choose.
struct NumberSetting {
    QString key;
    int fallback = 0;
    QString title; ///< with a mnemonic
    QString tooltip;
    int least = 0;
    int most = 0;
};

/// What the settings dialog shows of one domain, below what is the same for all.
struct SettingsGroup {
    QString title;
    std::vector<NumberSetting> numbers;
};

class UserSettings : public QObject {
    Q_OBJECT

public:
    /// Where this system keeps settings of programs.
    explicit UserSettings(QObject* parent = nullptr);
    /// In an INI file.
    explicit UserSettings(const QString& file, QObject* parent = nullptr);

private:
    QSettings store_;
    std::vector<SettingBase*> all_;
    std::vector<SettingsGroup> groups_;

public:
    // Measuring.
    Preference<int> threads{all_, store_, this, QStringLiteral("measuring/threads"), 0}; ///< 0: all of them
    Preference<QString> worker{
        all_, store_, this, QStringLiteral("measuring/worker"), {}}; ///< empty: beside us

    // Look.
    Preference<ThemeChoice> theme{all_, store_, this, QStringLiteral("look/theme"), ThemeChoice::System};
    Preference<ThousandsSeparator> thousands{all_, store_, this, QStringLiteral("look/thousands"),
                                             ThousandsSeparator::ThinSpace};
    Preference<bool> decimal_comma{all_, store_, this, QStringLiteral("look/decimal_comma"), false};
    Preference<ByteUnits> byte_units{all_, store_, this, QStringLiteral("look/byte_units"),
                                     ByteUnits::Binary};

    // Session.
    Preference<bool> restores_session{all_, store_, this, QStringLiteral("session/restore"), true};
    Preference<QString> workspace{all_, store_, this, QStringLiteral("session/workspace"), {}};
    Preference<QStringList> recent{
        all_, store_, this, QStringLiteral("session/recent"), {}}; ///< newest first
    Preference<QByteArray> geometry{all_, store_, this, QStringLiteral("session/geometry"), {}};
    Preference<QByteArray> docks{all_, store_, this, QStringLiteral("session/docks"), {}};
    Preference<QStringList> hidden_panels{all_, store_, this, QStringLiteral("session/hidden_panels"), {}};
    Preference<bool> selection_unfolded{all_, store_, this, QStringLiteral("session/selection_unfolded"),
                                        false};
    Preference<QString> import_folder{all_, store_, this, QStringLiteral("session/import_folder"), {}};

    /// Of every domain.
    [[nodiscard]] const std::vector<SettingBase*>& all() const { return all_; }

    /// What a domain brings of its own: values by keys, and a group of the dialog.
    template <typename T>
    [[nodiscard]] Preference<T> preference(const QString& key, T fallback) {
        return {store_, this, key, std::move(fallback)};
    }
    void add_group(SettingsGroup group) { groups_.push_back(std::move(group)); }
    [[nodiscard]] const std::vector<SettingsGroup>& groups() const { return groups_; }

    [[nodiscard]] NumberStyle number_style() const;
    /// threads, with 0 replaced by what this computer has.
    [[nodiscard]] int thread_count() const;

    /// What several windows write: nothing that another one has written meanwhile gets lost where `change`
    /// reads it first. It is on the disk afterwards, and two windows don't change at the same time.
    void change_together(const std::function<void()>& change);
    /// What other windows have written meanwhile.
    void read_again() { store_.sync(); }

    /// How a page arranged itself: columns, splitters.
    [[nodiscard]] QByteArray layout(const QString& of) const;
    void set_layout(const QString& of, const QByteArray& layout);

    /// Puts it first; at most ten are kept.
    void add_recent(const QString& path);

Q_SIGNALS:
    void changed(const QString& key);
};

} // namespace sparsight
