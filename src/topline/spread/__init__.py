"""The score of every extract: Ceylan et al.'s exhaustive study, exact where it can be, else with bounds."""
