/**
 * The key advisor: a sample of rows goes in, and what partitions they would make under candidate
 * keys comes out, with a verdict on each and a proposal.
 *
 * <p>Nothing here reads a file or a topic. {@link io.varve.server.advise.KeyReplay} takes rows and
 * keeps what it needs of them in bounded memory, {@link io.varve.server.advise.KeyJudge} decides
 * from what is left of them. Single-threaded. The sketch library is imported here only.
 */
@NullMarked
package io.varve.server.advise;

import org.jspecify.annotations.NullMarked;
