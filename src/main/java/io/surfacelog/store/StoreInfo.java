package io.surfacelog.store;

/**
 * What and where a store is.
 *
 * @param backend name of the backend, for example {@code sqlite}
 * @param location where it keeps its data, for people to read
 * @param storeId random id given when the store was made
 * @param schemaVersion version of its schema
 */
public record StoreInfo(String backend, String location, String storeId, int schemaVersion) {}
