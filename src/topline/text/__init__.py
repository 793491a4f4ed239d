"""From strings to tokens: sentences, tokenisers, stems, stop words, and token tables for the kernels."""
