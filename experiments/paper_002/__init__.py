"""Doubly sparse Bayesian kernel logistic regression."""
