# A tenth of the readings comes late, some are sent twice, some are corrected:
# do rows end up in order, once, and with the newest value?

sensors          = 10000
rate             = 10k
late-share       = 10%
late-from        = 1s
late-to          = 20s
resend-share     = 2%
resend-after     = 2s
correction-share = 2%
correction-after = 5s
skew-share       = 5%        # clocks that are wrong, and stay so
skew             = 10m
