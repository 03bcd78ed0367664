"""A stand-in for Spark, for recipes that pipe lines through a program."""
