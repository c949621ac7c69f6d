#include "gui/machines/machine_edits.h"

#include "gui/workspace/workspace_session.h"
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "store/machines.h"

#include <QUndoCommand>
#include <QUndoStack>
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <ranges>

namespace sparsight {

/// One edit of a machine, to be undone.
class MachineCommand : public QUndoCommand {
public:
    MachineCommand(MachineEdits& edits, QString fingerprint, MachineEdits::State before,
                   MachineEdits::State after, const QString& text, int merging)
        : QUndoCommand(text)
        , edits_(edits)
        , fingerprint_(std::move(fingerprint))
        , before_(std::move(before))
        , after_(std::move(after))
        , merging_(merging) {}

    void undo() override {
        edits_.apply(fingerprint_, before_);
        Q_EMIT edits_.touched(fingerprint_);
    }
    void redo() override {
        edits_.apply(fingerprint_, after_);
        if (is_redone_)
            Q_EMIT edits_.touched(fingerprint_);
        is_redone_ = true;
    }
    [[nodiscard]] int id() const override { return merging_; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* const next = dynamic_cast<const MachineCommand*>(other);
        if (next == nullptr || next->fingerprint_ != fingerprint_)
            return false;
        after_ = next->after_;
        return true;
    }

private:
    MachineEdits& edits_;
    QString fingerprint_;
    MachineEdits::State before_;
    MachineEdits::State after_;
    int merging_;
    bool is_redone_ = false; ///< the first time, it is done by whoever edits
};

namespace {

constexpr std::chrono::milliseconds pause_before_writing{200}; ///< a slider is still being moved

Result<void> write_state(Workspace& workspace, const std::string& fingerprint,
                         const MachineEdits::State& state) {
    const auto known = find_machine(workspace, fingerprint);
    if (!known)
        return std::unexpected(known.error());
    if (!state)
        return *known ? remove_machine(workspace, (*known)->id) : Result<void>();
    if (!*known) {
        const auto id = record_machine(workspace, state->name, fingerprint, state->description);
        return id ? Result<void>() : std::unexpected(id.error());
    }
    const auto machine = machine_from_text(state->description);
    if (!machine)
        return std::unexpected(machine.error());
    const auto changed = change_simulated_machine(workspace, (*known)->id, *machine);
    return changed ? Result<void>() : std::unexpected(changed.error());
}

Result<void> write_states(Workspace& workspace,
                          const std::vector<std::pair<std::string, MachineEdits::State>>& states) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        // A name that one machine gives up may be that of another now.
        for (const bool removes : {true, false})
            for (const auto& [fingerprint, state] : states)
                if (removes == !state)
                    if (auto done = write_state(workspace, fingerprint, state); !done)
                        return done;
        return {};
    });
}

bool says_the_same(const MachineRecord* stored, const MachineEdits::State& state) {
    if (stored == nullptr || !state)
        return (stored == nullptr) == !state;
    return stored->name == state->name && stored->description == state->description;
}

} // namespace

MachineEdits::MachineEdits(WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session)
    , undo_(new QUndoStack(this)) {
    write_soon_.setSingleShot(true);
    write_soon_.setInterval(pause_before_writing);
    connect(&write_soon_, &QTimer::timeout, this, &MachineEdits::write);
    connect(&session_, &WorkspaceSession::opened, this, &MachineEdits::forget);
    connect(&session_, &WorkspaceSession::closed, this, &MachineEdits::forget);
    connect(&session_, &WorkspaceSession::measurements_changed, this, &MachineEdits::follow_workspace);
    connect(&session_, &WorkspaceSession::contents_changed, this, &MachineEdits::changed);
}

MachineEdits::~MachineEdits() {
    write_at_once();
}

std::vector<MachineRecord> MachineEdits::machines() const {
    std::vector<MachineRecord> machines;
    for (const MachineRecord& stored : session_.contents().machines) {
        const auto edit = edited_.find(QString::fromStdString(stored.fingerprint));
        if (edit == edited_.end())
            machines.push_back(stored);
        else if (edit->second.state)
            machines.push_back(*edit->second.state);
    }
    for (const auto& [fingerprint, edit] : edited_)
        if (edit.state && session_.machine(fingerprint) == nullptr)
            machines.push_back(*edit.state);
    return machines;
}

MachineEdits::State MachineEdits::machine(const QString& fingerprint) const {
    if (const auto edit = edited_.find(fingerprint); edit != edited_.end())
        return edit->second.state;
    const MachineRecord* stored = session_.machine(fingerprint);
    return stored != nullptr ? State(*stored) : std::nullopt;
}

bool MachineEdits::is_name_free(const std::string& name) const {
    return std::ranges::none_of(machines(), [&](const MachineRecord& each) { return each.name == name; });
}

QString MachineEdits::add(MachineDescription machine, const QString& text) {
    machine = simulated_copy(std::move(machine)); // its numbers are chosen now
    const std::string name = machine.name;
    for (int number = 2; !is_name_free(machine.name); ++number)
        machine.name = fmt::format("{} {}", name, number);
    const std::string wanted = machine.fingerprint();
    std::string fingerprint = wanted;
    for (int number = 2; this->machine(QString::fromStdString(fingerprint)); ++number)
        fingerprint = fmt::format("{}-{}", wanted, number); // that one was changed since
    const QString key = QString::fromStdString(fingerprint);
    MachineRecord record{{}, machine.name, fingerprint, machine_to_text(machine), {}};
    undo_->push(new MachineCommand(*this, key, std::nullopt, std::move(record), text, -1));
    return key;
}

void MachineEdits::change(const QString& fingerprint, const MachineDescription& machine, const QString& text,
                          int merging) {
    const State before = this->machine(fingerprint);
    if (!before)
        return;
    State after = before;
    after->name = machine.name;
    after->description = machine_to_text(machine);
    if (after->name != before->name || after->description != before->description)
        undo_->push(new MachineCommand(*this, fingerprint, before, std::move(after), text, merging));
}

void MachineEdits::remove(const QString& fingerprint, const QString& text) {
    if (const State before = machine(fingerprint))
        undo_->push(new MachineCommand(*this, fingerprint, before, std::nullopt, text, -1));
}

void MachineEdits::remove_with_times(const QString& fingerprint) {
    if (!machine(fingerprint))
        return;
    forget(); // writes what is edited
    session_.write(
        this,
        [fingerprint = fingerprint.toStdString()](Workspace& workspace) -> Result<void> {
            const auto known = find_machine(workspace, fingerprint);
            if (!known)
                return std::unexpected(known.error());
            if (!*known)
                return {}; // somebody else has removed it
            const auto removed = remove_machine_with_times(workspace, (*known)->id);
            return removed ? Result<void>() : std::unexpected(removed.error());
        },
        [this](const Result<void>& done) {
            if (!done)
                Q_EMIT failed(QString::fromStdString(done.error().text()));
        });
}

bool MachineEdits::can_be_brought_back(const QString& fingerprint, qint64 times) const {
    const State record = machine(fingerprint);
    return record && is_editable(*record) && times == 0;
}

QString MachineEdits::this_machine() const {
    return session_.this_machine();
}

void MachineEdits::apply(const QString& fingerprint, const State& state) {
    const bool was_there = machine(fingerprint).has_value();
    edited_[fingerprint] = {state, ++revision_, false, 0};
    path_ = session_.path();
    if (!is_writing_)
        write_soon_.start();
    if (was_there && state)
        Q_EMIT edited(fingerprint);
    else
        Q_EMIT changed();
}

std::vector<std::pair<std::string, MachineEdits::State>> MachineEdits::unwritten() const {
    std::vector<std::pair<std::string, State>> states;
    for (const auto& [fingerprint, edit] : edited_)
        if (!edit.is_written)
            states.emplace_back(fingerprint.toStdString(), edit.state);
    return states;
}

void MachineEdits::write() {
    std::map<QString, int> revisions;
    for (const auto& [fingerprint, edit] : edited_)
        revisions[fingerprint] = edit.revision;
    auto states = unwritten();
    if (states.empty() || !session_.is_open())
        return;
    is_writing_ = true;
    session_.write(
        this, [states = std::move(states)](Workspace& workspace) { return write_states(workspace, states); },
        [this, path = path_, revisions = std::move(revisions)](const Result<void>& result) {
            is_writing_ = false;
            if (path == path_)
                written(revisions, result);
        });
}

/// What would be lost with this object or another workspace.
void MachineEdits::write_at_once() {
    const auto states = unwritten();
    if (states.empty())
        return;
    auto workspace = Workspace::open(path_.toStdString());
    const auto done = workspace ? write_states(*workspace, states) : std::unexpected(workspace.error());
    if (!done)
        Q_EMIT failed(QString::fromStdString(done.error().text()));
}

void MachineEdits::written(const std::map<QString, int>& revisions, const Result<void>& result) {
    if (!result) {
        edited_.clear();
        forget();
        Q_EMIT failed(QString::fromStdString(result.error().text()));
        return;
    }
    bool is_more_to_write = false;
    for (auto& [fingerprint, edit] : edited_) {
        const auto revision = revisions.find(fingerprint);
        edit.is_written =
            edit.is_written || (revision != revisions.end() && revision->second == edit.revision);
        is_more_to_write = is_more_to_write || !edit.is_written;
    }
    if (is_more_to_write)
        write_soon_.start();
}

/// What was written and is read again needs no memory here. A reading that began before the writing ended
/// does not have it yet; the one after that one does, or another program has changed it since.
void MachineEdits::follow_workspace() {
    constexpr int certain = 2;
    std::size_t erased = 0;
    for (auto entry = edited_.begin(); entry != edited_.end();) {
        Edit& edit = entry->second;
        const bool is_read = edit.is_written && (says_the_same(session_.machine(entry->first), edit.state) ||
                                                 ++edit.readings >= certain);
        entry = is_read ? edited_.erase(entry) : std::next(entry);
        erased += is_read ? 1 : 0;
    }
    if (erased > 0)
        Q_EMIT changed();
}

void MachineEdits::forget() {
    write_soon_.stop();
    write_at_once();
    edited_.clear();
    undo_->clear();
    Q_EMIT changed();
}

} // namespace sparsight
