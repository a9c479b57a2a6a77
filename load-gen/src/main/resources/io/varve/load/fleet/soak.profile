# Everything at once, mildly, for long runs: Zipf's law over sensors, several
# paces, late, repeated and corrected readings, wrong clocks, outages, bad
# records, a change of schema, and half of the gateways batching.

sensors             = 10000
rate                = 10k
zipf                = 0.9
paces               = 10 5 1
late-share          = 2%
late-from           = 5s
late-to             = 2m
offline-share       = 2%
offline-every       = 2m
offline-for         = 30s
resend-share        = 0.5%
correction-share    = 0.5%
skew-share          = 1%
poison-share        = 0.01%
schema-change-after = 1m
gateway-share       = 50%
batch               = 50
