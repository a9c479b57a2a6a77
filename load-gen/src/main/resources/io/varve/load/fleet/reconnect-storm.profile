# A third of the sensors loses its network together, and all of them come back
# within a second with everything that they held: does the burst hide from
# readers what is fresh?

sensors          = 10000
rate             = 10k
offline-share    = 33%
offline-every    = 30s
offline-for      = 10s
offline-together = yes
return-spread    = 1s
