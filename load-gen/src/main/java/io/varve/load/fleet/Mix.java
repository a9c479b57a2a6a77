package io.varve.load.fleet;

/** Numbers that look random and follow from others. The mixing is the finaliser of SplitMix64. */
final class Mix {
  /** An odd constant without pattern, as a stride between inputs. */
  static final long STRIDE = 0x9e3779b97f4a7c15L;

  private Mix() {}

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Maps a mixed number to {@code [0, bound)} by its high bits; the bound is at most 2^62. */
  static long below(long mixed, long bound) {
    return Math.multiplyHigh(mixed >>> 1, bound << 1);
  }
}
