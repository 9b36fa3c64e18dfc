"""The other side of a protocol: what makes an engine of any dialect do what a referee wants."""
