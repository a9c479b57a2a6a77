package io.varve.ingest.route;

import io.varve.ingest.check.ReadingChecks;
import io.varve.ingest.shards.LivePlans;
import io.varve.schemas.WriterSchemas;

/**
 * What the routers of one source topic share.
 *
 * @param sourceTopic topic that is routed
 * @param sourceTopicId its id, which tells it from a deleted topic of the same name
 * @param schemas schemas that readings may be written with
 * @param checks rules that readings must keep
 * @param plans shard plans, and whether they are known well enough to route by
 * @param topicPartitions partitions of {@code rows}
 * @param maxDeadLetterBytes largest record that the dead-letter topic takes
 * @param deadLetterSink name of the sink node of dead letters
 * @param ledgerStore name of the logged store of the ledger
 */
public record RouterSettings(
    String sourceTopic,
    String sourceTopicId,
    WriterSchemas schemas,
    ReadingChecks checks,
    LivePlans plans,
    int topicPartitions,
    int maxDeadLetterBytes,
    String deadLetterSink,
    String ledgerStore) {}
