/**
 * What a load is put on, behind two small ports: {@link io.varve.load.target.RecordSink} takes
 * records, {@link io.varve.load.target.Queries} answers questions. Another system is measured and
 * judged by the same code once it has both.
 */
@NullMarked
package io.varve.load.target;

import org.jspecify.annotations.NullMarked;
