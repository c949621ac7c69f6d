#include "toy/lock_measuring.h"

#include "store/measurements.h"
#include "toy/digit_space.h"
#include "toy/lock_domain.h"

#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace sparsight::toy {

namespace {

class LockMeasurer final : public WorkloadMeasurer {
public:
    explicit LockMeasurer(std::string secret)
        : secret_(std::move(secret)) {}

    Result<Measurement> measure(const WrittenConfiguration& combination) override {
        Measurement measurement;
        if (combination.text == "4444") {
            measurement.reason = "the lock is jammed";
            return measurement;
        }
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        measurement.repeats = 1;
        for (std::size_t place = 0; place < secret_.size(); ++place)
            measurement.median += Milliseconds(std::abs(secret_[place] - combination.text[place]));
        return measurement;
    }

private:
    std::string secret_;
};

class LockSession final : public MeasuringSession {
public:
    Result<std::unique_ptr<WorkloadMeasurer>> open(Workspace&, const WorkloadRecord& lock) override {
        std::string secret;
        for (const auto& [digit, value] : numeric_facts(lock))
            secret += static_cast<char>('0' + static_cast<int>(value));
        if (secret.empty())
            return fail(Fault::Input, fmt::format("nobody knows the digits of {}", lock.name));
        return std::make_unique<LockMeasurer>(std::move(secret));
    }
};

class LockMeasuring final : public MeasuringDomain {
public:
    const Domain& domain() const override { return *domain_; }
    std::string engine() const override { return "lock 1"; }
    Result<std::unique_ptr<MeasuringSession>> begin(const MeasuringConditions&) const override {
        return std::make_unique<LockSession>();
    }

private:
    std::unique_ptr<const Domain> domain_ = make_lock_domain();
};

class LockSimulating final : public SimulatingDomain {
public:
    std::string_view name() const override { return "locks"; }
    std::optional<SimulatedConditions> conditions(const MachineRecord& machine) const override {
        return is_editable(machine) ? std::optional(SimulatedConditions{"imagined"}) : std::nullopt;
    }
    Result<std::vector<CollectionFailure>> supply(Workspace& workspace, const WantedTimes& wanted,
                                                  Observer& observer,
                                                  const std::stop_token& stop) const override {
        std::vector<CollectionFailure> failures;
        for (std::uint64_t done = 0; const auto& [name, texts] : wanted.chosen.texts) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            observer.progress({.stage = "imagining", .done = done++, .total = wanted.chosen.texts.size()});
            const auto lock = find_workload(workspace, "locks", name);
            if (!lock)
                return std::unexpected(lock.error());
            if (!*lock)
                continue;
            const auto measurer = LockSession().open(workspace, **lock);
            if (!measurer) {
                failures.push_back({name, "", measurer.error()});
                continue;
            }
            const MeasurementConditions conditions{.workload = (*lock)->id,
                                                   .machine = wanted.machine.id,
                                                   .setting = wanted.setting,
                                                   .protocol = "imagined"};
            if (auto supplied = supply(workspace, conditions, **measurer, texts); !supplied)
                return std::unexpected(supplied.error());
        }
        return failures;
    }

private:
    Result<void> supply(Workspace& workspace, const MeasurementConditions& conditions,
                        WorkloadMeasurer& measurer, const std::vector<std::string>& chosen) const {
        const auto known = measured_canonical_texts(workspace, conditions);
        if (!known)
            return std::unexpected(known.error());
        std::set<std::string> missing(chosen.begin(), chosen.end());
        missing.insert("0000");
        if (known->empty())
            missing.insert("1111");
        for (const std::string& text : *known)
            missing.erase(text);
        for (const std::string& text : missing) {
            const auto written = domain_->written(conditions.setting, text);
            if (!written)
                return std::unexpected(written.error());
            auto measurement = measurer.measure(*written);
            if (!measurement)
                return std::unexpected(measurement.error());
            measurement->median *= 2;
            if (auto stored = record_measurement(workspace, conditions, *written, *measurement); !stored)
                return stored;
        }
        return {};
    }

    std::unique_ptr<const Domain> domain_ = make_lock_domain();
};

} // namespace

std::unique_ptr<const MeasuringDomain> make_lock_measuring() {
    return std::make_unique<LockMeasuring>();
}

std::unique_ptr<const SimulatingDomain> make_lock_simulating() {
    return std::make_unique<LockSimulating>();
}

} // namespace sparsight::toy
