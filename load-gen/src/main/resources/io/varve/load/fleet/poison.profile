# One bad record in a hundred readings, undecodable or against a rule, and a
# change of schema in mid-run: is everything good still stored, and everything
# bad accounted for?

sensors             = 10000
rate                = 10k
poison-share        = 1%
schema-change-after = 10s
