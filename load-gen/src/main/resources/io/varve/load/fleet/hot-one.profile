# One sensor makes a third of all readings: does a single hot sensor slow down
# the others, or its own answers?

sensors     = 10000
rate        = 10k
hot-sensors = 1
hot-share   = 33%
