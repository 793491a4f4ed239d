"""The bundled sample corpus: fictional texts written for this project (see NOTICE)."""
