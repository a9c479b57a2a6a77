# Even load: every sensor reports equally often and on time. The baseline for
# all comparisons.

sensors = 10000
rate    = 10k
jitter  = 20%
