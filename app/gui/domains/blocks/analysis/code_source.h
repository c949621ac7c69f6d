// Where the code of the page comes from: a block of the workspace, an example, a function of an object file,
// or what was typed; its syntax, and the machine that it is looked at on.
#pragma once

#include "domains/blocks/decoder/object_code.h"
#include "gui/domains/blocks/analysis/block_reader.h"
#include "gui/page/page.h"

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace sparsight {

class CodeSource : public QWidget {
    Q_OBJECT

public:
    CodeSource(Services services, QWidget* parent = nullptr);

    [[nodiscard]] CodeForm form() const;
    /// Without asking for other text.
    void set_form(CodeForm form);
    [[nodiscard]] std::string machine() const;
    void set_machine(const std::string& machine);
    /// Machines to choose from; the chosen one stays where it is among them.
    void offer_machines(const std::vector<std::string>& machines);
    /// The text was changed by hand. It can be chosen again, after something else was looked at.
    void note_edit(CodeText code);
    /// Reads object files, assembly and digits.
    void open_file(const QString& path);
    /// The block of the workspace that is shown; empty: other code is.
    [[nodiscard]] const QString& workload() const { return workload_; }
    /// Shows the selected block, or the first example where none is selected.
    void follow_selection();

Q_SIGNALS:
    /// Other code is to be shown, in its own form.
    void code_chosen(const CodeText& code);
    /// The same code is to be shown in this form.
    void form_wanted(CodeForm form);
    void machine_changed();
    void failed(const QString& reason);

private:
    void build();
    void fill();
    void choose(int entry);
    void choose_function(int entry);
    void ask_for_file();
    void show_functions(std::vector<ObjectFunction> functions, const QString& file);
    [[nodiscard]] QString code_of(const QString& workload) const;

    Services services_;
    QComboBox* code_;
    QComboBox* function_;
    QComboBox* form_;
    QComboBox* machine_;
    QPushButton* open_;
    QString workload_;
    QString file_; ///< name of the one that was opened
    std::vector<ObjectFunction> functions_;
    std::optional<CodeText> own_; ///< what was typed last
};

} // namespace sparsight
