Rivers flooded three towns after the storm.
The councils, which met on Sunday, said nobody was hurt.
