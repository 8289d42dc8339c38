"""Every table and figure of the three papers, by the public Python interface only."""
