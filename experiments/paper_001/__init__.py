"""Accelerated sparse Bayesian learning via screening test."""
