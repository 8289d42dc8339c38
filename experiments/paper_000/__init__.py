"""Sparse Bayesian learning with a diagonal quasi-Newton method (DQN-SBL)."""
