package io.surfacelog.command;

import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.StructureMode;

/**
 * What the command side goes by.
 *
 * @param types the types that may be appended
 * @param limits how large an event may be
 * @param structure what is done with findings of the structure rules on append
 * @param recovery what recovery adds beyond closing what is open
 * @param queue how much may wait to be committed
 * @param lease how leases are held
 */
public record CommandSettings(
        EventTypes types,
        EventLimits limits,
        StructureMode structure,
        RecoverySettings recovery,
        QueueSettings queue,
        LeaseSettings lease) {

    /** With the default for leases. */
    public CommandSettings(
            EventTypes types,
            EventLimits limits,
            StructureMode structure,
            RecoverySettings recovery,
            QueueSettings queue) {
        this(types, limits, structure, recovery, queue, LeaseSettings.defaults());
    }

    public static CommandSettings defaults() {
        return new CommandSettings(
                EventTypes.standard(),
                EventLimits.defaults(),
                StructureMode.ENFORCE,
                RecoverySettings.defaults(),
                QueueSettings.defaults());
    }

    public CommandSettings with(LeaseSettings other) {
        return new CommandSettings(types, limits, structure, recovery, queue, other);
    }
}
