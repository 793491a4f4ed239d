"""Going over many topics: progress now, engines and stores beside it."""
