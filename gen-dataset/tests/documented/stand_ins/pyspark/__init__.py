"""Stands in for Spark where a recipe pipes lines through a program."""
