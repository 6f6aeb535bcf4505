package io.surfacelog.store.sqlite;

/**
 * Some events of a session, added up: enough to notice that one is missing, doubled or another one.
 *
 * @param count how many they are
 * @param sum the sum of their seqs
 */
record Tally(long count, long sum) {

    static final Tally NOTHING = new Tally(0, 0);

    Tally with(long seq) {
        return new Tally(count + 1, sum + seq);
    }

    Tally plus(Tally other) {
        return new Tally(count + other.count, sum + other.sum);
    }

    @Override
    public String toString() {
        return count + " (seqs adding up to " + sum + ")";
    }
}
