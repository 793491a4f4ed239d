plays
