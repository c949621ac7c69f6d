#include "domains/blocks/simulator/processor_tables.h"

#include "domains/blocks/tables/microarchitecture.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// The units of each resource as bits: of a group those of its members.
std::vector<std::uint64_t> unit_masks(const llvm::MCSchedModel& model) {
    std::vector<std::uint64_t> masks(model.getNumProcResourceKinds());
    for (unsigned number = 1; number < masks.size(); ++number) {
        const llvm::MCProcResourceDesc& resource = *model.getProcResource(number);
        if (resource.SubUnitsIdxBegin == nullptr)
            masks[number] = std::uint64_t{1} << number;
        else
            for (unsigned unit = 0; unit < resource.NumUnits; ++unit)
                masks[number] |= std::uint64_t{1} << resource.SubUnitsIdxBegin[unit];
    }
    return masks;
}

bool lies_within(std::uint64_t smaller, std::uint64_t larger) {
    return smaller != larger && (smaller & larger) == smaller;
}

} // namespace

struct ProcessorTables::State {
    /// Part of the tables of all processors of a target that belongs to one class.
    template <typename Entry>
    struct Part {
        std::size_t first = 0;    ///< in our table
        std::vector<Entry> ours;  ///< LLVM's entries
        std::size_t capacity = 0; ///< in our table
    };

    struct ClassTables {
        std::size_t number = 0; ///< LLVM's
        Part<llvm::MCWriteLatencyEntry> latencies;
        Part<llvm::MCReadAdvanceEntry> advances;
        Part<llvm::MCWriteProcResEntry> resources;
    };

    /// A processor whose tables are ours, but whose rules for classes that depend on operands are LLVM's.
    class CopiedProcessor final : public llvm::MCSubtargetInfo {
    public:
        CopiedProcessor(const llvm::MCSubtargetInfo& original,
                        const std::vector<llvm::SubtargetSubTypeKV>& processors,
                        const std::vector<llvm::MCWriteProcResEntry>& resources,
                        const std::vector<llvm::MCWriteLatencyEntry>& latencies,
                        const std::vector<llvm::MCReadAdvanceEntry>& advances)
            : MCSubtargetInfo(original.getTargetTriple(), original.getCPU(), original.getTuneCPU(),
                              original.getFeatureString(), original.getAllProcessorFeatures(), processors,
                              resources.data(), latencies.data(), advances.data(), nullptr, nullptr, nullptr)
            , original_(original) {
            setFeatureBits(original.getFeatureBits());
        }

        unsigned resolveVariantSchedClass(unsigned number, const llvm::MCInst* instruction,
                                          const llvm::MCInstrInfo* instructions,
                                          unsigned processor) const override {
            return original_.resolveVariantSchedClass(number, instruction, instructions, processor);
        }

    private:
        const llvm::MCSubtargetInfo& original_;
    };

    const CodeTarget& target;
    std::unique_ptr<llvm::MCSubtargetInfo> llvm;
    llvm::MCSchedModel model;
    llvm::MCExtraProcessorInfo extra{};
    std::vector<llvm::MCSchedClassDesc> descriptions;
    std::vector<llvm::MCWriteLatencyEntry> latencies{};
    std::vector<llvm::MCReadAdvanceEntry> advances{};
    std::vector<llvm::MCWriteProcResEntry> resources{};
    std::vector<llvm::SubtargetSubTypeKV> processors{};
    std::vector<std::uint64_t> masks;
    std::vector<ClassTables> classes{};
    std::map<std::size_t, std::size_t> places{}; ///< by LLVM's number
    SimulatorTable original{};
    std::unique_ptr<CopiedProcessor> copy{};

    State(const CodeTarget& of, std::unique_ptr<llvm::MCSubtargetInfo> processor)
        : target(of)
        , llvm(std::move(processor))
        , model(llvm->getSchedModel())
        , descriptions(model.SchedClassTable, model.SchedClassTable + model.NumSchedClasses)
        , masks(unit_masks(model)) {}

    void read_class(std::size_t number) {
        const llvm::MCSchedClassDesc& description = descriptions[number];
        ClassTables tables{.number = number, .latencies = {}, .advances = {}, .resources = {}};
        for (unsigned each = 0; each < description.NumWriteLatencyEntries; ++each)
            tables.latencies.ours.push_back(*llvm->getWriteLatencyEntry(&description, each));
        const auto advance_entries = llvm->getReadAdvanceEntries(description);
        tables.advances.ours.assign(advance_entries.begin(), advance_entries.end());
        tables.resources.ours.assign(llvm->getWriteProcResBegin(&description),
                                     llvm->getWriteProcResEnd(&description));
        tables.latencies.capacity = std::max<std::size_t>(1, tables.latencies.ours.size());
        tables.advances.capacity = tables.advances.ours.size() + read_advances;
        tables.resources.capacity = std::max<std::size_t>(masks.size(), tables.resources.ours.size());
        places.emplace(number, classes.size());
        std::string name = description.Name;
        // Some are lists of instructions, and what operands decide has the name of what it is without them.
        constexpr std::size_t longest_name = 32;
        const bool is_long = name.size() > longest_name;
        if (is_long)
            name.resize(std::min(name.rfind('_', longest_name), longest_name));
        if (is_long ||
            std::ranges::find(original.classes, name, &SchedulingClass::name) != original.classes.end())
            name += fmt::format("#{}", number);
        original.classes.push_back({std::move(name), values_of(tables)});
        classes.push_back(std::move(tables));
    }

    [[nodiscard]] std::vector<int> values_of(const ClassTables& tables) const {
        std::vector<int> values(original.values_a_class(), 0);
        values[MicroOps] = descriptions[tables.number].NumMicroOps;
        for (const llvm::MCWriteLatencyEntry& entry : tables.latencies.ours)
            values[Latency] = std::max<int>(values[Latency], entry.Cycles);
        for (std::size_t operand = 0; operand < read_advances; ++operand)
            if (const auto found = largest_advance(tables, operand))
                values[FirstAdvance + operand] = *found;
        std::vector<llvm::MCWriteProcResEntry> by_size = tables.resources.ours;
        std::ranges::stable_sort(by_size, {}, [&](const llvm::MCWriteProcResEntry& entry) {
            return std::popcount(masks[entry.ProcResourceIdx]);
        });
        for (const llvm::MCWriteProcResEntry& entry : by_size) {
            int own = entry.ReleaseAtCycle;
            for (std::size_t other = 1; other < masks.size(); ++other)
                if (lies_within(masks[other], masks[entry.ProcResourceIdx]))
                    own -= values[FirstPort + other - 1];
            values[FirstPort + entry.ProcResourceIdx - 1] = std::max(own, 0);
        }
        return values;
    }

    [[nodiscard]] static std::optional<int> largest_advance(const ClassTables& tables, std::size_t operand) {
        std::optional<int> largest;
        for (const llvm::MCReadAdvanceEntry& entry : tables.advances.ours)
            if (entry.UseIdx == operand)
                largest = std::max(largest.value_or(entry.Cycles), entry.Cycles);
        return largest;
    }

    Result<void> place_tables() {
        std::size_t latency = 0;
        std::size_t advance = 0;
        std::size_t resource = 0;
        for (ClassTables& each : classes) {
            each.latencies.first = std::exchange(latency, latency + each.latencies.capacity);
            each.advances.first = std::exchange(advance, advance + each.advances.capacity);
            each.resources.first = std::exchange(resource, resource + each.resources.capacity);
        }
        constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max(); // LLVM's places are short
        if (latency > most || advance > most || resource > most)
            return fail(Fault::Internal, "the tables of LLVM are too large for a copy that can be changed");
        latencies.resize(latency);
        advances.resize(advance);
        resources.resize(resource);
        for (std::size_t place = 0; place < classes.size(); ++place) {
            llvm::MCSchedClassDesc& description = descriptions[classes[place].number];
            description.WriteLatencyIdx = static_cast<std::uint16_t>(classes[place].latencies.first);
            description.ReadAdvanceIdx = static_cast<std::uint16_t>(classes[place].advances.first);
            description.WriteProcResIdx = static_cast<std::uint16_t>(classes[place].resources.first);
            set_class(place, original.classes[place].values);
        }
        return {};
    }

    void set_class(std::size_t place, std::span<const int> values) {
        const ClassTables& tables = classes[place];
        const std::vector<int>& before = original.classes[place].values;
        llvm::MCSchedClassDesc& description = descriptions[tables.number];
        description.NumMicroOps = static_cast<std::uint16_t>(values[MicroOps] & 0x1fff);
        set_latencies(tables, description, values[Latency] - before[Latency]);
        set_advances(tables, description, values, before);
        set_resources(tables, description, values, before);
    }

    void set_latencies(const ClassTables& tables, llvm::MCSchedClassDesc& description, int change) {
        std::vector<llvm::MCWriteLatencyEntry> entries = tables.latencies.ours;
        if (entries.empty() && change != 0)
            entries.push_back({0, 0});
        for (llvm::MCWriteLatencyEntry& entry : entries)
            if (change != 0)
                entry.Cycles = static_cast<std::int16_t>(std::max(0, entry.Cycles + change));
        description.NumWriteLatencyEntries = static_cast<std::uint16_t>(entries.size());
        std::ranges::copy(entries, latencies.begin() + static_cast<std::ptrdiff_t>(tables.latencies.first));
    }

    void set_advances(const ClassTables& tables, llvm::MCSchedClassDesc& description,
                      std::span<const int> values, std::span<const int> before) {
        std::vector<llvm::MCReadAdvanceEntry> entries = tables.advances.ours;
        for (unsigned operand = 0; operand < read_advances; ++operand) {
            const int change = values[FirstAdvance + operand] - before[FirstAdvance + operand];
            if (change == 0)
                continue;
            bool is_there = false;
            for (llvm::MCReadAdvanceEntry& entry : entries)
                if (entry.UseIdx == operand) {
                    entry.Cycles += change;
                    is_there = true;
                }
            if (!is_there) // of whatever result
                entries.insert(
                    std::ranges::upper_bound(entries, operand, {}, &llvm::MCReadAdvanceEntry::UseIdx),
                    {operand, 0, change});
        }
        description.NumReadAdvanceEntries = static_cast<std::uint16_t>(entries.size());
        std::ranges::copy(entries, advances.begin() + static_cast<std::ptrdiff_t>(tables.advances.first));
    }

    void set_resources(const ClassTables& tables, llvm::MCSchedClassDesc& description,
                       std::span<const int> values, std::span<const int> before) {
        std::vector<llvm::MCWriteProcResEntry> entries = tables.resources.ours;
        std::vector<int> changes(masks.size(), 0); // with those of what lies within
        bool is_changed = false;
        for (std::size_t number = 1; number < masks.size(); ++number)
            if (const int change = values[FirstPort + number - 1] - before[FirstPort + number - 1];
                change != 0) {
                is_changed = true;
                for (std::size_t larger = 1; larger < masks.size(); ++larger)
                    if (larger == number || lies_within(masks[number], masks[larger]))
                        changes[larger] += change;
            }
        if (is_changed) {
            for (llvm::MCWriteProcResEntry& entry : entries) {
                const int cycles =
                    std::max(0, entry.ReleaseAtCycle + std::exchange(changes[entry.ProcResourceIdx], 0));
                entry.ReleaseAtCycle = static_cast<std::uint16_t>(cycles);
            }
            for (std::size_t number = 1; number < masks.size(); ++number)
                if (changes[number] > 0)
                    entries.push_back(
                        {static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(changes[number]), 0});
            std::erase_if(entries, [](const auto& entry) { return entry.ReleaseAtCycle == 0; });
        }
        description.NumWriteProcResEntries = static_cast<std::uint16_t>(entries.size());
        std::ranges::copy(entries, resources.begin() + static_cast<std::ptrdiff_t>(tables.resources.first));
    }

    void make_copy() {
        model.SchedClassTable = descriptions.data();
        if (model.hasExtraProcessorInfo()) {
            extra = model.getExtraProcessorInfo();
            model.ExtraProcessorInfo = &extra;
        }
        for (llvm::SubtargetSubTypeKV each : llvm->getAllProcessorDescriptions()) {
            if (each.SchedModel == &llvm->getSchedModel())
                each.SchedModel = &model;
            processors.push_back(each);
        }
        copy = std::make_unique<CopiedProcessor>(*llvm, processors, resources, latencies, advances);
    }
};

ProcessorTables::ProcessorTables(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ProcessorTables::~ProcessorTables() = default;
ProcessorTables::ProcessorTables(ProcessorTables&&) noexcept = default;
ProcessorTables& ProcessorTables::operator=(ProcessorTables&&) noexcept = default;

Result<ProcessorTables> ProcessorTables::copy(const CodeTarget& target, std::string_view machine) {
    const auto known = find_microarchitecture(machine);
    if (!known)
        return fail(Fault::Input, fmt::format("there is no microarchitecture '{}'", machine));
    std::unique_ptr<llvm::MCSubtargetInfo> processor(
        target.target().createMCSubtargetInfo(target.triple().str(), std::string(known->llvm), ""));
    if (!processor->getSchedModel().hasInstrSchedModel())
        return fail(Fault::Input, fmt::format("LLVM has no scheduling model of '{}'", known->llvm));
    auto state = std::make_unique<State>(target, std::move(processor));
    SimulatorTable& original = state->original;
    original.machine = known->name;
    for (unsigned number = 1; number < state->model.getNumProcResourceKinds(); ++number) {
        original.resources.emplace_back(state->model.getProcResource(number)->Name);
        original.units.push_back(state->masks[number]);
    }
    for (std::size_t number = 1; number < state->descriptions.size(); ++number)
        if (state->descriptions[number].isValid() && !state->descriptions[number].isVariant())
            state->read_class(number);
    const llvm::MCSchedModel& model = state->model;
    const bool has_own_buffer =
        model.hasExtraProcessorInfo() && model.getExtraProcessorInfo().ReorderBufferSize > 0;
    original.processor = {static_cast<int>(model.IssueWidth),
                          static_cast<int>(has_own_buffer ? model.getExtraProcessorInfo().ReorderBufferSize
                                                          : model.MicroOpBufferSize)};
    if (auto placed = state->place_tables(); !placed)
        return std::unexpected(std::move(placed).error());
    state->make_copy();
    return ProcessorTables(std::move(state));
}

const SimulatorTable& ProcessorTables::original() const {
    return state_->original;
}

const llvm::MCSubtargetInfo& ProcessorTables::subtarget() const {
    return *state_->copy;
}

void ProcessorTables::set_processor(const ProcessorValues& values) {
    const auto buffer = static_cast<unsigned>(values[std::to_underlying(ProcessorParameter::ReorderBuffer)]);
    state_->model.IssueWidth =
        static_cast<unsigned>(values[std::to_underlying(ProcessorParameter::DispatchWidth)]);
    if (state_->extra.ReorderBufferSize > 0)
        state_->extra.ReorderBufferSize = buffer;
    else
        state_->model.MicroOpBufferSize = buffer;
}

void ProcessorTables::set_class(std::size_t place, std::span<const int> values) {
    state_->set_class(place, values);
}

std::optional<std::size_t> ProcessorTables::class_of(const llvm::MCInst& instruction) const {
    const llvm::MCInstrInfo& instructions = state_->target.instructions();
    unsigned number = instructions.get(instruction.getOpcode()).getSchedClass();
    while (number != 0 && state_->descriptions[number].isVariant())
        number = state_->llvm->resolveVariantSchedClass(number, &instruction, &instructions,
                                                        state_->model.getProcessorID());
    const auto found = state_->places.find(number);
    return found == state_->places.end() ? std::nullopt : std::optional(found->second);
}

} // namespace sparsight
