package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.CompactionLease;
import io.surfacelog.command.DriverLease;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.UnknownSessionException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompactionLeaseTest extends CompactionSuite {

    private static final List<EventDraft> TODO = List.of(EventDraft.of(TodoWrite.of(List.of())));

    @Test
    void it_is_held_by_one_and_touches_no_driver() {
        CommandStack other = startAnotherProcess();
        try (DriverLease driver = stack.commands.drive(id);
                CompactionLease lease = other.commands.leaseCompaction(id)) {
            assertThat(lease.isHeld()).isTrue();
            for (CommandStack each : List.of(stack, other)) {
                assertThatExceptionOfType(LeaseHeldException.class)
                        .isThrownBy(() -> each.commands.leaseCompaction(id))
                        .withMessageContaining("is being compacted by process")
                        .satisfies(held -> assertThat(held.purpose()).isEqualTo(LeasePurpose.COMPACTION));
            }
            lease.appendAll(TODO);
            driver.appendAll(TODO);
        }
        try (CompactionLease next = stack.commands.leaseCompaction(id)) {
            assertThat(next.token()).isEqualTo(2);
        }
    }

    @Test
    void nothing_is_stored_under_one_that_was_given_back() {
        CompactionLease lease = stack.commands.leaseCompaction(id);
        lease.close();
        assertThat(lease.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> lease.appendAll(List.of(EventDraft.of(CompactionStart.of("late", null)))))
                .withMessageContaining("its compaction lease 1 was released; compact the session again");
        assertThat(storedNextSeq(id)).isZero();
    }

    @Test
    void it_is_renewed_while_it_is_held() {
        CommandStack quick = start(CommandStack.on(store()).lease(Duration.ofSeconds(1)));
        try (CompactionLease lease = quick.commands.leaseCompaction(id)) {
            long first =
                    store().lease(id, LeasePurpose.COMPACTION).orElseThrow().expiresAt();
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> store().lease(id, LeasePurpose.COMPACTION)
                                    .orElseThrow()
                                    .expiresAt()
                            > first);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void a_session_that_is_not_there_has_none() {
        assertThatExceptionOfType(UnknownSessionException.class)
                .isThrownBy(() -> stack.commands.leaseCompaction(SessionId.of("nobody")));
    }
}
