package io.surfacelog.store;

import java.util.OptionalLong;

/**
 * How a store is, as far as it can be seen without writing.
 *
 * @param sessions how many sessions it holds
 * @param liveLeases how many leases somebody holds that have not expired
 * @param lastPosition position of the newest commit, 0 for an empty store
 * @param usableBytes what the file system has left for it; empty where there is none
 */
public record StoreStatus(long sessions, long liveLeases, long lastPosition, OptionalLong usableBytes) {}
