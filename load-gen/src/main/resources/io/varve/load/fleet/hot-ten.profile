# Ten hot sensors make half of all readings, and how often the others report
# differs by a factor of sixty.

sensors     = 10000
rate        = 10k
hot-sensors = 10
hot-share   = 50%
paces       = 60 10 1
