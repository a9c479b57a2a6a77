/**
 * What a run found, for people and for programs: a tree of maps, lists, texts and numbers in a
 * stable form, and a page made of it. Everything but the writing of files is decided from the tree
 * alone.
 */
@NullMarked
package io.varve.load.report;

import org.jspecify.annotations.NullMarked;
