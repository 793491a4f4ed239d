"""MEAD and CIDR (Radev, Jing, Stys & Tam 2004), by the paper's text and as the programs do it."""
