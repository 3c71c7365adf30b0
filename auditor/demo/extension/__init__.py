"""What moto lacks or gets wrong, supplied and checked: see `hooks` for how it gets into moto."""
